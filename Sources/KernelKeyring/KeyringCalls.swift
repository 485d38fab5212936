internal import CKeyutils
internal import SecretMemory

/// The keyring system calls; tests make them fail.
struct KeyringCalls: Sendable {
  /// A key's number in the kernel.
  typealias Serial = Int32

  var joinSession: @Sendable () throws(KeyringError) -> Void
  var processKeyring: @Sendable () throws(KeyringError) -> Serial
  var setPermissions: @Sendable (Serial, UInt32) throws(KeyringError) -> Void
  /// Adds a key of type "user" or, under a description that is there, replaces its payload.
  var add: @Sendable (_ description: String, SecretBytes, _ ring: Serial) throws(KeyringError) -> Serial
  var update: @Sendable (Serial, SecretBytes) throws(KeyringError) -> Void
  var setTimeout: @Sendable (Serial, _ seconds: UInt32) throws(KeyringError) -> Void
  /// Fills the secret; how many bytes the key really has.
  var read: @Sendable (Serial, SecretBytes) throws(KeyringError) -> Int
  /// Whether a new thread reads a key of one byte.
  var readFromThread: @Sendable (Serial) throws(KeyringError) -> Void
  var revoke: @Sendable (Serial) throws(KeyringError) -> Void
  /// Takes a key out of the ring; nobody holds it then, and the kernel collects it with its payload.
  var unlink: @Sendable (Serial, _ ring: Serial) throws(KeyringError) -> Void

  /// The running kernel's.
  static let kernel = KeyringCalls(
    joinSession: { () throws(KeyringError) in _ = try checked(keyctl_join_session_keyring(nil)) },
    processKeyring: { () throws(KeyringError) in
      try checked(keyctl_get_keyring_ID(KEY_SPEC_PROCESS_KEYRING, 1))
    },
    setPermissions: { (key, mask) throws(KeyringError) in _ = try checked(keyctl_setperm(key, mask)) },
    add: { (description, payload, ring) throws(KeyringError) in
      try payload.withSpan { (span) throws(KeyringError) in
        try unsafe checked(span.withUnsafeBytes { unsafe add_key("user", description, $0.baseAddress, $0.count, ring) })
      }
    },
    update: { (key, payload) throws(KeyringError) in
      try payload.withSpan { (span) throws(KeyringError) in
        _ = try unsafe checked(span.withUnsafeBytes { unsafe keyctl_update(key, $0.baseAddress, $0.count) })
      }
    },
    setTimeout: { (key, seconds) throws(KeyringError) in _ = try checked(keyctl_set_timeout(key, seconds)) },
    read: { (key, target) throws(KeyringError) in try readBytes(of: key, into: target) },
    readFromThread: { (key) throws(KeyringError) in
      let error = ckeyutils_read_from_thread(key)
      guard error == 0 else { throw KeyringError(rawValue: error) }
    },
    revoke: { (key) throws(KeyringError) in _ = try checked(keyctl_revoke(key)) },
    unlink: { (key, ring) throws(KeyringError) in _ = try checked(keyctl_unlink(key, ring)) })

  private static func readBytes(of key: Serial, into target: SecretBytes) throws(KeyringError) -> Int {
    // SAFETY: the kernel writes at most as many bytes as it is told there are; the span holds them during the call.
    let count = target.withMutableSpan { span in
      unsafe span.withUnsafeMutableBufferPointer { target in
        unsafe target.withMemoryRebound(to: CChar.self) { unsafe keyctl_read(key, $0.baseAddress, $0.count) }
      }
    }
    guard count >= 0 else { throw .current }
    return Int(count)
  }

  /// The answer of a call, or the calling thread's errno where it is -1.
  private static func checked<Answer: FixedWidthInteger>(_ answer: Answer) throws(KeyringError) -> Serial {
    guard answer >= 0 else { throw .current }
    return Serial(truncatingIfNeeded: answer)
  }
}
