public import PAMModel
public import SecretMemory

/// How an authentication ended.
public enum HelperOutcome: Sendable {
  /// PAM accepted the account, and PAM_USER was the one asked for.
  case proved(HelperProof)
  /// It did not.
  case failed(HelperFailure)
}

/// What a PAM success is worth.
public struct HelperProof: Sendable {
  /// PAM_USER after the success; the helper has compared it.
  public var user: String
  /// How many echo-off questions were answered. 0: the stack accepts without asking, which proves nothing. 1: a
  /// passcode proof. More: presence, but no key.
  public var questionCount: UInt8
  /// The derived key, 32 bytes: only with exactly one question and when a derivation was asked for.
  public var stretched: SecretBytes?

  /// Makes a proof.
  public init(user: String, questionCount: UInt8, stretched: SecretBytes?) {
    self.user = user
    self.questionCount = questionCount
    self.stretched = stretched
  }
}

/// Why there is no proof.
public struct HelperFailure: Error, Hashable, Sendable {
  /// How far it went.
  public var stage: HelperStage
  /// What went wrong; `.refusedByStack` means that ``result`` says it.
  public var cause: HelperFailureCause
  /// PAM's last answer; `.success` when PAM was not the one to fail.
  public var result: PAMResult
  /// How many answers were wrong, the last one included.
  public var missCount: UInt8
  /// The delay that the stack asked for, which the helper did not sleep: microseconds.
  public var delayMicroseconds: UInt32
  /// What modules said in the last try, a line each.
  public var moduleText: ShownText

  /// Makes a failure without misses, delay and text.
  public init(stage: HelperStage, cause: HelperFailureCause, result: PAMResult = .success) {
    self.stage = stage
    self.cause = cause
    self.result = result
    missCount = 0
    delayMicroseconds = 0
    moduleText = .none
  }
}

/// The steps of an authentication.
public enum HelperStage: UInt8, CaseIterable, Sendable {
  /// Reading the request, finding the stack, pam_start(3).
  case start = 1
  /// pam_authenticate(3).
  case authenticate = 2
  /// pam_acct_mgmt(3).
  case account = 3
  /// Comparing PAM_USER.
  case user = 4
  /// Deriving the key.
  case derivation = 5
}

/// What ended an authentication without a proof.
public enum HelperFailureCause: UInt8, CaseIterable, Sendable {
  /// PAM said no; the result and the stage say why.
  case refusedByStack = 1
  /// The stack's file does not exist.
  case stackMissing = 2
  /// The stack's file or folder cannot be used.
  case stackUnusable = 3
  /// The request does not fit this helper (another uid, an unknown account).
  case requestRefused = 4
  /// PAM_USER is not the one asked for.
  case userChanged = 5
  /// The answer was empty; PAM never saw it.
  case emptyAnswer = 6
  /// The answer was longer than 511 bytes; PAM never saw it.
  case answerTooLong = 7
  /// The stack asked something that cannot be answered here.
  case unexpectedQuestion = 8
  /// The stack sent no message, more than 32, or one of an unknown style.
  case conversationRefused = 9
  /// The person cancelled.
  case cancelledByUser = 10
  /// The terminal or display went away.
  case terminalGone = 11
  /// Nobody answered in time.
  case deadlinePassed = 12
  /// The prompter broke the protocol or vanished.
  case prompterFailed = 13
  /// The key could not be derived, or locked memory ran out.
  case derivationFailed = 14
  /// The answer held a NUL, where PAM would cut it; PAM never saw it.
  case answerHasNUL = 15
  /// The stack's file visibly accepts without a proof.
  case stackCannotFail = 16
}

extension PacketWriter {
  mutating func outcome(_ value: HelperOutcome) throws(DialogueError) {
    switch value {
    case .proved(let proof):
      try byte(1)
      try text(proof.user, in: 1...256)
      try byte(proof.questionCount)
      try flag(proof.stretched != nil)
      if let key = proof.stretched { try secret(key, in: HelperEvent.keyRange) }
    case .failed(let failure):
      try byte(2)
      try byte(failure.stage.rawValue)
      try byte(failure.cause.rawValue)
      try number(failure.result.code)
      try byte(failure.missCount)
      try number(failure.delayMicroseconds)
      try shown(failure.moduleText)
    }
  }
}

extension PacketReader {
  mutating func outcome() throws(DialogueError) -> HelperOutcome {
    switch try byte() {
    case 1: .proved(try proof())
    case 2: .failed(try failure())
    case let other: throw .unknownKind(other)
    }
  }

  private mutating func proof() throws(DialogueError) -> HelperProof {
    let user = try text(in: 1...256)
    let questionCount = try byte()
    let stretched = try flag() ? try secret(in: HelperEvent.keyRange) : nil
    guard stretched == nil || questionCount == 1 else { throw .outOfBounds }
    return HelperProof(user: user, questionCount: questionCount, stretched: stretched)
  }

  private mutating func failure() throws(DialogueError) -> HelperFailure {
    var failure = HelperFailure(
      stage: try choice(), cause: try choice(), result: PAMResult(code: try number()))
    failure.missCount = try byte()
    failure.delayMicroseconds = try number()
    failure.moduleText = try shown()
    return failure
  }
}
