import LinuxSystem
import Synchronization
import Testing

@Suite struct BriefLockTests {
  /// A lock that threads share.
  private final class Shared: Sendable {
    let lock = BriefLock(0)
    let isTaken = Atomic(false)
    let turns = Atomic(0)
    let ended = Atomic(0)
  }

  @Test func `one thread at a time has the turn`() throws {
    let shared = Shared()
    for _ in 0..<4 {
      try Threads.start {
        for _ in 0..<20_000 { shared.lock.withLock { $0 += 1 } }
        shared.ended.add(1, ordering: .releasing)
      }
    }
    while shared.ended.load(ordering: .acquiring) < 4 { _ = try? Poll.wait([], timeoutMilliseconds: 1) }
    #expect(shared.lock.withLock { $0 } == 80_000)
  }

  @Test func `a turn that is taken is not waited for where that is not wanted`() {
    let lock = BriefLock("value")
    #expect(lock.withLockIfAvailable { $0 } == "value")
    lock.withLock { _ in
      #expect(lock.withLockIfAvailable { $0 } == nil)
    }
    #expect(lock.withLockIfAvailable { $0 } == "value")
  }

  @Test func `what is thrown in a turn gives it back`() {
    let lock = BriefLock(1)
    #expect(throws: Errno.interrupted) {
      try lock.withLock { (_) throws(Errno) in throw .interrupted }
    }
    #expect(throws: Errno.interrupted) {
      _ = try lock.withLockIfAvailable { (_) throws(Errno) -> Int in throw .interrupted }
    }
    #expect(lock.withLockIfAvailable { $0 } == 1)
  }

  @Test func `who runs takes it again although another waits`() throws {
    // With a lock that is handed over it is 0 each time, once the other sleeps.
    let most = try (0..<5).map { _ in try turnsBeforeTheSleeper() }.max()
    #expect(try #require(most) > 0)
  }

  /// How many turns this thread has, one after the other, before the one who sleeps has its first.
  private func turnsBeforeTheSleeper() throws -> Int {
    let shared = Shared()
    try shared.lock.withLock { _ in
      try Threads.start {
        shared.isTaken.store(true, ordering: .releasing)
        shared.lock.withLock { _ in shared.turns.store(1, ordering: .releasing) }
        shared.ended.store(1, ordering: .releasing)
      }
      while !shared.isTaken.load(ordering: .acquiring) { _ = try? Poll.wait([], timeoutMilliseconds: 1) }
      // Long enough for it to have given up spinning.
      _ = try? Poll.wait([], timeoutMilliseconds: 30)
    }
    var turns = 0
    while turns < 1000, shared.lock.withLock({ _ in shared.turns.load(ordering: .acquiring) }) == 0 { turns += 1 }
    while shared.ended.load(ordering: .acquiring) == 0 { _ = try? Poll.wait([], timeoutMilliseconds: 1) }
    return turns
  }
}
