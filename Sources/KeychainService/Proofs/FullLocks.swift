internal import KeychainModel
internal import Synchronization

/// Counts the full locks, so that what was proved before one opens nothing after it.
final class FullLocks: Sendable {
  private let count = Mutex<UInt64>(0)

  /// How many there were.
  var current: UInt64 { count.withLock { $0 } }

  /// Counts one; `body` does it, while nothing that was proved is kept.
  func lock(_ body: () -> Void) {
    count.withLock { count in
      count += 1
      body()
    }
  }

  /// Keeps something that was proved since there were so many.
  ///
  /// - Throws: ``Refusal``: `systemCancelled` where there was one since; `body` is not run then.
  func unlessLocked(since begun: UInt64, _ body: () -> Void) throws(Refusal) {
    let isKept = count.withLock { count in
      guard count == begun else { return false }
      body()
      return true
    }
    if !isKept { throw Refusal(.systemCancelled, detail: "the keychain was locked meanwhile") }
  }
}
