internal import AccessPolicy
internal import KeychainModel
internal import KeychainService
internal import KeychainWire
internal import LinuxSystem
internal import SecretMemory

/// Serves one connection, on a thread of its own, until it ends. One request after the other.
struct ConnectionService {
  /// What connections share.
  let shared: ServingState
  let number: ConnectionNumber
  let socket: FrameSocket
  let peer: ConnectedPeer
  /// What its user may have under way.
  let quota: SecretBudget.Part

  /// Whether to wait for a further frame.
  private enum Next { case frame, end }

  func run() {
    var next = Next.frame
    while next == .frame {
      do throws(FrameSocketError) {
        next = take(try socket.receive())
      } catch .dropped(let why, let requestID) {
        next = refuse(requestID, Refusal(dropped: why))
      } catch {
        explain(error)
        next = .end
      }
    }
    socket.shutDown()
  }

  private func take(_ message: Message) -> Next {
    switch message.body {
    case .request(.watch(since: let count?), _): return watch(since: count, message)
    case .request(let request, let options): return answer(request, options, message)
    case .hello: return send(Message(requestID: message.requestID, body: .helloReply(hello)))
    // The answer of a client whose request has ended meanwhile: there is nothing left that it could be about.
    case .cancel, .presentation: return .frame
    case .helloReply, .reply, .wanted, .notice:
      _ = refuse(message.requestID, Refusal(.invalidParameter, detail: "a daemon's frame"))
      return .end
    }
  }

  private func answer(_ request: KeychainRequest, _ options: RequestOptions, _ message: Message) -> Next {
    let running = RunningRequest(message.requestID, on: socket, from: peer, quota: quota)
    running.keep(message.claim)
    guard shared.table.begin(number, running) == .begun else { return .end }
    defer { shared.table.end(number) }
    shared.suspension.look()
    let answer = answer(request, options, message.secrets, over: running)
    let sent = reply(answer, to: message.requestID)
    // Whoever holds a connection that another program made has to make one of its own.
    if case .refused(let refusal) = answer.reply, refusal.reason == .programChanged { return .end }
    return running.isBroken ? .end : sent
  }

  private func answer(
    _ request: KeychainRequest, _ options: RequestOptions, _ secrets: [SecretBytes], over channel: RunningRequest
  ) -> Answer {
    do throws(Refusal) {
      let facts = try peer.factsNow()
      let user = try shared.registry.user(facts.uid)
      return user.keychain.answer(
        IncomingRequest(request: request, options: options, secrets: secrets, peer: facts, channel: channel))
    } catch { return Answer(.refused(error)) }
  }

  /// Answers a watch once there is something new.
  private func watch(since count: UInt64, _ message: Message) -> Next {
    do throws(Refusal) {
      let changes = try shared.registry.user(try peer.factsNow().uid).keychain.changes
      let watch = ChangeWatch(requestID: message.requestID, socket: socket, peer: peer)
      switch try watch.wait(for: changes, since: count) {
      case .changed: return reply(Answer(.changed(changes.current)), to: message.requestID)
      case .cancelled: return refuse(message.requestID, Refusal(.appCancelled))
      case .ended: return .end
      case .broken:
        _ = refuse(message.requestID, Refusal(.invalidParameter, detail: "a frame in the middle of a watch"))
        return .end
      }
    } catch {
      let sent = refuse(message.requestID, error)
      return error.reason == .programChanged ? .end : sent
    }
  }

  private func reply(_ answer: Answer, to requestID: UInt32) -> Next {
    var reply = answer.reply
    if case .refused(let refusal) = reply { reply = .refused(refusal.clipped()) }
    do throws(FrameSocketError) {
      try socket.send(Message(requestID: requestID, body: .reply(reply), secrets: answer.secrets))
      return .frame
    } catch .encoding(let fault) {
      return refuse(requestID, Refusal(.internalFailure, detail: "the answer has no frame (\(fault))"))
    } catch { return .end }
  }

  private func refuse(_ requestID: UInt32, _ refusal: Refusal) -> Next {
    send(Message(requestID: requestID, body: .reply(.refused(refusal.clipped()))))
  }

  private func send(_ message: Message) -> Next { (try? socket.send(message)) == nil ? .end : .frame }

  private var hello: HelloReply { HelloReply(daemon: DaemonText.version) }

  /// Says what was wrong with a frame before the connection ends.
  private func explain(_ error: FrameSocketError) {
    switch error {
    case .malformed(.version, let requestID):
      _ = send(Message(requestID: requestID ?? 0, body: .helloReply(hello)))
    case .malformed(let fault, let requestID):
      _ = refuse(requestID ?? 0, Refusal(.invalidParameter, detail: "a malformed frame (\(fault))"))
    case .closed, .closedInsideFrame, .timedOut, .encoding, .dropped, .outOfMemory, .system: break
    }
  }
}

extension Refusal {
  /// What a client hears whose frame had no room.
  init(dropped why: FrameDrop) {
    switch why {
    case .outOfMemory: self.init(.outOfMemory, detail: "the daemon has no room for it now")
    case .overQuota: self.init(.tooManyRequests, detail: SecretBudget.excuse)
    }
  }
}
