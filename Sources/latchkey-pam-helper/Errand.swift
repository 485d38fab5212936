internal import DialogueWire
internal import LinuxSystem
internal import SecretMemory

/// What this process is started for: one request, its result, and what the daemon asks after a proof.
struct Errand {
  private let start: HelperStart
  /// How long the daemon may take to send its request, in nanoseconds.
  private static let patience: UInt64 = 5_000_000_000

  init(_ start: HelperStart) { self.start = start }

  /// Runs to the end and gives the exit status.
  func run() -> UInt8 {
    guard let request = try? start.daemon.receive(HelperRequest.self, until: Clock.boottime + Self.patience) else {
      return StartRefusal.request.rawValue
    }
    let daemon = DaemonLink(start.daemon, deadline: request.deadline)
    guard (try? daemon.watch()) != nil else { return StartRefusal.hardening.rawValue }
    serve(request, daemon)
    return 0
  }

  private func serve(_ request: HelperRequest, _ daemon: DaemonLink) {
    let prompter = start.prompter.map { PrompterLink($0, deadline: request.deadline) }
    let parameters: StretchingParameters?
    do throws(StretchingParameterError) {
      parameters = try request.derivation.map { order throws(StretchingParameterError) in
        try StretchingParameters(order)
      }
    } catch { return refuse(daemon) }
    guard fits(request) else { return refuse(daemon) }
    let conversant = HelperConversant(request, parameters: parameters, daemon: daemon, prompter: prompter)
    daemon.tell(.started)
    let outcome = Authentication(request: request, conversant: conversant, daemon: daemon, prompter: prompter).run()
    if case .failed = outcome { conversant.endTurn() }
    daemon.end(outcome)
    switch outcome {
    case .proved(let proof):
      let passcode = proof.questionCount == 1 ? conversant.passcode : nil
      FollowUps(daemon: daemon, prompter: prompter, passcode: passcode).run()
    case .failed(let failure): prompter?.show(.done(.failed(ShownText(failure.words))))
    }
  }

  private func refuse(_ daemon: DaemonLink) {
    daemon.end(.failed(HelperFailure(stage: .start, cause: .requestRefused)))
  }

  /// A prompter must be there to be asked, and none may be where the passcode is here already.
  private func fits(_ request: HelperRequest) -> Bool {
    switch request.answers {
    case .prompter: start.prompter != nil
    case .supplied: start.prompter == nil
    case .none: true
    }
  }
}

extension StretchingParameters {
  init(_ order: DerivationOrder) throws(StretchingParameterError) {
    try self.init(salt: order.salt, operations: order.operations, memoryBytes: order.memoryBytes)
  }
}
