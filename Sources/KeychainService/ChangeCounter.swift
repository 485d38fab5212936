public import KeychainModel
internal import Synchronization

/// Counts what happens to one user's keychain, and wakes those who wait for it.
///
/// The count tells that something changed and nothing else, so that it may be told while the keychain is locked. A change costs
/// its maker one call for each waiter; who waits, and however slowly it looks, holds nobody up.
public final class ChangeCounter: Sendable {
  /// Most that wait at the same time: a quarter of a user's connections.
  public static let maximumWaiters = 16

  private struct State {
    /// Begins anywhere, so that a count from before the daemon's start is never taken for a new one.
    var count = UInt64.random(in: 0 ... .max)
    var waiters: [UInt64: @Sendable () -> Void] = [:]
    var lastTicket: UInt64 = 0
  }

  private let state = Mutex(State())

  /// A counter for which nobody waits.
  public init() {}

  /// Where it stands.
  public var current: UInt64 { state.withLock { $0.count } }

  /// How many wait.
  public var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// Something has changed.
  public func advance() {
    state.withLock { state in
      state.count &+= 1
      for wake in state.waiters.values { wake() }
    }
  }

  /// Calls `wake` at each change from here on, until ``detach(_:)``.
  ///
  /// - Parameter wake: called by the thread that makes the change; must return at once and not come back to the counter.
  /// - Returns: its ticket.
  /// - Throws: ``Refusal``: `tooManyRequests` where ``maximumWaiters`` are here already.
  public func attach(_ wake: @escaping @Sendable () -> Void) throws(Refusal) -> UInt64 {
    let ticket = state.withLock { state -> UInt64? in
      guard state.waiters.count < Self.maximumWaiters else { return nil }
      state.lastTicket += 1
      state.waiters[state.lastTicket] = wake
      return state.lastTicket
    }
    guard let ticket else { throw Refusal(.tooManyRequests, detail: "too many programs watch this keychain") }
    return ticket
  }

  /// Calls the waiter of this ticket no more.
  public func detach(_ ticket: UInt64) { state.withLock { _ = $0.waiters.removeValue(forKey: ticket) } }
}
