// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What only implements a port is documented where the port is declared, in KeychainService/Ports.

public import KeychainModel
public import KeychainService
public import SecretMemory
internal import Synchronization

/// The keybag of a ``MemoryStore``.
struct MemoryKeybag {
  var record = KeybagRecord.none
  var classKeys = ClassKeys()
  var passcode: SecretBytes?
  var recoveryKey: SecretBytes?
  var passcodeChange = PasscodeChange.none
}

extension MemoryStore {
  /// Wrong answers in a row before the tally closes, and for how long.
  public static var missesBeforeDelay: UInt32 { 5 }

  public func keybagRecord() throws(Refusal) -> KeybagRecord { contents.withLock { $0.keybag.record } }

  public func deviceKey(for protection: ProtectionClass, use: ClassKeyUse) -> SecretBytes? {
    let record = contents.withLock { $0.keybag.record }
    let isUnbound = record == .none || record == .unbound
    guard protection == .always || (isUnbound && protection != .whenPasscodeSet) else { return nil }
    return contents.withLock { contents in
      if contents.keybag.classKeys[protection, use] == nil {
        contents.keybag.classKeys[protection, use] = try? SecretBytes.random(count: 32)
      }
      return contents.keybag.classKeys[protection, use]
    }
  }

  public func newStretching() throws(Refusal) -> StretchingParameters { .fresh() }

  public func bind(stretched: SecretBytes, parameters: StretchingParameters) throws(Refusal) -> ClassKeys {
    var made = ClassKeys()
    for protection in ProtectionClass.allCases {
      for use in ClassKeyUse.allCases { made[protection, use] = try? SecretBytes.random(count: 32) }
    }
    let keys = made
    return try contents.withLock { contents throws(Refusal) in
      guard contents.keybag.record.stretching == nil else {
        throw Refusal(.internalFailure, detail: "the keybag is bound already")
      }
      contents.keybag = MemoryKeybag(
        record: .bound(parameters, recovery: .absent), classKeys: keys, passcode: stretched)
      return keys
    }
  }

  public func unlock(stretched: SecretBytes) throws(Refusal) -> ClassKeys {
    let keys = contents.withLock { $0.keybag.passcode?.equals(stretched) == true ? $0.keybag.classKeys : nil }
    guard let keys else { throw Refusal(.passcodeChanged) }
    contents.withLock { $0.keybag.passcodeChange = .none }
    return keys
  }

  public func rebind(
    oldStretched: SecretBytes, newStretched: SecretBytes, parameters: StretchingParameters
  ) throws(Refusal) -> ClassKeys {
    let keys = try unlock(stretched: oldStretched)
    contents.withLock { $0.keybag.passcode = newStretched }
    return keys
  }

  public func checkRecoveryKey(_ recoveryKey: SecretBytes) throws(Refusal) {
    guard let made = contents.withLock({ $0.keybag.recoveryKey }) else { throw Refusal(.noRecoveryKey) }
    guard made.equals(recoveryKey) else { throw Refusal(.recoveryKeyWrong) }
  }

  public func recover(
    recoveryKey: SecretBytes, newStretched: SecretBytes, parameters: StretchingParameters
  ) throws(Refusal) -> ClassKeys {
    let bag = contents.withLock { $0.keybag }
    guard let made = bag.recoveryKey else { throw Refusal(.noRecoveryKey) }
    guard made.equals(recoveryKey) else { throw Refusal(.recoveryKeyWrong) }
    contents.withLock { contents in
      contents.keybag.passcode = newStretched
      contents.keybag.passcodeChange = .none
    }
    return bag.classKeys
  }

  public func makeRecoveryKey(_ keys: ClassKeys) throws(Refusal) -> SecretBytes {
    guard case .bound(let parameters, _) = try keybagRecord(), let made = try? SecretBytes.random(count: 20) else {
      throw Refusal(.passcodeNotBound)
    }
    contents.withLock { contents in
      contents.keybag.recoveryKey = made
      contents.keybag.record = .bound(parameters, recovery: .made)
    }
    return made
  }

  public func destroyPasscodeSetKeys() throws(Refusal) {
    guard case .bound(let parameters, let recovery) = try keybagRecord() else { return }
    contents.withLock { contents in
      contents.keybag.record = .akpuDestroyed(parameters, recovery: recovery)
      for use in ClassKeyUse.allCases { contents.keybag.classKeys[.whenPasscodeSet, use] = nil }
      for place in contents.items.indices
      where contents.items[place].accessControl.accessibility.protectionClass == .whenPasscodeSet {
        contents.items[place].dead = .passcodeRemoved
        contents.items[place].value = nil
      }
    }
  }

  public func tally() throws(Refusal) -> PasscodeTally { contents.withLock { $0.tally } }

  public func biometryMisses() throws(Refusal) -> UInt32 { contents.withLock { $0.biometryMisses } }

  public func countBiometryMiss() throws(Refusal) -> UInt32 {
    contents.withLock { contents in
      contents.biometryMisses += 1
      return contents.biometryMisses
    }
  }

  public func clearBiometryMisses() throws(Refusal) { contents.withLock { $0.biometryMisses = 0 } }

  public func countMiss() throws(Refusal) -> PasscodeTally {
    try contents.withLock { (contents) throws(Refusal) in
      if let reason = contents.missRefusal { throw Refusal(reason) }
      contents.tally.misses += 1
      if contents.tally.misses >= Self.missesBeforeDelay { contents.tally.retryAfterSeconds = 60 }
      return contents.tally
    }
  }

  /// Lets no further miss be counted, as on a full disk; `nil` lets them be counted again.
  public func refuseMisses(with reason: Reason?) { contents.withLock { $0.missRefusal = reason } }

  /// Lets the wait after too many misses be over.
  public func endWait() { contents.withLock { $0.tally.retryAfterSeconds = 0 } }

  public func passcodeChange() throws(Refusal) -> PasscodeChange { contents.withLock { $0.keybag.passcodeChange } }

  public func notePasscodeChange() throws(Refusal) { contents.withLock { $0.keybag.passcodeChange = .seen } }

  public func clearMisses() throws(Refusal) {
    contents.withLock { $0.tally = PasscodeTally(misses: 0, retryAfterSeconds: 0) }
  }
}
