internal import AccessPolicy
internal import DialogueWire
internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import PAMModel

/// The programs of one dialogue: the helper, and the prompter where somebody is asked.
final class DialogueCast {
  /// Runs PAM for the passcode; `nil` where only a finger is asked for.
  let helper: HelperProcess?
  /// Asks; `nil` where the passcode is here already.
  let prompter: PrompterProcess?

  /// How long programs may take to end a dialogue by themselves: the prompter's own patience with a terminal that takes
  /// no output, and a little more. Nanoseconds.
  private static let orderlyTime: UInt64 = 2_500_000_000
  /// How long the prompter may take to give the surface back where the dialogue was broken off: nanoseconds.
  private static let abruptTime: UInt64 = 120_000_000

  /// Starts them.
  ///
  /// - Throws: ``Refusal``: `helperFailed`, `noWayToPrompt`.
  init(
    _ proof: ProofRequest, legs: DialogueLegs, scene: PromptScene, order: DerivationOrder?,
    programs: AuthenticationPrograms
  ) throws(Refusal) {
    let place = scene.place
    guard let stack = legs.passcode else {
      helper = nil
      prompter = try Self.prompter(proof, legs, place, programs, answering: nil)
      return
    }
    var request = HelperRequest(
      stack: stack.name, pamDirectory: stack.directory, user: proof.account.name, uid: proof.account.uid,
      answers: .prompter)
    request.terminalName = scene.terminalName
    request.remoteHost = scene.remoteHost
    request.deadline = proof.deadline.nanoseconds
    request.derivation = order
    // Nobody knows when a person answers: until then others derive.
    request.derivationStart = .onTurn
    if case .supplied(let passcode) = place {
      request.answers = .supplied(passcode)
      request.derivationStart = .withAnswer
      prompter = nil
      helper = try HelperProcess(programs, request, prompter: nil)
      return
    }
    request.tries = min(max(proof.requirement.tries, 1), HelperRequest.triesRange.upperBound)
    let (questions, answers) = try Self.channel()
    try programs.requirePrompter()
    helper = try HelperProcess(programs, request, prompter: questions)
    prompter = try Self.prompter(proof, legs, place, programs, answering: answers)
  }

  private static func prompter(
    _ proof: ProofRequest, _ legs: DialogueLegs, _ place: PromptPlace, _ programs: AuthenticationPrograms,
    answering helper: DialogueChannel?
  ) throws(Refusal) -> PrompterProcess {
    try programs.requirePrompter()
    return try PrompterProcess(
      PrompterProcess.Order(
        program: programs.prompter, user: try person(proof.account), terminal: place.terminal,
        setup: setup(proof, legs, place), helper: helper))
  }

  /// The prompter's channel while it has the surface.
  var prompterDescriptor: OwnedDescriptor? {
    guard let prompter, prompter.standing == .running else { return nil }
    return prompter.descriptor
  }

  /// Ends the dialogue in order; `verdict` is for a helper that waits for one, or else for the prompter.
  func end(telling verdict: PromptVerdict?) {
    guard let helper else { return overrule(verdict ?? .succeeded) }
    if let verdict { try? helper.tell(.finish(verdict)) }
    let moment = Clock.boottime + Self.orderlyTime
    prompter?.end(by: moment)
    helper.end(by: moment)
  }

  /// Ends the dialogue whatever the helper is doing: the prompter gives the surface back first, and what was typed with it.
  func overrule(_ verdict: PromptVerdict) {
    prompter?.tell(.done(verdict))
    prompter?.end(by: Clock.boottime + Self.orderlyTime)
    helper?.kill()
  }

  /// Breaks the dialogue off: a prompter that loses its helper gives the surface back by itself.
  func endAtOnce() {
    helper?.kill()
    prompter?.end(by: Clock.boottime + Self.abruptTime)
  }

  private static func channel() throws(Refusal) -> (DialogueChannel, DialogueChannel) {
    do { return try DialogueChannel.pair() } catch { throw Refusal(.helperFailed, detail: "\(error)") }
  }

  /// The prompter runs as the person it asks: it must reach that person's terminal and display and nothing else.
  private static func person(_ account: UserAccountName) throws(Refusal) -> UserAccount? {
    guard Users.effectiveUserID != account.uid else { return nil }
    guard let person = try? Users.account(account.name), person.uid == account.uid else {
      throw Refusal(.helperFailed, detail: "there is no account \(account.name)")
    }
    return person
  }

  private static func setup(_ proof: ProofRequest, _ legs: DialogueLegs, _ place: PromptPlace) -> PromptSetup {
    let texts = proof.texts
    var setup = PromptSetup(
      surface: .terminal, user: ShownText(proof.account.name), deadline: proof.deadline.nanoseconds)
    if case .display(let plan) = place {
      setup.surface = .pinentry(plan)
      let language = plan.environment["LC_ALL"] ?? plan.environment["LANG"] ?? ""
      setup.language = language.utf8.count <= 64 ? language : ""
    }
    setup.program = ShownText(texts.program)
    setup.purpose = ShownText(texts.purpose)
    setup.service = ShownText(texts.service.bytes)
    setup.label = ShownText(texts.label.bytes)
    setup.reason = ShownText(texts.reason.bytes)
    setup.finger = legs.offer
    setup.fallback = FallbackOffer(texts.titles.fallback)
    setup.cancelTitle = texts.titles.cancel.map { ShownText($0.bytes) } ?? .none
    setup.remark = proof.remark.map { ShownText($0.explanation) } ?? .none
    return setup
  }
}

extension FallbackOffer {
  fileprivate init(_ title: FallbackTitle) {
    switch title {
    case .usual: self = .usual
    case .hidden: self = .hidden
    case .named(let words): self = .named(ShownText(words.bytes))
    }
  }
}
