public import KeychainModel
internal import KeychainWire
internal import LinuxSystem
public import SecretMemory
internal import Synchronization

/// How a client reaches the daemon and how it may prompt.
public struct KeychainConfiguration: Sendable {
  /// Where the daemon is; `nil` looks at the environment at the first request.
  public var places: ServicePlaces?
  /// Where a prompt may appear.
  public var prompt: PromptSource
  /// Called with each line the daemon sends while a request waits.
  public var notice: (@Sendable (Notice) -> Void)?
  /// How long to wait.
  public var timeouts: KeychainTimeouts

  /// Makes a configuration; by default prompts go to the terminal or the display.
  public init(
    places: ServicePlaces? = nil, prompt: PromptSource = .automatic, notice: (@Sendable (Notice) -> Void)? = nil,
    timeouts: KeychainTimeouts = KeychainTimeouts()
  ) {
    self.places = places
    self.prompt = prompt
    self.notice = notice
    self.timeouts = timeouts
  }
}

/// The way to the daemon. Any number of threads may use it: each request that runs has a connection of its own, and a few
/// connections are kept for the next ones. It connects again after the daemon started anew and after fork(2).
public final class KeychainConnection: Sendable {
  private struct State {
    var idle: [FrameSocket] = []
    var lastRequestID: UInt32 = 0
    var pid: Int32
  }

  /// Most connections that are kept while nothing runs.
  static let keptConnections = 4

  let configuration: KeychainConfiguration
  /// Which process this is.
  private let processID: @Sendable () -> Int32
  private let state: Mutex<State>

  /// Makes a connection that opens nothing before its first request.
  public convenience init(_ configuration: KeychainConfiguration = KeychainConfiguration()) {
    self.init(configuration, processID: { ThisProcess.pid })
  }

  init(_ configuration: KeychainConfiguration, processID: @escaping @Sendable () -> Int32) {
    self.configuration = configuration
    self.processID = processID
    state = Mutex(State(pid: processID()))
  }

  /// Sends a request and waits for its answer.
  ///
  /// One whose answer was lost is sent again once where it only reads and no prompt was up; any other is refused as
  /// `serviceUnavailable`, and whether it was done is not known.
  /// - Parameters:
  ///   - secrets: what request and options name by place.
  ///   - prompt: where a prompt may appear for this request; `nil` is the configuration's.
  /// - Throws: ``Refusal``: the daemon's, or `serviceUnavailable`, `serviceTimedOut`, `serverNotTrusted`,
  ///   `protocolMismatch`, `valueTooLarge`, `invalidParameter`, `outOfMemory`, `appCancelled`.
  public func perform(
    _ request: KeychainRequest, _ options: RequestOptions = RequestOptions(), secrets: [SecretBytes] = [],
    prompt: PromptSource? = nil, cancellation: Cancellation? = nil
  ) throws(Refusal) -> KeychainAnswer {
    var mayRepeat = request.onlyReads
    while true {
      try Cancellation.check(cancellation)
      let socket = try borrow(cancellation)
      var exchange = Exchange(
        socket, requestID: nextRequestID(), prompt: prompt ?? configuration.prompt, notice: configuration.notice,
        timeouts: configuration.timeouts)
      try cancellation?.attach(socket, requestID: exchange.requestID)
      defer { cancellation?.detach(requestID: exchange.requestID) }
      do throws(ExchangeFailure) {
        let answer = try exchange.run(request, options, secrets: secrets)
        cancellation?.detach(requestID: exchange.requestID)
        giveBack(socket)
        return try Self.unwrap(answer)
      } catch {
        try Cancellation.check(cancellation)
        try Self.report(error, mayRepeat: mayRepeat && !exchange.wasPrompted)
        mayRepeat = false
      }
    }
  }

  /// A refusal of the daemon becomes an error.
  private static func unwrap(_ answer: KeychainAnswer) throws(ExchangeFailure) -> KeychainAnswer {
    if case .refused(let refusal) = answer.reply { throw .refused(refusal) }
    return answer
  }

  private static func report(_ failure: ExchangeFailure, mayRepeat: Bool) throws(Refusal) {
    switch failure {
    case .refused(let refusal): throw refusal
    case .lost where mayRepeat: return
    case .lost: throw Refusal(.serviceUnavailable, detail: "the daemon ended before it answered")
    }
  }

  /// A kept connection that is still good, or a new one.
  private func borrow(_ cancellation: Cancellation?) throws(Refusal) -> FrameSocket {
    while let kept = takeKept() {
      if kept.look() == .nothing { return kept }
    }
    let places = configuration.places ?? ServicePlaces.ofThisProcess()
    return try ServiceDoor(places: places, timeouts: configuration.timeouts).open(cancellation: cancellation)
  }

  private func takeKept() -> FrameSocket? {
    let pid = processID()
    return state.withLock { state in
      // A child shares its parent's sockets: it must neither use them nor end them, only close its own descriptors.
      if state.pid != pid {
        state.idle.removeAll()
        state.pid = pid
      }
      return state.idle.popLast()
    }
  }

  private func giveBack(_ socket: FrameSocket) {
    let pid = processID()
    state.withLock { state in
      if state.idle.count < Self.keptConnections, state.pid == pid { state.idle.append(socket) }
    }
  }

  private func nextRequestID() -> UInt32 {
    state.withLock { state in
      state.lastRequestID &+= 1
      return state.lastRequestID
    }
  }
}

extension KeychainRequest {
  /// Whether it changes nothing, so that sending it twice does no harm.
  var onlyReads: Bool {
    switch self {
    case .find, .status, .doctor, .log, .watch, .policy(.list), .policy(.explain), .context(.canEvaluate): true
    default: false
    }
  }
}
