/// A reading of the clocks, for delays that a restart must not end.
public struct ClockReading: Hashable, Sendable {
  /// Seconds since 1970 (CLOCK_REALTIME).
  public var wallSeconds: Int64
  /// Seconds since this boot, suspend included (CLOCK_BOOTTIME).
  public var bootSeconds: Int64
  /// This boot (kernel boot_id), at most 64 bytes.
  public var bootID: [UInt8]

  /// Gathers the readings.
  public init(wallSeconds: Int64, bootSeconds: Int64, bootID: [UInt8]) {
    self.wallSeconds = wallSeconds
    self.bootSeconds = bootSeconds
    self.bootID = bootID
  }
}

/// Wrong passcodes in a row, and whether another is taken now.
public struct PasscodeTally: Hashable, Sendable {
  /// Wrong passcodes since the last right one.
  public let misses: UInt32
  /// Seconds until the next answer is taken; 0 for now.
  public let retryAfterSeconds: UInt32

  /// How long to wait after so many misses, in seconds: none up to 4, then 1, 5, 15, 15 and 60 minutes.
  ///
  /// Source: Apple Platform Security, passcodes.
  public static func delaySeconds(after misses: UInt32) -> UInt32 {
    switch misses {
    case ..<5: 0
    case 5: 60
    case 6: 300
    case 7, 8: 900
    default: 3600
    }
  }
}

/// The tally as it is stored.
struct StoredTally: Equatable {
  var misses: UInt32
  var missed: ClockReading
  /// The wait that began at `missed`, in seconds.
  var waitSeconds: UInt32

  static let empty = StoredTally(
    misses: 0, missed: ClockReading(wallSeconds: 0, bootSeconds: 0, bootID: []), waitSeconds: 0)

  /// What is left of the wait. In the boot of the miss the boot clock counts, which nobody can set; after a restart the wall
  /// clock does, and one that went back costs the whole wait once more.
  func remaining(at now: ClockReading) -> UInt32 {
    guard waitSeconds > 0 else { return 0 }
    let same = now.bootID == missed.bootID
    let (passed, overflow) =
      same
      ? now.bootSeconds.subtractingReportingOverflow(missed.bootSeconds)
      : now.wallSeconds.subtractingReportingOverflow(missed.wallSeconds)
    guard !overflow, passed >= 0 else { return waitSeconds }
    return passed >= Int64(waitSeconds) ? 0 : waitSeconds - UInt32(passed)
  }
}
