/// A moment on the boot-time clock: nanoseconds since this boot, suspend included (CLOCK_BOOTTIME).
public struct Instant: Hashable, Comparable, Sendable {
  /// Nanoseconds since boot.
  public let nanoseconds: UInt64
  /// Wraps nanoseconds since boot.
  public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// Earlier than.
  public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The moment so many whole seconds later; stops at the end of the clock.
  public func adding(seconds: UInt32) -> Instant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(UInt64(seconds) * 1_000_000_000)
    return Instant(nanoseconds: overflow ? .max : sum)
  }

  /// Whole seconds from `earlier` to here, rounded down; 0 where `earlier` is later.
  public func seconds(since earlier: Instant) -> UInt64 {
    nanoseconds > earlier.nanoseconds ? (nanoseconds - earlier.nanoseconds) / 1_000_000_000 : 0
  }
}
