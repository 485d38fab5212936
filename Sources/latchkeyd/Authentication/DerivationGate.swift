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
    while true {
      if let turn = turn(of: uid) {
        defer { turn.end() }
        return try body()
      }
      try wait(round)
      round += 1
    }
  }

  /// This user's turn, if there is room now.
  func turn(of uid: UInt32) -> Turn? { admit(uid) ? Turn(self, uid) : nil }

  /// One derivation's turn; over with ``end()``, or with its last owner.
  final class Turn {
    private let gate: DerivationGate
    private let uid: UInt32
    private var isOver = false

    fileprivate init(_ gate: DerivationGate, _ uid: UInt32) {
      self.gate = gate
      self.uid = uid
    }

    deinit { end() }

    /// Makes room for another.
    func end() {
      guard !isOver else { return }
      isOver = true
      gate.leave(uid)
    }
  }

  private func admit(_ uid: UInt32) -> Bool {
    running.withLock { running in
      guard running.count < Self.machineLimit else { return false }
      return running.insert(uid).inserted
    }
  }

  fileprivate func leave(_ uid: UInt32) { _ = running.withLock { $0.remove(uid) } }
}
