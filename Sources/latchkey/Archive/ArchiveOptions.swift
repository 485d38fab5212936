internal import KeychainClient
internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory

/// The file of an archive: the operand of `export` and `import`; `-` is the standard stream.
struct ArchiveFile: Equatable, Sendable {
  let name: String

  init(_ arguments: Arguments) throws(UsageError) {
    let bytes = try arguments.onlyOperand("file, or - for the standard stream")
    guard let name = String(validating: bytes, as: UTF8.self) else { throw UsageError("the file's name is not UTF-8.") }
    self.name = name
  }

  /// Whether it is the standard stream.
  var isStream: Bool { name == "-" }
}

/// `--passphrase-fd N`.
struct Passphrase: Equatable, Sendable {
  static let option = Option(
    "passphrase-fd", value: "N", "read the archive's passphrase from descriptor N instead of asking")

  let descriptor: Int32?

  init(_ arguments: Arguments) throws(UsageError) { descriptor = try arguments.descriptor(Self.option) }

  /// The fewest bytes of a new archive's: whoever has the file can try as many as a machine can stretch.
  static let leastBytes = 8

  /// The passphrase of an archive that is there.
  func read(_ session: Session) throws(Failure) -> SecretBytes {
    try session.readLine("passphrase", descriptor, Self.option, asking: .once)
  }

  /// The passphrase of a new archive.
  func readNew(_ session: Session) throws(Failure) -> SecretBytes {
    let passphrase = try session.readLine("passphrase", descriptor, Self.option, asking: .twice)
    guard passphrase.count >= Self.leastBytes else {
      throw Failure(
        .invalidParameter, "the passphrase is shorter than \(Self.leastBytes) bytes.",
        nextStep: "Give a longer one; a few words that do not belong together are good.")
    }
    return passphrase
  }
}

extension Session {
  /// Unlocks the keybag where it is locked and a proof is welcome, so that a batch does not find half of it hidden.
  ///
  /// - Returns: an authentication context that holds the proof, so that the batch need not ask again where the items' policies
  ///   let one proof serve in its context; `nil` where nothing was locked.
  func openKeybag() throws(Failure) -> UInt64? {
    try Failure.translating { () throws(Refusal) in
      switch try keychain.status(options: quiet).keybag {
      case .locked, .beforeFirstUnlock: break
      default: return nil
      }
      var options = proving
      guard options.interaction == .allow else { throw Refusal(.interactionNotAllowed) }
      options.context = try keychain.makeContext(options: quiet)
      options.reason = "unlock the keychain"
      try keychain.useContext(.evaluate(alternatives: [Self.passcodeMethod]), options: options)
      return options.context
    }
  }

  /// The passcode among the bits of methods (protocol section 5).
  private static let passcodeMethod: UInt8 = 1
}
