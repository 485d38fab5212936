internal import KeychainModel
internal import KeychainWire
internal import Synchronization

/// Takes waiting requests back, from any thread. One may stand for several requests; after ``cancel()`` it refuses new ones.
public final class Cancellation: Sendable {
  private struct Waiting {
    let socket: FrameSocket
    let requestID: UInt32
  }

  private struct State {
    var isCancelled = false
    var waiting: [ObjectIdentifier: Waiting] = [:]
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
      for waiting in state.waiting.values { waiting.socket.takeBack(requestID: waiting.requestID) }
    }
  }

  /// From here on ``cancel()`` ends this request.
  func attach(_ socket: FrameSocket, requestID: UInt32) throws(Refusal) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled {
        state.waiting[ObjectIdentifier(socket)] = Waiting(socket: socket, requestID: requestID)
      }
      return state.isCancelled
    }
    if isCancelled { throw Refusal(.appCancelled) }
  }

  /// The request on this socket is over.
  func detach(_ socket: FrameSocket) {
    state.withLock { _ = $0.waiting.removeValue(forKey: ObjectIdentifier(socket)) }
  }
}

/// Everything that may take one call back.
struct CancellationSet: Sendable {
  private let members: [Cancellation]

  init(_ members: [Cancellation]) { self.members = members }

  /// - Throws: `Refusal`: `appCancelled`.
  func check() throws(Refusal) {
    for member in members where member.isCancelled { throw Refusal(.appCancelled) }
  }

  /// From here on each member ends this request.
  func attach(_ socket: FrameSocket, requestID: UInt32) throws(Refusal) {
    for member in members { try member.attach(socket, requestID: requestID) }
  }

  /// The request on this socket is over; also for those that never got as far.
  func detach(_ socket: FrameSocket) {
    for member in members { member.detach(socket) }
  }
}
