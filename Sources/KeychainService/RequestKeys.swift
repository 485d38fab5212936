internal import KeychainModel
internal import SecretMemory
internal import Synchronization

/// The class keys within reach of one request: those of the device, those a proof opened just now, those in the cache.
///
/// Where the cache is off, what a proof opened lives here and ends with the request.
final class RequestKeys: ClassKeySource {
  private let store: any KeybagStoring
  private let cache: any KeyCaching
  private let held = Mutex(ClassKeys())

  init(store: any KeybagStoring, cache: any KeyCaching) {
    self.store = store
    self.cache = cache
  }

  func key(for protection: ProtectionClass, use: ClassKeyUse) -> SecretBytes? {
    if let own = store.deviceKey(for: protection, use: use) { return own }
    if let opened = held.withLock({ $0[protection, use] }) { return opened }
    guard let cached = cache.classKey(for: protection, use: use) else { return nil }
    held.withLock { $0[protection, use] = cached }
    return cached
  }

  /// Whether a key is within reach, without fetching it.
  func standing(of protection: ProtectionClass, use: ClassKeyUse) -> ClassKeyStanding {
    if store.deviceKey(for: protection, use: use) != nil || held.withLock({ $0[protection, use] != nil }) {
      return .kept
    }
    return cache.standing(of: protection, use: use)
  }

  /// Takes what a proof opened, for this request and, where it can be kept, for later ones.
  func take(_ keys: ClassKeys) {
    held.withLock { $0 = keys }
    _ = cache.keep(keys)
  }

  /// Every key within reach.
  var all: ClassKeys {
    var gathered = ClassKeys()
    for protection in ProtectionClass.allCases {
      for use in ClassKeyUse.allCases { gathered[protection, use] = key(for: protection, use: use) }
    }
    return gathered
  }
}

extension UserKeychain {
  /// The keybag's state as this request sees it.
  func keybagState(_ keys: RequestKeys) throws(Refusal) -> KeybagState {
    switch try store.keybagRecord() {
    case .none: return .none
    case .unbound: return .unbound
    case .damaged: return .damaged
    case .akpuDestroyed: return .akpuDestroyed
    case .bound:
      if keys.standing(of: .whenUnlocked, use: .values) == .kept { return .unlocked }
      if try passcodeChange() == .seen { return .passcodeChanged }
      return keys.standing(of: .afterFirstUnlock, use: .values) == .ended ? .beforeFirstUnlock : .locked
    }
  }

  private func passcodeChange() throws(Refusal) -> PasscodeChange {
    let unsaved = unsavedPasscodeChange.withLock { $0 }
    return unsaved == .seen ? unsaved : try store.passcodeChange()
  }

  /// Why an item of a class cannot be reached in this state.
  func lockedReason(_ protection: ProtectionClass, _ state: KeybagState) -> Reason {
    switch state {
    case .none, .unbound: protection == .whenPasscodeSet ? .passcodeNotBound : .internalFailure
    case .beforeFirstUnlock: .beforeFirstUnlock
    case .passcodeChanged, .akpuDestroyed: .passcodeChanged
    case .damaged: .storeDamaged
    case .locked, .unlocked: .keybagLocked
    }
  }

  /// Refuses in time, with the reason of this state, what needs a class that is locked.
  func requireClass(_ protection: ProtectionClass, _ keys: RequestKeys) throws(Refusal) {
    let state = try keybagState(keys)
    if protection == .whenPasscodeSet, state == .none || state == .unbound { throw Refusal(.passcodeNotBound) }
    guard state != .none, keys.key(for: protection, use: .values) == nil else { return }
    throw Refusal(lockedReason(protection, state))
  }
}
