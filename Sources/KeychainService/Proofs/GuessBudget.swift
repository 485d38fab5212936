internal import KeychainModel
internal import Synchronization

/// Bounds the wrong passcodes that dialogues of one user can have judged side by side.
///
/// The tally is looked at before a dialogue starts and grows when an answer was wrong. Without this bound every program and
/// terminal of the user would get all its tries in the same moment, before the first miss is counted.
final class GuessBudget: Sendable {
  /// Misses in a row up to the first wait: see ``PasscodeTally``. From there on each miss has a wait behind it.
  static let freeMisses: UInt32 = 5

  private struct State {
    /// Tries that dialogues have and did not use up yet.
    var promised = 0
    /// Misses that the store could not note down: its disk is full, say.
    var uncounted = 0
  }

  private let state = Mutex(State())

  /// Tries for a dialogue: 1 to `wanted`, none where the dialogues that run may use up what is left.
  ///
  /// The tally is read while nobody else can take or give back, so that a miss is in one of the two numbers.
  ///
  /// - Throws: ``Refusal``: a miss from before still cannot be counted. No guess is taken that might go uncounted too.
  func take(_ wanted: UInt8, _ store: some KeybagStoring) throws(Refusal) -> Share {
    try state.withLock { (state) throws(Refusal) in
      while state.uncounted > 0 {
        _ = try store.countMiss()
        state.uncounted -= 1
      }
      let tally = try store.tally()
      guard tally.retryAfterSeconds == 0 else { return .waitOut(tally) }
      let left = tally.misses < Self.freeMisses ? Int(Self.freeMisses - tally.misses) : 1
      guard left > state.promised else { return .busy }
      let tries = min(max(Int(wanted), 1), left - state.promised)
      state.promised += tries
      return .tries(UInt8(tries))
    }
  }

  /// Gives tries back once the dialogue has ended and its misses are counted.
  func give(back tries: UInt8) { state.withLock { $0.promised -= Int(tries) } }

  /// Remembers a miss that could not be counted.
  func keepMiss() { state.withLock { $0.uncounted += 1 } }

  /// What a dialogue may do.
  enum Share: Equatable {
    /// Start, with so many tries.
    case tries(UInt8)
    /// Wait for the end of another one.
    case busy
    /// Not start: the tally's wait is on.
    case waitOut(PasscodeTally)
  }
}
