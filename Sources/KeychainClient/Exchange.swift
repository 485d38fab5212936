internal import KeychainModel
internal import KeychainWire
internal import LinuxSystem
internal import SecretMemory

/// One request on one connection: sent, its prompts presented, and its answer awaited.
struct Exchange {
  let socket: FrameSocket
  let requestID: UInt32
  let prompt: PromptSource
  let notice: (@Sendable (Notice) -> Void)?
  let timeouts: KeychainTimeouts
  /// Whether the daemon wanted a prompt: such a request is never sent a second time.
  private(set) var wasPrompted = false

  init(
    _ socket: FrameSocket, requestID: UInt32, prompt: PromptSource, notice: (@Sendable (Notice) -> Void)?,
    timeouts: KeychainTimeouts
  ) {
    self.socket = socket
    self.requestID = requestID
    self.prompt = prompt
    self.notice = notice
    self.timeouts = timeouts
  }

  /// Sends the request and waits for its answer.
  ///
  /// - Throws: ``ExchangeFailure``; behind any of them the connection is of no more use, except `.refused` by the daemon,
  ///   which is not thrown but returned.
  mutating func run(
    _ request: KeychainRequest, _ options: RequestOptions, secrets: [SecretBytes]
  ) throws(ExchangeFailure) -> KeychainAnswer {
    try sendRequest(Message(requestID: requestID, body: .request(request, options), secrets: secrets))
    var deadline = Clock.boottime + timeouts.reply * 1_000_000
    while true {
      let message = try receive(until: deadline)
      switch message.body {
      case .reply(let reply): return KeychainAnswer(reply: reply, secrets: message.secrets)
      case .wanted(.prompt(let attempt)):
        wasPrompted = true
        try present(attempt)
        deadline = Clock.boottime + timeouts.prompt * 1_000_000
      case .notice(let line):
        notice?(line)
        let wait = line.kind == .waiting ? timeouts.prompt : timeouts.reply
        deadline = max(deadline, Clock.boottime + wait * 1_000_000)
      default: throw .refused(Refusal(.protocolMismatch, detail: "the daemon sent a frame that has no place here"))
      }
    }
  }

  /// A daemon without room for a connection says so and hangs up, perhaps before the request was sent.
  private func sendRequest(_ message: Message) throws(ExchangeFailure) {
    do throws(ExchangeFailure) { try send(message) } catch .lost {
      if let last = try? receive(until: Clock.boottime), case .reply(.refused(let refusal)) = last.body {
        throw .refused(refusal)
      }
      throw .lost
    }
  }

  private func present(_ attempt: UInt32) throws(ExchangeFailure) {
    let offer: PromptOffer
    do throws(Refusal) { offer = try prompt.offer(attempt: attempt) } catch {
      socket.takeBack(requestID: requestID)
      throw .refused(error)
    }
    try send(
      Message(
        requestID: requestID, body: .presentation(offer.presentation), secrets: offer.secrets,
        descriptor: offer.descriptor))
  }

  private func send(_ message: Message) throws(ExchangeFailure) {
    do throws(FrameSocketError) { try socket.send(message) } catch { throw ExchangeFailure(error) }
  }

  private func receive(until deadline: UInt64) throws(ExchangeFailure) -> Message {
    let message: Message
    do throws(FrameSocketError) { message = try socket.receive(until: deadline) } catch { throw ExchangeFailure(error) }
    guard message.requestID == requestID || message.body.isAboutConnection(message.requestID) else {
      throw .refused(Refusal(.protocolMismatch, detail: "the daemon answered another request"))
    }
    if case .helloReply(let hello) = message.body {
      throw .refused(
        Refusal(.protocolMismatch, detail: "latchkeyd speaks versions \(hello.oldest) to \(hello.newest)"))
    }
    return message
  }
}

extension MessageBody {
  /// Whether a frame with this number is about the connection and not about one request.
  fileprivate func isAboutConnection(_ requestID: UInt32) -> Bool {
    switch self {
    case .helloReply: true
    case .reply(.refused): requestID == 0
    default: false
    }
  }
}

/// Why a request has no answer.
enum ExchangeFailure: Error {
  /// With this reason.
  case refused(Refusal)
  /// The connection ended first: whether the daemon did anything is not known.
  case lost

  init(_ error: FrameSocketError) {
    switch error {
    case .closed, .closedInsideFrame, .system: self = .lost
    case .timedOut: self = .refused(Refusal(.serviceTimedOut))
    case .outOfMemory, .dropped: self = .refused(Refusal(.outOfMemory))
    case .malformed(.version(let version), _):
      self = .refused(Refusal(.protocolMismatch, detail: "latchkeyd speaks version \(version)"))
    case .malformed(let fault, _):
      self = .refused(Refusal(.protocolMismatch, detail: "the daemon's frame is malformed (\(fault))"))
    case .encoding(.tooLong(let limit)) where limit == WireLimits.oneSecretBytes || limit == WireLimits.secretBytes:
      self = .refused(Refusal(.valueTooLarge))
    case .encoding(let fault):
      self = .refused(Refusal(.invalidParameter, detail: "the request has no frame (\(fault))"))
    }
  }
}
