import AccessPolicy
import KernelKeyring
import KeychainModel
import KeychainService
import LatchkeyTesting
import SecretMemory
import Synchronization
import Testing

@testable import latchkeyd

// Keyrings belong to the thread: each test joins on its own and never waits in between.

@Suite struct KeyringCacheTests {
  /// A boot clock that goes on by hand.
  private final class HandClock: Sendable {
    private let now = Atomic<UInt64>(1_000_000_000_000)
    func advance(seconds: UInt64) { now.add(seconds * 1_000_000_000, ordering: .relaxed) }
    var read: @Sendable () -> UInt64 { { self.now.load(ordering: .relaxed) } }
  }

  private func cache(_ clock: HandClock = HandClock()) -> KeyringCache {
    KeyringCache(ring: KernelKeyring.join().makeRing(boottime: clock.read), clock: TestClock())
  }

  private func classKeys(_ classes: [ProtectionClass] = ProtectionClass.allCases) -> ClassKeys {
    var keys = ClassKeys()
    for protection in classes {
      for use in ClassKeyUse.allCases { keys[protection, use] = secret("\(protection) \(use)") }
    }
    return keys
  }

  @Test func `class keys come back, each under its own class and use`() {
    let cache = cache()
    #expect(cache.availability == .on)
    #expect(cache.keep(classKeys()) == .on)
    for protection in ProtectionClass.allCases where protection != .always {
      for use in ClassKeyUse.allCases {
        #expect(text(cache.classKey(for: protection, use: use)) == "\(protection) \(use)")
      }
    }
    #expect(cache.classKey(for: .always, use: .values) == nil)
    #expect(cache.keep(classKeys([.whenUnlocked])) == .on)
    #expect(cache.classKey(for: .afterFirstUnlock, use: .values) == nil)
  }

  @Test func `what a finger opens again survives a lock, serves its own fingers alone and ends with its time`() {
    let clock = HandClock()
    let cache = cache(clock)
    var keys = ClassKeys()
    keys[.whenUnlocked, .values] = secret(String(repeating: "v", count: 32))
    keys[.whenPasscodeSet, .metadata] = secret(String(repeating: "m", count: 32))
    cache.keepBiometricUnlock(keys, for: [1], seconds: 100)
    cache.revoke(.locked(sparing: []))
    let opened = cache.biometricUnlock(for: [1])
    #expect(text(opened?[.whenUnlocked, .values]) == String(repeating: "v", count: 32))
    #expect(text(opened?[.whenPasscodeSet, .metadata]) == String(repeating: "m", count: 32))
    #expect(opened?[.whenUnlocked, .metadata] == nil && opened?[.afterFirstUnlock, .values] == nil)
    #expect(cache.biometricUnlock(for: [2]) == nil, "other fingers")
    clock.advance(seconds: 99)
    #expect(cache.biometricUnlock(for: [1]) != nil)
    clock.advance(seconds: 1)
    #expect(cache.biometricUnlock(for: [1]) == nil)
    cache.keepBiometricUnlock(keys, for: [1], seconds: 100)
    cache.keepBiometricUnlock(keys, for: [2], seconds: 100)
    #expect(cache.biometricUnlock(for: [1]) == nil, "one set alone is kept")
    cache.revoke(.everyClass)
    #expect(cache.biometricUnlock(for: [2]) == nil)
  }

