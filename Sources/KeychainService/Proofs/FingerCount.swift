internal import AccessPolicy
internal import KeychainModel
internal import SecretMemory
internal import Synchronization

/// Takes the fingers of one dialogue: keeps the tally, and opens a locked keybag with what an earlier passcode left for them.
final class FingerCount: FingerReceiving {
  private let keychain: UserKeychain
  private let keys: RequestKeys
  /// The fingers the dialogue began with.
  private let set: [UInt8]?
  /// How many full locks there had been when it began.
  private let begun: UInt64
  /// Whether the dialogue may open the keybag by a finger: where it only shows that somebody is there, it stays locked.
  private let purpose: Purpose
  /// Misses that the policy still lets this dialogue have.
  private let left: Mutex<UInt8>

  /// What a finger is wanted for.
  enum Purpose { case presence, keybagToo }

  init(
    _ keychain: UserKeychain, keys: RequestKeys, set: [UInt8]?, for requirement: Requirement,
    since begun: UInt64
  ) {
    self.keychain = keychain
    self.keys = keys
    self.set = set
    self.begun = begun
    purpose = requirement.unlocksKeybag ? .keybagToo : .presence
    left = Mutex(max(requirement.tries, 1))
  }

  func standing() -> MissVerdict {
    do throws(Refusal) {
      try keychain.requireBiometryUnlocked()
      return .goOn
    } catch { return .stop(error) }
  }

  /// A keybag that meanwhile needs the passcode stays locked: the request is judged anew and asks for it. Fingers enrolled since
  /// the dialogue began may be what matched: that opens nothing here, and the proof is of no use for the set of now.
  func matched() -> MatchVerdict {
    do throws(Refusal) {
      try keychain.requireBiometryUnlocked()
      let fingers = keychain.ports.enrolment.currentSet(of: keychain.account)
      guard fingers.hash == set else { return .accepted }
      try keychain.store.clearBiometryMisses()
      if purpose == .keybagToo, try keychain.keybagState(keys) == .locked,
        let opened = keychain.biometricUnlock(fingers)
      {
        try keychain.fullLocks.unlessLocked(since: begun) { keys.take(opened) }
        keychain.changes.advance()
      }
      return .accepted
    } catch { return .refused(error) }
  }

  func missed() -> MissVerdict {
    do throws(Refusal) {
      guard try keychain.store.countBiometryMiss() < BiometryLockout.limit else { throw Refusal(.biometryLockout) }
      let remaining = left.withLock { left in
        left -= 1
        return left
      }
      return remaining > 0 ? .goOn : .stop(Refusal(.noMatch))
    } catch { return .stop(error) }
  }
}

extension UserKeychain {
  /// How long after a passcode proof fingers open the keybag again: 48 hours.
  static var biometricUnlockSeconds: UInt32 { 172_800 }

  /// Refuses where too many fingers in a row did not match.
  ///
  /// - Throws: ``Refusal``: `biometryLockout`, why the tally cannot be read.
  func requireBiometryUnlocked() throws(Refusal) {
    guard try store.biometryMisses() < BiometryLockout.limit else { throw Refusal(.biometryLockout) }
  }

  /// What `status` says of fingers that did not match; `nil` where the last one did.
  func fingerNote() throws(Refusal) -> String? {
    let misses = try store.biometryMisses()
    if misses == 0 { return nil }
    let limit = BiometryLockout.limit
    guard misses >= limit else { return "biometry: \(misses) in a row did not match; \(limit) lock it" }
    return "biometry: locked, \(limit) in a row did not match; the passcode ends that"
  }

  /// Leaves for these fingers what a passcode opened, where their set is known.
  func keep(_ classKeys: ClassKeys, forFingers fingers: EnrolmentState) {
    guard let set = fingers.setHash else { return }
    let name = biometricName(set)
    ports.cache.keepBiometricUnlock(classKeys, for: name, seconds: Self.biometricUnlockSeconds)
  }

  /// What a passcode left for these fingers; `nil` where that has ended, and where their set is not
  /// known.
  func biometricUnlock(_ fingers: EnrolmentState) -> ClassKeys? {
    guard let set = fingers.setHash else { return nil }
    return ports.cache.biometricUnlock(for: biometricName(set))
  }

  /// What the entry is kept under: these fingers, and the passcode of this time. Once either is another one it is not found.
  private func biometricName(_ set: [UInt8]) -> [UInt8] {
    Digest.sha256(Array("biometric unlock".utf8) + set + ports.authenticator.passcodeMark(account: account))
  }
}
