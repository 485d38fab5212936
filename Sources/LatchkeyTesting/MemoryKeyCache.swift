// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What only implements a port is documented where the port is declared, in KeychainService/Ports.

internal import AccessPolicy
public import KeychainModel
public import KeychainService
public import SecretMemory
internal import Synchronization

/// A key cache in memory whose timeouts follow a clock of the test's.
public final class MemoryKeyCache: KeyCaching {
  private struct State {
    var classKeys = ClassKeys()
    var items: [ItemIdentifier: (key: SecretBytes, service: ExactText, until: UInt64)] = [:]
    var proofs: [ProofMark: (service: ExactText, until: UInt64)] = [:]
    var nextMark: UInt64 = 1
    var unlock: (keys: ClassKeys, set: [UInt8], until: UInt64)?
  }

  public let availability: CacheAvailability
  private let clock: any ServiceClock
  private let state = Mutex(State())

  /// A cache that works, or one that says why it is off.
  public init(clock: any ServiceClock, availability: CacheAvailability = .on) {
    self.clock = clock
    self.availability = availability
  }

  public func keep(_ keys: ClassKeys) -> CacheAvailability {
    if availability == .on { state.withLock { $0.classKeys = keys } }
    return availability
  }

  public func classKey(for protection: ProtectionClass, use: ClassKeyUse) -> SecretBytes? {
    state.withLock { $0.classKeys[protection, use] }
  }

  public func keepItemKey(_ key: SecretBytes, for item: ItemIdentifier, service: ExactText, seconds: UInt32) {
    guard availability == .on, seconds > 0 else { return }
    let until = clock.now.adding(seconds: seconds).nanoseconds
    state.withLock { $0.items[item] = (key, service, until) }
  }

  public func itemKey(for item: ItemIdentifier) -> SecretBytes? {
    let now = clock.now.nanoseconds
    return state.withLock { state in
      guard let entry = state.items[item], entry.until > now else { return nil }
      return entry.key
    }
  }

  public func keepBiometricUnlock(_ keys: ClassKeys, for set: [UInt8], seconds: UInt32) {
    guard availability == .on, seconds > 0 else { return }
    let until = clock.now.adding(seconds: seconds).nanoseconds
    state.withLock { $0.unlock = (keys, set, until) }
  }

  public func biometricUnlock(for set: [UInt8]) -> ClassKeys? {
    let now = clock.now.nanoseconds
    return state.withLock { state in
      guard let unlock = state.unlock, unlock.set == set, unlock.until > now else { return nil }
      return unlock.keys
    }
  }

  public func forgetItemKey(for item: ItemIdentifier) { state.withLock { $0.items[item] = nil } }

  public func keepProof(service: ExactText, seconds: UInt32) -> ProofMark? {
    guard availability == .on, seconds > 0 else { return nil }
    let until = clock.now.adding(seconds: seconds).nanoseconds
    return state.withLock { state in
      let mark = ProofMark(value: state.nextMark)
      state.nextMark += 1
      state.proofs[mark] = (service, until)
      return mark
    }
  }

  public func stands(_ mark: ProofMark) -> ProofStanding {
    let now = clock.now.nanoseconds
    return state.withLock { ($0.proofs[mark]?.until ?? 0) > now ? .alive : .ended }
  }

  public func revoke(_ scope: RevocationScope) {
    state.withLock { state in
      var kept = ClassKeys()
      var spared: Set<ExactText> = []
      if case .locked(let sparing) = scope {
        spared = sparing
        for use in ClassKeyUse.allCases {
          kept[.always, use] = state.classKeys[.always, use]
          kept[.afterFirstUnlock, use] = state.classKeys[.afterFirstUnlock, use]
        }
      }
      if scope == .everyClass { state.unlock = nil }
      state.classKeys = kept
      state.items = state.items.filter { spared.contains($0.value.service) }
      state.proofs = state.proofs.filter { spared.contains($0.value.service) }
    }
  }

  public func entries() -> [CachedEntry] {
    let now = clock.now
    return state.withLock { state in
      state.proofs.values.filter { $0.until > now.nanoseconds }.map {
        CachedEntry(
          kind: "proof", subject: $0.service.string,
          secondsLeft: UInt32(clamping: ($0.until - now.nanoseconds) / 1_000_000_000))
      }
    }
  }
}
