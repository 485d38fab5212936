internal import ItemStore
internal import KeychainModel
internal import KeychainService
internal import SecretMemory

extension UserStore {
  func keybagRecord() throws(Refusal) -> KeybagRecord {
    let summary = store.keybagSummary
    guard let parameters = summary.stretching else { return .unbound }
    let recovery: RecoveryKeyState = summary.hasRecoveryKey ? .made : .absent
    return summary.akpuDestroyed
      ? .akpuDestroyed(parameters, recovery: recovery) : .bound(parameters, recovery: recovery)
  }

  func newStretching() throws(Refusal) -> StretchingParameters {
    let bounds = (StretchingParameters.operationsBounds, StretchingParameters.memoryBounds)
    let salt = StretchingParameters.fresh().salt
    do throws(StretchingParameterError) {
      return switch strength {
      case .interactive:
        try StretchingParameters(salt: salt, operations: bounds.0.lowerBound, memoryBytes: bounds.1.lowerBound)
      case .moderate:
        try StretchingParameters(salt: salt, operations: bounds.0.upperBound, memoryBytes: bounds.1.upperBound)
      }
    } catch {
      throw Refusal(.internalFailure, detail: "the parameters of the passcode")
    }
  }

  func bind(stretched: SecretBytes, parameters: StretchingParameters) throws(Refusal) -> ClassKeys {
    let keys = try call { store throws(StoreError) in
      try store.bind(StretchedPasscode(key: stretched, parameters: parameters))
    }
    try renewDeviceKeys()
    return keys.port
  }

  func unlock(stretched: SecretBytes) throws(Refusal) -> ClassKeys {
    try call { store throws(StoreError) in try store.unlock(stretched) }.port
  }

  func rebind(
    oldStretched: SecretBytes, newStretched: SecretBytes, parameters: StretchingParameters
  ) throws(Refusal) -> ClassKeys {
    try rebind(.passcode(oldStretched), StretchedPasscode(key: newStretched, parameters: parameters))
  }

  func recover(
    recoveryKey: SecretBytes, newStretched: SecretBytes, parameters: StretchingParameters
  ) throws(Refusal) -> ClassKeys {
    try rebind(.recoveryKey(recoveryKey), StretchedPasscode(key: newStretched, parameters: parameters))
  }

  private func rebind(_ proof: KeybagProof, _ passcode: StretchedPasscode) throws(Refusal) -> ClassKeys {
    try call { store throws(StoreError) in try store.rebind(from: proof, to: passcode) }.port
  }

  func checkRecoveryKey(_ recoveryKey: SecretBytes) throws(Refusal) {
    try call { store throws(StoreError) in try store.checkRecoveryKey(recoveryKey) }
  }

  func makeRecoveryKey(_ keys: ClassKeys) throws(Refusal) -> SecretBytes {
    try call { store throws(StoreError) in try store.makeRecoveryKey(keys: HeldStoreKeys(keys: keys)) }
  }

  func destroyPasscodeSetKeys() throws(Refusal) {
    try call { store throws(StoreError) in try store.destroyAkpu() }
  }

  func tally() throws(Refusal) -> KeychainService.PasscodeTally {
    try call { store throws(StoreError) in try store.tally(at: clockReading) }.port
  }

  func countMiss() throws(Refusal) -> KeychainService.PasscodeTally {
    try call { store throws(StoreError) in try store.recordMiss(at: clockReading) }.port
  }

  func clearMisses() throws(Refusal) {
    try call { store throws(StoreError) in try store.resetTally() }
  }

  func biometryMisses() throws(Refusal) -> UInt32 {
    try call { store throws(StoreError) in try store.biometryMisses() }
  }

  func countBiometryMiss() throws(Refusal) -> UInt32 {
    try call { store throws(StoreError) in try store.recordBiometryMiss() }
  }

  func clearBiometryMisses() throws(Refusal) {
    try call { store throws(StoreError) in try store.resetBiometryTally() }
  }

  func passcodeChange() throws(Refusal) -> PasscodeChange {
    store.keybagState(holding: []) == .passcodeChanged ? .seen : .none
  }

  func notePasscodeChange() throws(Refusal) {
    try call { store throws(StoreError) in try store.notePasscodeChanged() }
  }
}

extension StorePasscodeTally {
  var port: KeychainService.PasscodeTally {
    KeychainService.PasscodeTally(misses: misses, retryAfterSeconds: retryAfterSeconds)
  }
}
