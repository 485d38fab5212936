internal import KeychainModel
internal import KeychainService
internal import KeychainWire
internal import LinuxSystem
internal import Synchronization

/// A request that is being worked on: the service's channel to the client that waits for it.
final class RunningRequest: PresentingChannel {
  private struct State {
    /// Prompts so far.
    var attempts: UInt32 = 0
    /// Why nobody wants the answer any more.
    var ended: Reason?
    /// Whether the client sent what has no place here: the connection ends with the request.
    var isBroken = false
    /// Whether the client was told to have patience.
    var isTold = false
    /// What its frames hold of the user's budget.
    var claims: [any SecretClaim] = []
    /// What its answer holds of it.
    var answerClaim: (any SecretClaim)?
  }

  /// How long a frame that has begun may keep the service waiting, in nanoseconds.
  private static let frameNanoseconds: UInt64 = 1_000_000_000
  /// How soon it is seen that the request was ended from outside, in nanoseconds: 100 ms.
  private static let sliceNanoseconds: UInt64 = 100_000_000

  private let socket: FrameSocket
  private let requestID: UInt32
  private let peer: ConnectedPeer
  private let quota: any SecretQuota
  private let state = Mutex(State())
  /// When it came in, in boot-time nanoseconds.
  let since = Clock.boottime

  init(_ requestID: UInt32, on socket: FrameSocket, from peer: ConnectedPeer, quota: any SecretQuota) {
    self.quota = quota
    self.requestID = requestID
    self.socket = socket
    self.peer = peer
  }

  var descriptor: OwnedDescriptor { socket.descriptor }

  /// Whether the connection is of no more use.
  var isBroken: Bool { state.withLock { $0.isBroken } }

  var liveness: ChannelLiveness {
    if let reason = state.withLock({ $0.ended }) { return .ended(reason) }
    guard peer.isAlive else { return end(.clientGone) }
    switch socket.look() {
    case .nothing: return .alive
    case .gone: return end(.clientGone)
    case .frame: return readInterruption()
    }
  }

  func notify(_ notice: Notice) {
    if notice.kind == .waiting { state.withLock { $0.isTold = true } }
    try? socket.send(Message(requestID: requestID, body: .notice(notice)))
  }

  /// Holds on, for as long as the request runs, to what the secrets of a frame of it took.
  func keep(_ claim: (any SecretClaim)?) {
    if let claim { state.withLock { $0.claims.append(claim) } }
  }

  func hold(secretBytes: Int) throws(Refusal) {
    // Nothing is held while it waits, so that requests of one user cannot wait for each other in a ring.
    state.withLock { $0.answerClaim = nil }
    guard secretBytes > SecretQuotaRule.freeBytes else { return }
    guard let claim = quota.claim(secretBytes, until: Clock.boottime + SecretQuotaRule.patience) else {
      throw Refusal(.tooManyRequests, detail: SecretBudget.excuse)
    }
    state.withLock { $0.answerClaim = claim }
  }

  /// Tells a client that has waited since before `moment`, once, so that it does not give up. Does not wait itself.
  func askPatience(since moment: UInt64) {
    guard since <= moment, !state.withLock({ $0.isTold }) else { return }
    let notice = Notice(kind: .waiting, text: "still working on it")
    if socket.sendIfFree(Message(requestID: requestID, body: .notice(notice))) == .sent {
      state.withLock { $0.isTold = true }
    }
  }

  /// Ends its prompt from outside: lock, suspend or shutdown.
  func cancelBySystem() { _ = end(.systemCancelled) }

  func presentation(until deadline: UInt64) throws(Refusal) -> ClientPresentation {
    if case .ended(let reason) = liveness { throw Refusal(reason) }
    let attempt = state.withLock { state in
      state.attempts += 1
      // From here on the client waits as long as a prompt may take.
      state.isTold = true
      return state.attempts
    }
    do throws(FrameSocketError) {
      try socket.send(Message(requestID: requestID, body: .wanted(.prompt(attempt: attempt))))
    } catch { throw Refusal(ended(.clientGone)) }
    return try read(try awaitFrame(until: deadline))
  }

  /// Waits in slices, so that what ends the request from outside is seen.
  private func awaitFrame(until deadline: UInt64) throws(Refusal) -> Message {
    while true {
      if let reason = state.withLock({ $0.ended }) { throw Refusal(reason) }
      guard peer.isAlive else { throw Refusal(ended(.clientGone)) }
      let now = Clock.boottime
      guard now < deadline else { throw Refusal(.deadlinePassed, detail: "the program did not say where to prompt") }
      switch socket.look() {
      case .gone: throw Refusal(ended(.clientGone))
      case .frame: return try receiveBegun()
      case .nothing:
        let slice = min(deadline, now + Self.sliceNanoseconds)
        _ = try? Poll.wait([PollEntry(descriptor, [.readable, .writerGone])], until: slice)
      }
    }
  }

  /// Receives a frame that has begun.
  private func receiveBegun() throws(Refusal) -> Message {
    do throws(FrameSocketError) {
      return try socket.receive(until: Clock.boottime + Self.frameNanoseconds)
    } catch .closed {
      throw Refusal(ended(.clientGone))
    } catch .dropped(let why, _) {
      throw Refusal(dropped: why)
    } catch { throw Refusal(breakOff()) }
  }

  private func read(_ message: Message) throws(Refusal) -> ClientPresentation {
    guard message.requestID == requestID else { throw Refusal(breakOff()) }
    keep(message.claim)
    switch message.body {
    case .cancel: throw Refusal(ended(.appCancelled))
    case .presentation(.none): return .none
    case .presentation(.display(let variables)): return .display(variables)
    case .presentation(.passcode(let index)) where Int(index) < message.secrets.count:
      return .passcode(message.secrets[Int(index)])
    case .presentation(.terminal):
      guard let descriptor = message.descriptor else { throw Refusal(breakOff()) }
      return .terminal(descriptor)
    default: throw Refusal(breakOff())
    }
  }

  /// A frame in the middle of a request can only take it back.
  private func readInterruption() -> ChannelLiveness {
    do throws(Refusal) {
      let message = try receiveBegun()
      guard message.requestID == requestID, message.body == .cancel else { return .ended(breakOff()) }
      return end(.appCancelled)
    } catch { return .ended(error.reason) }
  }

  /// What came has no place here.
  private func breakOff() -> Reason {
    state.withLock { $0.isBroken = true }
    return ended(.invalidParameter)
  }

  /// The first reason stays.
  private func ended(_ reason: Reason) -> Reason {
    state.withLock { state in
      let first = state.ended ?? reason
      state.ended = first
      return first
    }
  }

  private func end(_ reason: Reason) -> ChannelLiveness { .ended(ended(reason)) }
}
