public import SecretMemory

/// Who answers a stack's questions and shows what its modules say. Called on the thread that runs PAM.
public protocol PAMConversant: AnyObject {
  /// Answers one question with 0 to 511 bytes.
  ///
  /// - Throws: ``ConversationRefusal``; it ends the authentication.
  func answer(_ question: PAMQuestion) throws(ConversationRefusal) -> SecretBytes
  /// Shows what a module says; never fails.
  func show(_ notice: PAMNotice)
}

/// A question of a PAM module.
public struct PAMQuestion: Hashable, Sendable {
  /// Whether the typed characters are shown (PAM_PROMPT_ECHO_ON) or not (PAM_PROMPT_ECHO_OFF).
  public var isHidden: Bool
  /// The module's words: at most 512 bytes, not checked in any way.
  public var text: [UInt8]

  /// Makes a question.
  public init(isHidden: Bool, text: [UInt8]) {
    self.isHidden = isHidden
    self.text = text
  }
}

/// What a PAM module tells.
public struct PAMNotice: Hashable, Sendable {
  /// Whether it is an error (PAM_ERROR_MSG) or information (PAM_TEXT_INFO).
  public var isError: Bool
  /// The module's words: at most 512 bytes, not checked in any way.
  public var text: [UInt8]

  /// Makes a notice.
  public init(isError: Bool, text: [UInt8]) {
    self.isError = isError
    self.text = text
  }
}

/// Why a conversation ended in a refusal. It sticks: every later question of the session is refused too.
public enum ConversationRefusal: Error, Hashable, Sendable {
  /// A call with no message, or more than 32 (PAM_MAX_NUM_MSG of pam_conv(3)).
  case batchOutOfBounds(Int32)
  /// A message of a style that pam_conv(3) does not define.
  case unknownStyle(Int32)
  /// A question without a place for its answer.
  case nowhereToAnswer
  /// The answer to a hidden question is empty.
  case emptyAnswer
  /// The answer is longer than 511 bytes (PAM_MAX_RESP_SIZE less its NUL).
  case answerTooLong
  /// The answer holds a NUL, where C would cut it.
  case answerHasNUL
  /// No memory for the answers.
  case noMemory
  /// The stack asks something that cannot be answered here.
  case unexpectedQuestion
  /// The person cancelled.
  case cancelled
  /// The terminal or display went away.
  case surfaceGone
  /// Nobody answered in time.
  case deadlinePassed
  /// Whoever carries the questions broke down.
  case carrierFailed
}
