public import PAMModel

/// What one call of a session came to.
public struct PAMReply: Hashable, Sendable {
  /// PAM's answer.
  public var result: PAMResult
  /// Why the conversation was refused, if it was; then the answer counts for nothing, whatever it is.
  public var refusal: ConversationRefusal?
  /// How many hidden questions were answered in this try.
  public var hiddenAnswers: Int
  /// The longest delay that a module asked for: microseconds. Nobody slept it.
  public var delayMicroseconds: UInt32
  /// What modules told in this try, a line each: at most 512 bytes, not checked in any way.
  public var text: [UInt8]
}

/// Whom a session authenticates, and from where.
public struct PAMSubject: Hashable, Sendable {
  /// The account's name.
  public var user: String
  /// PAM_TTY; empty for none.
  public var terminalName: String
  /// PAM_RHOST; empty for none.
  public var remoteHost: String

  /// Describes an account.
  public init(user: String, terminalName: String = "", remoteHost: String = "") {
    self.user = user
    self.terminalName = terminalName
    self.remoteHost = remoteHost
  }
}

/// libpam could not start the transaction.
public struct PAMStartFailure: Error, Hashable, Sendable {
  /// What it answered: `.abort` for a folder or file it cannot read.
  public var result: PAMResult

  /// Names the answer.
  public init(result: PAMResult) { self.result = result }
}
