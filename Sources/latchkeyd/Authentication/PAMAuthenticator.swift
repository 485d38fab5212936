internal import AccessPolicy
internal import DialogueWire
internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import PAMModel

/// Proves presence through PAM: in a helper process, asked by a prompter where the client said that a prompt may appear.
///
/// A proof runs wholly in the caller's thread: the helper dies with the thread that started it.
struct PAMAuthenticator: Authenticating {
  private let programs: AuthenticationPrograms
  private let stacks: StackFinder
  private let pinentries: [String]
  private let reader: any ReaderReading
  private let sessions: LoginSessions
  private let gate = DerivationGate()
  private let turns = ReaderTurns()
  private let passcodeMarks = PasscodeMarks()

  /// Looks for programs and stacks where `places` says.
  init(places: DaemonPlaces, reader: any ReaderReading, sessions: LoginSessions? = nil) {
    self.sessions = sessions ?? LoginSessions(places: places)
    pinentries = places.pinentries
    self.reader = reader
    programs = AuthenticationPrograms(places: places)
    stacks = StackFinder(places: places)
  }

  func availability(
    of method: AuthenticationMethod, account: UserAccountName, peer: PeerFacts
  ) -> MethodAvailability {
    do throws(Refusal) {
      _ = try prepare(method, account, peer)
      return .ready
    } catch { return .unavailable(error) }
  }

  func prove(_ request: ProofRequest, over channel: any PromptChannel) -> ProofOutcome {
    do throws(Refusal) {
      guard let channel = channel as? any PresentingChannel else {
        throw Refusal(.internalFailure, detail: "a channel that cannot be asked where to prompt")
      }
      return .proved(try prove(request, over: channel))
    } catch { return .refused(error) }
  }

  func passcodeMark(account: UserAccountName) -> [UInt8] { passcodeMarks.mark(of: account) }

  func passcodeRemoval(account: UserAccountName) -> PasscodeRemoval { AccountFacts(account).removal() }

  /// What can run here and now of what is wanted, with the stacks.
  private struct Runnable {
    var alternatives: [MethodSet] = []
    var stacks: [AuthenticationMethod: CheckedStack] = [:]
    /// What the person should know: that fingers are locked, say.
    var remark: Reason?
  }

  /// The alternatives of which every method can run; else why the last cannot.
  private func runnable(_ request: ProofRequest, _ peer: PeerFacts) throws(Refusal) -> Runnable {
    var found = Runnable(remark: request.remark)
    var last = Refusal(.noMethodAllowed)
    for alternative in request.requirement.alternatives {
      do throws(Refusal) {
        for method in AuthenticationMethod.allCases where alternative.contains(method) {
          found.stacks[method] = try prepare(method, request.account, peer)
        }
        if alternative == .biometry, case .stop(let refusal) = request.finger.standing() {
          found.remark = refusal.reason
          throw refusal
        }
        found.alternatives.append(alternative)
      } catch { last = error }
    }
    guard !found.alternatives.isEmpty else { throw last }
    return found
  }

  /// Everything that can be known before anything is shown: programs, account, reader, stack.
  private func prepare(
    _ method: AuthenticationMethod, _ account: UserAccountName, _ peer: PeerFacts
  ) throws(Refusal) -> CheckedStack {
    try programs.requireHelper()
    switch method {
    case .passcode:
      let stack = try stacks.find(.passcode)
      try AccountFacts(account).requirePasscode()
      return stack
    case .biometry:
      // One that is in use may be free in a moment: the dialogue tries again.
      if case .unavailable(let refusal) = reader.facts(for: account, peer: peer), refusal.reason != .readerBusy {
        throw refusal
      }
      let stack = try stacks.find(.biometry)
      // pam_unix asks for the account alone after a finger, and lets a locked passcode pass.
      try AccountFacts(account).requirePasscode()
      return stack
    }
  }

  private func prove(
    _ asked: ProofRequest, over channel: any PresentingChannel
  ) throws(Refusal) -> [VerifiedEvidence] {
    guard let peer = asked.terms.first?.peer else { throw Refusal(.internalFailure, detail: "a proof for nothing") }
    let runnable = try runnable(asked, peer)
    var request = asked
    request.remark = runnable.remark
    var watch = DialogueWatch(
      channel: channel, deadline: request.deadline.nanoseconds, standing: request.standing)
    let presentation = try channel.presentation(until: watch.deadline)
    try watch.requireWanted()
    let place = try PromptPlace(presentation, account: request.account, peer: peer, pinentries: pinentries)
    if let site = place.site { request.placed(site) }
    watch.foreground = place.terminal.flatMap { try? Terminal.device($0) }
      .map { ForegroundCheck(device: $0, process: peer.process) }
    let scene = PromptScene(place: place, session: sessions.session(of: peer.process))
    let legs = try legs(runnable, place)
    let finger = legs.finger.map { stack in
      FingerLeg(
        FingerLeg.Setting(
          request: request, peer: peer, stack: stack, terminalName: scene.terminalName, programs: programs,
          reader: reader, turns: turns, prompt: ReaderTurns.Prompt(request, place, peer)))
    }
    let dialogue = ProofDialogue(
      request: request, legs: legs, finger: finger, scene: scene, programs: programs, gate: gate, watch: watch)
    return try dialogue.run().flatMap { Evidence.of($0, for: request) }
  }

  /// A passcode that was handed in is all there is: nobody is there to be told that a finger is wanted.
  private func legs(_ runnable: Runnable, _ place: PromptPlace) throws(Refusal) -> DialogueLegs {
    var alternatives = runnable.alternatives
    if case .supplied = place {
      alternatives.removeAll { $0 != .passcode }
      guard !alternatives.isEmpty else {
        throw runnable.alternatives == [.biometry] ? Refusal(.userFallback) : Refusal(.noWayToPrompt)
      }
    }
    let stacks = runnable.stacks
    guard let legs = DialogueLegs(alternatives, passcode: stacks[.passcode], finger: stacks[.biometry]) else {
      throw Refusal(.noMethodAllowed)
    }
    return legs
  }
}

extension ReaderTurns.Prompt {
  fileprivate init(_ request: ProofRequest, _ place: PromptPlace, _ peer: PeerFacts) {
    let file = place.terminal.flatMap { try? TerminalFile(of: $0) }
    self.init(
      uid: request.account.uid,
      place: file.map { .terminal($0, session: peer.session) } ?? .window(.random(in: 0 ... .max)),
      description: HoldingPrompt(
        program: ShownText(request.texts.program), service: ShownText(request.texts.service.bytes),
        site: HoldingPrompt.Site(place.site)))
  }
}

extension HoldingPrompt.Site {
  fileprivate init(_ site: PromptSite?) {
    switch site {
    case .named(let name): self = .named(ShownText(name))
    case .ownTerminal: self = .ownTerminal
    case .nameless, nil: self = .nameless
    }
  }
}
