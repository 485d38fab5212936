internal import Synchronization

/// Bounds how many key derivations run at once: one for each user, two in all. Each takes 64 to 256 MiB.
final class DerivationGate: Sendable {
  /// The most in all.
  static let machineLimit = 2

  private let running = Mutex<Set<UInt32>>([])

  /// Runs `body` when this user's derivation may run.
  ///
  /// - Parameter wait: Waits a moment; called with 0, 1, 2, ... until there is room. What it throws ends the wait.
  func run<Result, Failure: Error>(
    _ uid: UInt32, waiting wait: (_ round: Int) throws(Failure) -> Void, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var round = 0
    while !admit(uid) {
      try wait(round)
      round += 1
    }
    defer { leave(uid) }
    return try body()
  }

  private func admit(_ uid: UInt32) -> Bool {
    running.withLock { running in
      guard running.count < Self.machineLimit else { return false }
      return running.insert(uid).inserted
    }
  }

  private func leave(_ uid: UInt32) { _ = running.withLock { $0.remove(uid) } }
}