  @Test func `a lock ends proofs, item keys and the classes it locks, a full lock everything`() {
    let cache = cache()
    _ = cache.keep(classKeys())
    let item = ItemIdentifier.random()
    cache.keepItemKey(secret("key"), for: item, service: "mail", seconds: 60)
    let mark = cache.keepProof(service: "mail", seconds: 60)
    #expect(mark.map(cache.stands) == .alive)
    cache.revoke(.locked(sparing: []))
    #expect(mark.map(cache.stands) == .ended)
    #expect(cache.itemKey(for: item) == nil)
    for use in ClassKeyUse.allCases {
      #expect(cache.classKey(for: .whenUnlocked, use: use) == nil)
      #expect(cache.classKey(for: .whenPasscodeSet, use: use) == nil)
      #expect(cache.classKey(for: .afterFirstUnlock, use: use) != nil)
    }
    cache.revoke(.everyClass)
    for use in ClassKeyUse.allCases { #expect(cache.classKey(for: .afterFirstUnlock, use: use) == nil) }
    #expect(cache.entries().isEmpty)
  }

  @Test func `a lock leaves the proofs and item keys of the services it spares, and no class key for that`() {
    let cache = cache()
    _ = cache.keep(classKeys())
    let items = ["mail": ItemIdentifier.random(), "bank": .random()]
    for (service, item) in items {
      cache.keepItemKey(secret("key"), for: item, service: ExactText(service), seconds: 60)
    }
    let marks = items.mapValues { _ in ProofMark?.none }.merging(
      items.keys.map { ($0, cache.keepProof(service: ExactText($0), seconds: 60)) }, uniquingKeysWith: { $1 })
    cache.revoke(.locked(sparing: ["mail"]))
    #expect(items["mail"].map { cache.itemKey(for: $0) != nil } == true)
    #expect(marks["mail"].flatMap { $0 }.map(cache.stands) == .alive)
    #expect(items["bank"].map { cache.itemKey(for: $0) == nil } == true)
    #expect(marks["bank"].flatMap { $0 }.map(cache.stands) == .ended)
    #expect(cache.classKey(for: .whenUnlocked, use: .values) == nil)
    cache.revoke(.everyClass)
    #expect(cache.entries().isEmpty)
  }

  @Test func `item keys and proofs live as long as they were given, and 0 seconds keeps nothing`() {
    let clock = HandClock()
    let cache = cache(clock)
    let item = ItemIdentifier.random()
    cache.keepItemKey(secret("key"), for: item, service: "mail", seconds: 0)
    #expect(cache.itemKey(for: item) == nil)
    #expect(cache.keepProof(service: "mail", seconds: 0) == nil)
    cache.keepItemKey(secret("key"), for: item, service: "mail", seconds: 30)
    let mark = cache.keepProof(service: "mail", seconds: 30)
    clock.advance(seconds: 29)
    #expect(text(cache.itemKey(for: item)) == "key")
    #expect(mark.map(cache.stands) == .alive)
    clock.advance(seconds: 1)
    #expect(cache.itemKey(for: item) == nil)
    #expect(mark.map(cache.stands) == .ended)
  }

  @Test func `a forgotten item key is gone and others stay`() {
    let cache = cache()
    let items = (0..<2).map { _ in ItemIdentifier.random() }
    for item in items { cache.keepItemKey(secret("key"), for: item, service: "mail", seconds: 60) }
    cache.forgetItemKey(for: items[0])
    #expect(cache.itemKey(for: items[0]) == nil)
    #expect(cache.itemKey(for: items[1]) != nil)
  }

  @Test(arguments: [15, 16, 17])
  func `sixteen item keys are kept, and one more takes the oldest's place`(count: Int) {
    let cache = cache()
    let items = (0..<count).map { _ in ItemIdentifier.random() }
    for item in items { cache.keepItemKey(secret("key"), for: item, service: "mail", seconds: 60) }
    #expect(items.filter { cache.itemKey(for: $0) != nil } == Array(items.suffix(16)))
  }

  @Test(arguments: [6, 7, 8])
  func `seven proofs are kept, and one more takes the oldest's place`(count: Int) {
    let cache = cache()
    let marks = (0..<count).compactMap { _ in cache.keepProof(service: "mail", seconds: 60) }
    #expect(marks.count == count && Set(marks).count == count)
    #expect(marks.filter { cache.stands($0) == .alive } == Array(marks.suffix(7)))
  }

  @Test func `a key stands until its deadline, a look in the second half of its life renews it, and a lock ends it`() {
    let clock = HandClock()
    let cache = cache(clock)
    #expect(cache.standing(of: .whenUnlocked, use: .values) == .ended)
    _ = cache.keep(classKeys())
    for _ in 0..<2 {
      clock.advance(seconds: UInt64(SlotRing.maximumSeconds / 2) + 1)
      #expect(cache.standing(of: .whenUnlocked, use: .values) == .kept)
    }
    #expect(cache.standing(of: .afterFirstUnlock, use: .values) == .ended)
    cache.revoke(.locked(sparing: []))
    #expect(cache.standing(of: .whenUnlocked, use: .values) == .ended)
    #expect(cache.standing(of: .always, use: .values) == .ended)
  }

  @Test func `a class in use keeps its keys, one that is not ends after two days`() {
    let clock = HandClock()
    let cache = cache(clock)
    _ = cache.keep(classKeys())
    clock.advance(seconds: 100_000)
    #expect(cache.classKey(for: .afterFirstUnlock, use: .values) != nil)
    clock.advance(seconds: 100_000)
    #expect(cache.classKey(for: .afterFirstUnlock, use: .values) != nil)
    #expect(cache.classKey(for: .whenUnlocked, use: .values) == nil)
  }

  @Test func `what is cached is told by class, service and seconds, and never by a secret`() {
    let clock = HandClock()
    let cache = cache(clock)
    _ = cache.keep(classKeys([.whenUnlocked, .afterFirstUnlock]))
    cache.keepItemKey(secret("key"), for: .random(), service: "mail", seconds: 60)
    _ = cache.keepProof(service: "bank", seconds: 30)
    clock.advance(seconds: 10)
    let entries = cache.entries()
    #expect(entries.contains(CachedEntry(kind: "item", subject: "mail", secondsLeft: 50)))
    #expect(entries.contains(CachedEntry(kind: "proof", subject: "bank", secondsLeft: 20)))
    #expect(entries.filter { $0.kind == "class ak" }.map(\.subject).sorted() == ["metadata", "values"])
    #expect(entries.filter { $0.kind == "class ck" }.count == 2)
    #expect(entries.count == 6)
  }

  @Test func `where the kernel refuses, nothing is kept and the reason is told`() {
    let keyring = KernelKeyring.refusing(.add)
    let cache = KeyringCache(ring: keyring.makeRing(boottime: HandClock().read), clock: TestClock())
    let off = CacheAvailability.off("the kernel refuses to add key: EPERM")
    #expect(cache.availability == off)
    #expect(cache.keep(classKeys()) == off)
    let item = ItemIdentifier.random()
    cache.keepItemKey(secret("key"), for: item, service: "mail", seconds: 60)
    #expect(cache.itemKey(for: item) == nil)
    #expect(cache.keepProof(service: "mail", seconds: 60) == nil)
    #expect(cache.classKey(for: .whenUnlocked, use: .values) == nil)
    #expect(cache.entries().isEmpty)
    cache.revoke(.everyClass)
  }
}
