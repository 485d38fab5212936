/// Keeps a reader that fails from being started without end: so many starts that fail in a row, each after a longer pause.
struct FingerBackoff {
  /// The most starts.
  static let limit = 8
  /// The first pause, in nanoseconds; each is twice the one before.
  static let firstPause: UInt64 = 50_000_000

  /// The starts in a row that failed.
  private(set) var failures = 0

  /// What follows a start that failed.
  enum Next: Equatable {
    /// Another start after so many nanoseconds.
    case pause(UInt64)
    /// No more.
    case giveUp
  }

  /// Counts a start that failed.
  mutating func failed() -> Next {
    failures += 1
    return failures < Self.limit ? .pause(Self.firstPause << UInt64(failures - 1)) : .giveUp
  }

  /// The reader did its work: whatever failed before is over.
  mutating func worked() { failures = 0 }
}
