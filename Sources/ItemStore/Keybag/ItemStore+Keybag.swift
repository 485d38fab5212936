public import KeychainModel
public import SecretMemory

extension ItemStore {
  /// What the keybag can open, given the classes whose keys the caller holds beyond ``deviceWrappedKeys()``.
  public func keybagState(holding classes: Set<ProtectionClass>) -> KeybagState {
    let record = keybag
    guard record.isBound else { return .unbound }
    if record.akpuDestroyed { return .akpuDestroyed }
    if record.passcodeChanged { return .passcodeChanged }
    if classes.contains(.whenUnlocked) { return .unlocked }
    return classes.contains(.afterFirstUnlock) ? .locked : .beforeFirstUnlock
  }

  /// What the keybag says of itself, as it is at one moment.
  public var keybagSummary: KeybagSummary {
    withKeybag { KeybagSummary(stretching: $0.stretching, hasRecoveryKey: $0.hasRecoveryKey, $0.akpuDestroyed) }
  }

  /// Whether a recovery key exists.
  public var hasRecoveryKey: Bool { keybag.hasRecoveryKey }

  /// How to stretch a passcode for ``unlock(_:)``; `nil` while unbound.
  public var stretching: StretchingParameters? { keybag.stretching }

  /// The keys that open without a passcode: every class of an unbound keybag, `always` of a bound one.
  ///
  /// - Throws: `.damaged(.keybag)`, `.outOfMemory`.
  public func deviceWrappedKeys() throws(StoreError) -> ClassKeySet { try keybag.deviceKeys(device) }

  /// Opens the keys behind the passcode. Clears `passcodeChanged`; where the `whenPasscodeSet` keys were destroyed, makes new
  /// ones (a passcode is set again).
  ///
  /// - Parameter stretched: the passcode that PAM accepted, stretched with ``stretching``.
  /// - Returns: the keys of all classes but `always`.
  /// - Throws: `.passcodeNotBound` while unbound; `.passcodeDoesNotOpen`; `.damaged`, `.diskFull`, `.ioFailed`, `.busy`,
  ///   `.outOfMemory`.
  public func unlock(_ stretched: SecretBytes) throws(StoreError) -> ClassKeySet {
    let record = keybag
    guard let parameters = record.stretching else { throw .passcodeNotBound }
    guard let keys = try record.passcodeKeys(stretched, device) else { throw .passcodeDoesNotOpen }
    guard record.passcodeChanged || record.akpuDestroyed else { return keys }
    let passcode = StretchedPasscode(key: stretched, parameters: parameters)
    return try writeKeybag { _, record throws(StoreError) in try rewrap(keys, passcode, &record) }
  }

  /// Remembers that PAM accepted a passcode which does not open the keybag.
  ///
  /// - Throws: `.diskFull`, `.ioFailed`, `.busy`, `.damaged`.
  public func notePasscodeChanged() throws(StoreError) {
    guard keybag.isBound, !keybag.passcodeChanged else { return }
    try writeKeybag { _, record throws(StoreError) in record.passcodeChanged = true }
  }

  /// Puts the same class keys behind a new passcode. The old passcode opens nothing any more; the recovery key still does.
  ///
  /// - Parameters:
  ///   - proof: the old passcode stretched with ``stretching``, or the recovery key.
  ///   - passcode: the new one, stretched with fresh parameters.
  /// - Returns: the keys of all classes but `always`.
  /// - Throws: `.passcodeNotBound`, `.passcodeDoesNotOpen`, `.noRecoveryKey`, `.recoveryKeyWrong`, `.damaged`, `.diskFull`,
  ///   `.ioFailed`, `.busy`, `.outOfMemory`.
  public func rebind(from proof: KeybagProof, to passcode: StretchedPasscode) throws(StoreError) -> ClassKeySet {
    let keys = try open(keybag, with: proof)
    let all = try writeKeybag { _, record throws(StoreError) in try rewrap(keys, passcode, &record) }
    emptyLog()
    return all
  }

  /// Whether this recovery key opens the keybag. Changes nothing.
  ///
  /// - Throws: `.passcodeNotBound`, `.noRecoveryKey`, `.recoveryKeyWrong`, `.damaged`, `.outOfMemory`.
  public func checkRecoveryKey(_ text: SecretBytes) throws(StoreError) {
    _ = try open(keybag, with: .recoveryKey(text))
  }

