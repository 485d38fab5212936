internal import AccessPolicy
internal import DialogueWire
internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import PAMModel

/// The programs of one dialogue: the helper, and the prompter where somebody is asked.
final class DialogueCast {
  /// Runs PAM.
  let helper: HelperProcess
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
    _ proof: ProofRequest, stack: CheckedStack, place: PromptPlace, order: DerivationOrder?,
    programs: AuthenticationPrograms
  ) throws(Refusal) {
    var request = HelperRequest(
      stack: stack.name, pamDirectory: stack.directory, user: proof.account.name, uid: proof.account.uid,
      answers: .prompter)
    request.terminalName = place.terminalName
    request.deadline = proof.deadline.nanoseconds
    request.derivation = order
    if case .supplied(let passcode) = place {
      request.answers = .supplied(passcode)
      prompter = nil
      helper = try HelperProcess(programs.helper, request, prompter: nil)
      return
    }
    request.tries = min(max(proof.requirement.tries, 1), HelperRequest.triesRange.upperBound)
    let (questions, answers) = try Self.channel()
    try programs.requirePrompter()
    helper = try HelperProcess(programs.helper, request, prompter: questions)
    prompter = try PrompterProcess(
      PrompterProcess.Order(
        program: programs.prompter, user: try Self.person(proof.account), terminal: place.terminal,
        setup: Self.setup(proof, place), helper: answers))
  }

  /// The helper's, and the prompter's while it has the surface.
  var descriptors: [OwnedDescriptor] {
    guard let prompter, prompter.standing == .running else { return [helper.descriptor] }
    return [helper.descriptor, prompter.descriptor]
  }

  /// Ends the dialogue in order; `verdict` is for a helper that waits for one.
  func end(telling verdict: PromptVerdict?) {
    if let verdict { try? helper.tell(.finish(verdict)) }
    let moment = Clock.boottime + Self.orderlyTime
    prompter?.end(by: moment)
    helper.end(by: moment)
  }

  /// Breaks the dialogue off: a prompter that loses its helper gives the surface back by itself.
  func endAtOnce() {
    helper.kill()
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

  private static func setup(_ proof: ProofRequest, _ place: PromptPlace) -> PromptSetup {
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
    return setup
  }
}
