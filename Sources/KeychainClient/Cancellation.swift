internal import KeychainModel
internal import KeychainWire
internal import Synchronization

/// Takes waiting requests back, from any thread. One may stand for several requests; after ``cancel()`` it refuses new ones.
public final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var waiting: [UInt32: FrameSocket] = [:]
  }

  private let state = Mutex(State())

  /// Makes one that was not used yet.
  public init() {}

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Ends the requests that wait, with `appCancelled`; their prompts go away.
  public func cancel() {
    // Under the lock, so that no socket is ended after its request is over and another one uses it.
    state.withLock { state in
      state.isCancelled = true
      for (requestID, socket) in state.waiting { socket.takeBack(requestID: requestID) }
    }
  }

  /// From here on ``cancel()`` ends this request.
  func attach(_ socket: FrameSocket, requestID: UInt32) throws(Refusal) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.waiting[requestID] = socket }
      return state.isCancelled
    }
    if isCancelled { throw Refusal(.appCancelled) }
  }

  /// The request is over.
  func detach(requestID: UInt32) { state.withLock { _ = $0.waiting.removeValue(forKey: requestID) } }

  /// - Throws: ``Refusal``: `appCancelled`.
  static func check(_ cancellation: Cancellation?) throws(Refusal) {
    if cancellation?.isCancelled == true { throw Refusal(.appCancelled) }
  }
}
