import LinuxSystem
import Synchronization
import Testing

@testable import latchkeyd

private final class Clocks: Sendable {
  private let now = Mutex(SuspendWatch.Reading(monotonicBefore: 1000, boottime: 1000, monotonicAfter: 1000))
  var reading: SuspendWatch.Reading { now.withLock { $0 } }
  /// Time passes; `held` of it between the readings.
  func go(awake: UInt64 = 0, asleep: UInt64 = 0, held: UInt64 = 0) {
    now.withLock { now in
      let start = now.monotonicAfter + awake
      let sleep = now.boottime - now.monotonicAfter + asleep
      now = .init(monotonicBefore: start, boottime: start + held + sleep, monotonicAfter: start + held)
    }
  }
}

@Suite struct `The suspend watch` {
  private let second: UInt64 = 1_000_000_000

  @Test func `sees a sleep once`() {
    let clocks = Clocks()
    let slept = Counter()
    let watch = SuspendWatch(reading: { clocks.reading }, slept: { slept.add() })
    clocks.go(awake: 100 * second)
    watch.look()
    #expect(slept.value == 0)
    clocks.go(awake: second, asleep: 60 * second)
    watch.look()
    watch.look()
    #expect(slept.value == 1)
    clocks.go(asleep: second)
    watch.look()
    #expect(slept.value == 2)
  }

  @Test(arguments: [(499_999_999, 0), (500_000_000, 1), (500_000_001, 1)] as [(UInt64, Int)])
  func `takes half a second for a sleep`(_ asleep: UInt64, _ expected: Int) {
    let clocks = Clocks()
    let slept = Counter()
    let watch = SuspendWatch(reading: { clocks.reading }, slept: { slept.add() })
    clocks.go(asleep: asleep)
    watch.look()
    #expect(slept.value == expected)
  }

  @Test func `does not take a thread that was held up for a sleep`() {
    let clocks = Clocks()
    let slept = Counter()
    let watch = SuspendWatch(reading: { clocks.reading }, slept: { slept.add() })
    for _ in 0..<5 {
      clocks.go(awake: second, held: 30 * second)
      watch.look()
    }
    #expect(slept.value == 0)
    clocks.go(awake: second, asleep: second)
    watch.look()
    #expect(slept.value == 1)
  }

  @Test func `sees none on this machine, which is awake`() {
    let slept = Counter()
    let watch = SuspendWatch(slept: { slept.add() })
    for _ in 0..<1000 { watch.look() }
    #expect(slept.value == 0)
  }
}
