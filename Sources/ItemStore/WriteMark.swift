internal import Synchronization

/// Tells whether anything was written since a moment, so that what was read then need not be read again.
///
/// Every change of the file goes through one connection of one process, which holds the store's lock; so counting here sees all.
final class WriteMark: Sendable {
  /// Odd while a change is under way.
  private let count = Atomic<UInt64>(0)

  /// A moment at which nothing was being written.
  struct Moment: Hashable, Sendable {
    fileprivate let count: UInt64
  }

  /// Now; `nil` while a change is under way.
  var now: Moment? {
    let count = count.load(ordering: .sequentiallyConsistent)
    return count.isMultiple(of: 2) ? Moment(count: count) : nil
  }

  /// Runs a change, committed or not. One at a time: the caller holds the writing connection.
  func whileWriting<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    count.add(1, ordering: .sequentiallyConsistent)
    defer { count.add(1, ordering: .sequentiallyConsistent) }
    return try body()
  }
}
