import KeychainModel
import KeychainService
import LatchkeyTesting
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import latchkeyd

@Suite struct RegistryTests {
  private func registry(_ locked: Counter, opening: @escaping @Sendable (UInt32) -> Void = { _ in }) -> KeychainRegistry
  {
    KeychainRegistry(
      naming: { uid throws(Refusal) in "user\(uid)" },
      opening: { account throws(Refusal) in
        opening(account.uid)
        let keychain = ScriptedKeychain(
          body: { _ in Answer(.done(count: 0)) }, locked: locked, changes: ChangeCounter())
        return ServedUser(account: account, keychain: keychain, cache: MemoryKeyCache(clock: TestClock()))
      })
  }

  @Test func `no lock passes a user over whose requests come in at the same time`() throws {
    let locked = Counter()
    let registry = registry(locked)
    _ = try registry.user(7)
    let ended = Counter()
    let over = Counter()
    for _ in 0..<3 {
      try Threads.start {
        while over.value == 0 { _ = try? registry.user(7) }
        ended.add()
      }
    }
    let rounds = 50_000
    for _ in 0..<rounds { registry.lockAll(.everything) }
    over.add()
    #expect(locked.value == rounds)
    #expect(eventually { ended.value == 3 })
  }

  @Test func `a lock does not wait for a keychain that is being opened`() throws {
    let locked = Counter()
    let opening = Counter()
    let go = Counter()
    let registry = registry(locked) { uid in
      guard uid == 8 else { return }
      opening.add()
      _ = eventually { go.value == 1 }
    }
    _ = try registry.user(7)
    let opened = Counter()
    try Threads.start {
      _ = try? registry.user(8)
      opened.add()
    }
    #expect(eventually { opening.value == 1 })
    registry.lockAll(.everything)
    #expect(locked.value == 1 && opened.value == 0)
    go.add()
    #expect(eventually { opened.value == 1 })
    registry.lockAll(.everything)
    #expect(locked.value == 3)
  }
}
