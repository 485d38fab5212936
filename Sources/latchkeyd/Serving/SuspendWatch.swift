internal import LinuxSystem

/// Sees that the machine slept, by the boot-time clock having run ahead of the monotonic one, which stands still meanwhile
/// (clock_gettime(2)). Needs nothing of the system but its clocks.
final class SuspendWatch: Sendable {
  /// The two clocks, read one between two readings of the other.
  struct Reading: Sendable {
    var monotonicBefore: UInt64
    var boottime: UInt64
    var monotonicAfter: UInt64

    static func take() -> Reading {
      let before = Clock.monotonic
      let boottime = Clock.boottime
      return Reading(monotonicBefore: before, boottime: boottime, monotonicAfter: Clock.monotonic)
    }

    /// At least so long the machine has slept since boot. A thread that was held up between the readings makes it less.
    var least: UInt64 { boottime > monotonicAfter ? boottime - monotonicAfter : 0 }
    /// At most so long.
    var most: UInt64 { boottime > monotonicBefore ? boottime - monotonicBefore : 0 }
  }

  /// Less than this is no sleep: half a second.
  static let threshold: UInt64 = 500_000_000

  private let read: @Sendable () -> Reading
  private let slept: @Sendable () -> Void
  /// The tightest bound on the sleep that is known of.
  private let known: BriefLock<UInt64>

  /// - Parameter slept: called once for each sleep, on the thread that saw it first.
  init(reading read: @escaping @Sendable () -> Reading = Reading.take, slept: @escaping @Sendable () -> Void) {
    self.read = read
    self.slept = slept
    known = BriefLock(read().most)
  }

  /// Looks at the clocks; cheap enough for every request, so that none after a sleep is served from before it.
  func look() {
    let reading = read()
    let hasSlept = known.withLock { known in
      let hasSlept = reading.least > known && reading.least - known >= Self.threshold
      known = hasSlept ? reading.most : min(known, reading.most)
      return hasSlept
    }
    if hasSlept { slept() }
  }
}
