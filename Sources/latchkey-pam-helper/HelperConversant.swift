internal import DialogueWire
internal import PAMSession
internal import SecretMemory

/// Carries PAM's questions to whoever answers them, and starts the derivation from the first hidden answer of a try when
/// it may.
final class HelperConversant: PAMConversant {
  private let answers: AnswerSource
  private let daemon: DaemonLink
  private let prompter: PrompterLink?
  private let parameters: StretchingParameters?
  private let start: DerivationStart
  private var hasSupplied = false

  /// The first hidden answer of this try.
  private(set) var passcode: SecretBytes?
  /// What is being derived from it.
  private(set) var derivation: Derivation?
  /// Whether this try's answer is derived beside PAM; not where the daemon has put it off.
  private(set) var turn = DerivationTurn.now

  init(
    _ request: HelperRequest, parameters: StretchingParameters?, daemon: DaemonLink, prompter: PrompterLink?
  ) {
    answers = request.answers
    start = request.derivationStart
    self.parameters = parameters
    self.daemon = daemon
    self.prompter = prompter
  }

  /// Forgets the last try's answer.
  func beginTry() {
    passcode = nil
    turn = .now
  }

  /// Waits for the end of what is being derived, so that the turn the daemon gave is over when a refusal is told.
  func endTurn() {
    guard start == .onTurn, turn == .now else { return }
    _ = derivation?.key()
  }

  func answer(_ question: PAMQuestion) throws(ConversationRefusal) -> SecretBytes {
    let answer = try reply(to: question)
    if question.isHidden, passcode == nil, answer.count > 0 {
      passcode = answer
      if let parameters { derive(answer, parameters) }
    }
    return answer
  }

  private func derive(_ answer: SecretBytes, _ parameters: StretchingParameters) {
    if start == .onTurn { turn = daemon.askTurn() }
    guard turn == .now else { return }
    derivation = Derivation(of: answer, parameters, after: derivation)
  }

  func show(_ notice: PAMNotice) {
    let text = ShownText(notice.text)
    daemon.tell(.message(notice.isError ? .error : .info, text))
    prompter?.show(notice.isError ? .error(text) : .info(text))
  }

  private func reply(to question: PAMQuestion) throws(ConversationRefusal) -> SecretBytes {
    let echo: QuestionEcho = question.isHidden ? .off : .on
    switch answers {
    case .none: throw .unexpectedQuestion
    case .supplied(let passcode):
      guard question.isHidden, !hasSupplied else { throw .unexpectedQuestion }
      hasSupplied = true
      daemon.tell(.asking(echo))
      return passcode
    case .prompter:
      guard let prompter else { throw .carrierFailed }
      daemon.tell(.asking(echo))
      do throws(QuestionFailure) {
        return try prompter.ask(echo, .stack, ShownText(question.text))
      } catch { throw ConversationRefusal(error) }
    }
  }
}

extension ConversationRefusal {
  init(_ failure: QuestionFailure) {
    switch failure {
    case .broken: self = .carrierFailed
    case .cancelled(.userCancelled): self = .cancelled
    case .cancelled(.terminalGone): self = .surfaceGone
    case .cancelled(.deadlinePassed): self = .deadlinePassed
    case .cancelled(.answerTooLong): self = .answerTooLong
    }
  }
}

extension HelperFailureCause {
  init(_ refusal: ConversationRefusal) {
    switch refusal {
    case .batchOutOfBounds, .unknownStyle, .nowhereToAnswer: self = .conversationRefused
    case .emptyAnswer: self = .emptyAnswer
    case .answerTooLong: self = .answerTooLong
    case .answerHasNUL: self = .answerHasNUL
    case .noMemory: self = .derivationFailed
    case .unexpectedQuestion: self = .unexpectedQuestion
    case .cancelled: self = .cancelledByUser
    case .surfaceGone: self = .terminalGone
    case .deadlinePassed: self = .deadlinePassed
    case .carrierFailed: self = .prompterFailed
    }
  }
}
