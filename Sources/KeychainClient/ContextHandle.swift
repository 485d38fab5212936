public import KeychainModel
internal import LinuxSystem
internal import Synchronization

/// An authentication context of this process (Apple counterpart: what stands behind an `LAContext`).
///
/// The daemon makes it at its first use. Where the daemon has forgotten it, because it started anew or because this is a
/// child of the process that made it, another one takes its place, without the proofs of the first. It ends with
/// ``invalidate()`` or with the object, and every call that waits with it ends at once.
public final class ContextHandle: Sendable {
  private struct State {
    var life = Life.live
    var number: UInt64?
    /// The process the number belongs to.
    var pid: Int32 = 0
    var reuseSeconds: UInt32 = 0
  }

  private enum Life { case live, ended }

  private let keychain: Keychain
  private let state = Mutex(State())
  /// Takes back whatever waits with this context.
  package let life = Cancellation()

  /// A context at the end of a keychain's connection; asks nothing of the daemon yet.
  public init(_ keychain: Keychain) { self.keychain = keychain }

  deinit { invalidate() }

  /// Whether ``invalidate()`` was called.
  public var isInvalidated: Bool { state.withLock { $0.life == .ended } }

  /// Ends the context for good. Calls that wait with it end with `appCancelled`, later ones with `contextInvalid`. Doing it
  /// twice is fine; it does not wait for the daemon.
  public func invalidate() {
    let last = state.withLock { state -> State? in
      guard state.life == .live else { return nil }
      state.life = .ended
      return state
    }
    guard let last else { return }
    life.cancel()
    if let number = last.number, last.pid == ThisProcess.pid { keychain.connection.retire(number) }
  }

  /// Lets proofs from outside serve in this context that are no older than so many seconds, where the policy lets them
  /// serve; 0, as in the beginning, none. Above 300 counts as 300. The next call tells the daemon.
  public func allowReuse(seconds: UInt32) {
    let stale = state.withLock { state -> UInt64? in
      guard state.reuseSeconds != seconds else { return nil }
      state.reuseSeconds = seconds
      // Proofs that were given to the context would be lost with its number: the daemon is told of the new value instead.
      return state.number
    }
    guard let stale else { return }
    try? tellReuse(seconds, of: stale, CancellationSet([life]))
  }

  /// Does something with the daemon's number of this context, and once more with a new number where the daemon has
  /// forgotten the old one.
  func use<Result>(
    _ cancellations: CancellationSet, _ body: (UInt64) throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    let number = try current(cancellations)
    do throws(Refusal) { return try body(number) } catch {
      guard error.reason == .contextInvalid, !isInvalidated else { throw error }
    }
    forget(number)
    return try body(try current(cancellations))
  }

  /// The number, made now where there is none of this process.
  ///
  /// - Throws: `Refusal`: `contextInvalid` once the context has ended, or why the daemon made none.
  public func number() throws(Refusal) -> UInt64 { try current(CancellationSet([life])) }

  private func current(_ cancellations: CancellationSet) throws(Refusal) -> UInt64 {
    let pid = ThisProcess.pid
    let before = state.withLock { $0 }
    guard before.life == .live else { throw Refusal(.contextInvalid) }
    if let number = before.number, before.pid == pid { return number }
    guard case .context(let made) = try ask(.create, context: nil, cancellations) else { throw .unexpected }
    if before.reuseSeconds > 0 { try tellReuse(before.reuseSeconds, of: made, cancellations) }
    let kept = try keep(made, pid)
    // Set meanwhile, when there was no number yet to tell it of.
    let now = state.withLock { $0.reuseSeconds }
    if now != before.reuseSeconds { try tellReuse(now, of: kept, cancellations) }
    return kept
  }

  /// Of several threads that made one at the same moment the first wins.
  private func keep(_ made: UInt64, _ pid: Int32) throws(Refusal) -> UInt64 {
    let kept = state.withLock { state -> UInt64? in
      guard state.life == .live else { return nil }
      if state.number == nil || state.pid != pid { (state.number, state.pid) = (made, pid) }
      return state.number
    }
    if kept != made { keychain.connection.retire(made) }
    guard let kept else { throw Refusal(.contextInvalid) }
    return kept
  }

  private func forget(_ number: UInt64) {
    state.withLock { state in
      if state.number == number { state.number = nil }
    }
  }

  private func tellReuse(_ seconds: UInt32, of number: UInt64, _ cancellations: CancellationSet) throws(Refusal) {
    _ = try ask(.allowReuse(seconds: seconds), context: number, cancellations)
  }

  private func ask(
    _ request: ContextRequest, context: UInt64?, _ cancellations: CancellationSet
  ) throws(Refusal) -> KeychainReply {
    try keychain.connection.perform(
      .context(request), RequestOptions(context: context), secrets: [], prompt: nil, cancellations
    ).reply
  }
}