  /// Makes a recovery key; an older one opens nothing any more.
  ///
  /// - Parameter keys: the unlocked keys of every class behind the passcode.
  /// - Returns: the key as text to print once: nine groups of four letters and digits.
  /// - Throws: `.passcodeNotBound`, `.locked`, `.diskFull`, `.ioFailed`, `.busy`, `.outOfMemory`.
  public func makeRecoveryKey(keys: any ClassKeySource) throws(StoreError) -> SecretBytes {
    let recovery = try RecoveryKey.random()
    try writeKeybag { _, record throws(StoreError) in
      guard record.isBound else { throw .passcodeNotBound }
      try record.setRecovery(recovery.secret, Self.current(keys, record), device)
    }
    emptyLog()
    return try recovery.text()
  }

  /// Destroys the keys of `whenPasscodeSet` and marks its items dead: the passcode is known to be removed.
  ///
  /// - Throws: `.passcodeNotBound`, `.diskFull`, `.ioFailed`, `.busy`, `.damaged`.
  public func destroyAkpu() throws(StoreError) {
    try writeKeybag { connection, record throws(StoreError) in
      guard record.isBound else { throw .passcodeNotBound }
      for use in ClassKeyUse.allCases {
        record.entries[ClassKeyName(.whenPasscodeSet, use)] = KeybagRecord.Entry(check: [], wrapped: [])
      }
      record.akpuDestroyed = true
      try connection.statement(
        "UPDATE items SET wrapped_key = NULL, dead = ? WHERE substr(access, 1, 1) = ? AND dead IS NULL"
      ).run([
        .integer(Int64(DeadCause.passcodeRemoved.rawValue)),
        .bytes([Accessibility.whenPasscodeSetThisDeviceOnly.number]),
      ])
    }
    emptyLog()
  }

  private func open(_ record: KeybagRecord, with proof: KeybagProof) throws(StoreError) -> ClassKeySet {
    guard record.isBound else { throw .passcodeNotBound }
    switch proof {
    case .passcode(let stretched):
      guard let keys = try record.passcodeKeys(stretched, device) else { throw .passcodeDoesNotOpen }
      return keys
    case .recoveryKey(let text):
      guard record.hasRecoveryKey else { throw .noRecoveryKey }
      guard let recovery = try RecoveryKey(text: text),
        let keys = try record.recoveredKeys(recovery.secret, device)
      else { throw .recoveryKeyWrong }
      return keys
    }
  }

  /// Wraps the keys behind a passcode, with new `whenPasscodeSet` keys where those are gone.
  private func rewrap(
    _ keys: ClassKeySet, _ passcode: StretchedPasscode, _ record: inout KeybagRecord
  ) throws(StoreError) -> ClassKeySet {
    var all = keys
    if !all.classes.contains(.whenPasscodeSet) { all = try all.merging(.random([.whenPasscodeSet])) }
    record.stretching = passcode.parameters
    record.passcodeChanged = false
    record.akpuDestroyed = false
    try record.wrap(record.deviceKeys(device).merging(all), device, passcode)
    try record.extendRecovery(all)
    return all
  }

  /// The caller's keys of the classes behind the passcode, each compared with the record.
  private static func current(_ source: any ClassKeySource, _ record: KeybagRecord) throws(StoreError) -> ClassKeySet {
    let keys = CallKeys(source, record)
    var current: [ClassKeyName: SecretBytes] = [:]
    for (name, entry) in record.entries where name.protection != .always && !entry.wrapped.isEmpty {
      current[name] = try keys.current(name.protection, name.use)
    }
    return ClassKeySet(current)
  }
}

/// What a keybag says of itself without any key.
public struct KeybagSummary: Sendable {
  /// How the passcode is stretched; `nil` while unbound.
  public let stretching: StretchingParameters?
  /// Whether a recovery key exists.
  public let hasRecoveryKey: Bool
  /// Whether the keys of `whenPasscodeSet` were destroyed.
  public let akpuDestroyed: Bool

  init(stretching: StretchingParameters?, hasRecoveryKey: Bool, _ akpuDestroyed: Bool) {
    self.stretching = stretching
    self.hasRecoveryKey = hasRecoveryKey
    self.akpuDestroyed = akpuDestroyed
  }
}
