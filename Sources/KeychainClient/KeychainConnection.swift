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
  /// Most requests that run side by side, half of what the daemon grants one user; more wait for their turn.
  static let busyConnections = 32

  let configuration: KeychainConfiguration
  /// Which process this is.
  private let processID: @Sendable () -> Int32
  private let state: Mutex<State>
  private let gate: ConnectionGate
  private let retirement = ContextRetirement()

  /// Makes a connection that opens nothing before its first request.
  public convenience init(_ configuration: KeychainConfiguration = KeychainConfiguration()) {
    self.init(configuration, processID: { ThisProcess.pid })
  }

  init(_ configuration: KeychainConfiguration, processID: @escaping @Sendable () -> Int32) {
    self.configuration = configuration
    self.processID = processID
    let pid = processID()
    state = Mutex(State(pid: pid))
    gate = ConnectionGate(limit: Self.busyConnections, pid: pid)
  }

  /// Tells the daemon that a context has ended, without waiting for it.
  func retire(_ context: UInt64) { retirement.retire(context, over: self) }

  /// Sends a request and waits for its answer.
  ///
  /// One whose answer was lost is sent again once where it only reads and no prompt was up; any other is refused as
  /// `serviceUnavailable`, and whether it was done is not known.
  /// - Parameters:
  ///   - request: what is asked for.
  ///   - options: what it says about prompting.
  ///   - secrets: what request and options name by place.
  ///   - prompt: where a prompt may appear for this request; `nil` is the configuration's.
  ///   - cancellation: what takes the request back, from any thread.
  /// - Throws: `Refusal`: the daemon's, or `serviceUnavailable`, `serviceTimedOut`, `serverNotTrusted`,
  ///   `protocolMismatch`, `valueTooLarge`, `invalidParameter`, `outOfMemory`, `appCancelled`.
  public func perform(
    _ request: KeychainRequest, _ options: RequestOptions = RequestOptions(), secrets: [SecretBytes] = [],
    prompt: PromptSource? = nil, cancellation: Cancellation? = nil
  ) throws(Refusal) -> KeychainAnswer {
    let cancellations = CancellationSet(cancellation.map { [$0] } ?? [])
    return try perform(request, options, secrets: secrets, prompt: prompt, cancellations)
  }

  /// As ``perform(_:_:secrets:prompt:cancellation:)``, with any number of things that may take it back.
  func perform(
    _ request: KeychainRequest, _ options: RequestOptions, secrets: [SecretBytes], prompt: PromptSource?,
    _ cancellations: CancellationSet
  ) throws(Refusal) -> KeychainAnswer {
    let pid = processID()
    try cancellations.check()
    try gate.enter(pid: pid, cancellations)
    defer { gate.leave(pid: pid) }
    var mayRepeat = request.isRepeatable
    while true {
      let socket = try borrow(cancellations)
      var exchange = Exchange(
        socket, requestID: nextRequestID(), prompt: prompt ?? configuration.prompt, notice: configuration.notice,
        timeouts: configuration.timeouts)
      defer { cancellations.detach(socket) }
      try cancellations.attach(socket, requestID: exchange.requestID)
      do throws(ExchangeFailure) {
        let answer = try exchange.run(request, options, secrets: secrets)
        cancellations.detach(socket)
        giveBack(socket)
        return try Self.unwrap(answer)
      } catch {
        try cancellations.check()
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
  private func borrow(_ cancellations: CancellationSet) throws(Refusal) -> FrameSocket {
    while let kept = takeKept() {
      if kept.look() == .nothing { return kept }
    }
    let places = configuration.places ?? ServicePlaces.ofThisProcess()
    return try ServiceDoor(places: places, timeouts: configuration.timeouts).open(cancellations)
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
      // 0 stands for the connection itself.
      state.lastRequestID = state.lastRequestID == .max ? 1 : state.lastRequestID + 1
      return state.lastRequestID
    }
  }
}

extension KeychainRequest {
  /// Whether sending it twice does no harm: it changes nothing, or twice is as good as once.
  var isRepeatable: Bool {
    switch self {
    case .find, .status, .doctor, .log, .watch, .policy(.list), .policy(.explain): true
    case .context(let request): request.isRepeatable
    default: false
    }
  }
}

extension ContextRequest {
  /// Whether sending it twice does no harm; a context that nobody knows of is forgotten with its process.
  var isRepeatable: Bool {
    switch self {
    case .create, .canEvaluate, .invalidate, .allowReuse, .enrolment: true
    case .evaluate, .evaluateAccessControl: false
    }
  }
}
