internal import KeychainModel
internal import SecretMemory
internal import Synchronization

/// Takes the passcode's key in the middle of a dialogue: binds, opens or mends the keybag with it, and keeps the tally.
///
/// A passcode counts only if PAM took it and it opens the keybag (design promise 1).
final class KeybagOpening: PasscodeKeyReceiving {
  /// How the keybag is opened.
  enum Way: Sendable {
    /// With the passcode.
    case passcode
    /// With the recovery key; the passcode becomes the new one.
    case recoveryKey(SecretBytes)
  }

  private let parameters: Mutex<StretchingParameters>
  private let keychain: UserKeychain
  private let keys: RequestKeys
  private let channel: any PromptChannel
  private let way: Way
  /// How many full locks there had been when the dialogue began.
  private let begun: UInt64
  private let newest = Mutex<SecretBytes?>(nil)

  init(
    _ keychain: UserKeychain, keys: RequestKeys, channel: any PromptChannel, way: Way = .passcode,
    since begun: UInt64
  ) throws(Refusal) {
    self.keychain = keychain
    self.keys = keys
    self.channel = channel
    self.way = way
    self.begun = begun
    let record = try keychain.store.keybagRecord()
    guard record != .damaged else { throw Refusal(.storeDamaged) }
    if let bound = record.stretching {
      parameters = Mutex(bound)
    } else {
      parameters = Mutex(try keychain.store.newStretching())
    }
  }

  var stretching: StretchingParameters? { parameters.withLock { $0 } }

  func passcodeProved(stretched: SecretBytes?) -> PasscodeKeyVerdict {
    verdict { () throws(Refusal) in
      let parameters = self.parameters.withLock { $0 }
      let record = try keychain.store.keybagRecord()
      guard let stretched else {
        // A stack that asks more than one question shows presence, but no single answer to wrap keys with.
        guard record == .none || record == .unbound else {
          throw Refusal(
            .conversationRefused, detail: "the stack asks more than one question and cannot open the keybag")
        }
        return .accepted
      }
      if case .recoveryKey(let recoveryKey) = way {
        try renewed(
          try keychain.store.recover(recoveryKey: recoveryKey, newStretched: stretched, parameters: parameters))
        return .accepted
      }
      return try open(record, with: stretched, parameters)
    }
  }

  private func open(
    _ record: KeybagRecord, with stretched: SecretBytes, _ parameters: StretchingParameters
  ) throws(Refusal) -> PasscodeKeyVerdict {
    guard let bound = record.stretching else { return try bind(stretched, parameters) }
    guard bound == parameters else { return stretchAgain(bound) }
    let classKeys: ClassKeys
    do throws(Refusal) {
      classKeys = try keychain.store.unlock(stretched: stretched)
    } catch {
      guard error.reason == .passcodeChanged else { throw error }
      keychain.unsavedPasscodeChange.withLock { unsaved in
        unsaved = (try? keychain.store.notePasscodeChange()) == nil ? .seen : .none
      }
      newest.withLock { $0 = stretched }
      return .askOldPasscode(parameters)
    }
    try opened(classKeys)
    return .accepted
  }

  private func bind(
    _ stretched: SecretBytes, _ parameters: StretchingParameters
  ) throws(Refusal) -> PasscodeKeyVerdict {
    let classKeys: ClassKeys
    do throws(Refusal) {
      classKeys = try keychain.store.bind(stretched: stretched, parameters: parameters)
    } catch {
      guard let bound = try keychain.store.keybagRecord().stretching else { throw error }
      return stretchAgain(bound)
    }
    try renewed(classKeys)
    channel.notify(
      Notice(
        kind: .bound,
        text: "The keychain is now bound to this passcode: plain items need one unlock after each boot."))
    return .accepted
  }

  /// Another prompt bound the keybag while this one was up, with a salt of its own: this key says nothing of the passcode.
  private func stretchAgain(_ bound: StretchingParameters) -> PasscodeKeyVerdict {
    parameters.withLock { $0 = bound }
    return .stretchAgain(bound)
  }

  func oldPasscode(stretched: SecretBytes) -> PasscodeKeyVerdict {
    verdict { () throws(Refusal) in
      guard let new = newest.withLock({ $0 }) else { throw Refusal(.internalFailure) }
      let parameters = self.parameters.withLock { $0 }
      let classKeys: ClassKeys
      do throws(Refusal) {
        classKeys = try keychain.store.rebind(oldStretched: stretched, newStretched: new, parameters: parameters)
      } catch {
        throw error.reason == .passcodeChanged ? countGuess(error) : error
      }
      try renewed(classKeys)
      return .accepted
    }
  }

  /// A guess at the passcode from before is a wrong answer as any other, though PAM took the new one.
  private func countGuess(_ refusal: Refusal) -> Refusal {
    guard case .stop(let stop) = missed() else { return refusal }
    return Refusal(refusal.reason, detail: stop.detail)
  }

  func missed() -> MissVerdict {
    do throws(Refusal) {
      let tally = try keychain.store.countMiss()
      return tally.retryAfterSeconds == 0 ? .goOn : .stop(UserKeychain.refusal(for: tally))
    } catch {
      keychain.guesses.keepMiss()
      return .stop(error)
    }
  }

  /// After a binding nothing from before it opens anything; what is cached of it only takes room.
  private func renewed(_ classKeys: ClassKeys) throws(Refusal) {
    keychain.ports.cache.revoke(.everyClass)
    try opened(classKeys)
  }

  private func opened(_ classKeys: ClassKeys) throws(Refusal) {
    let fingers = keychain.ports.enrolment.currentSet(of: keychain.account)
    try keychain.fullLocks.unlessLocked(since: begun) {
      keys.take(classKeys)
      keychain.keep(classKeys, forFingers: fingers)
    }
    keychain.unsavedPasscodeChange.withLock { $0 = .none }
    keychain.changes.advance()
  }

  private func verdict(_ body: () throws(Refusal) -> PasscodeKeyVerdict) -> PasscodeKeyVerdict {
    do throws(Refusal) {
      let verdict = try body()
      // At once, because the same dialogue may ask for a finger next.
      if case .accepted = verdict { try keychain.store.clearBiometryMisses() }
      return verdict
    } catch {
      return .refused(error)
    }
  }
}

extension UserKeychain {
  /// Why no answer is taken now.
  static func refusal(for tally: PasscodeTally) -> Refusal {
    Refusal(
      .tooManyAttempts, detail: "\(tally.misses) wrong in a row; the next is taken in \(tally.retryAfterSeconds) s")
  }
}
