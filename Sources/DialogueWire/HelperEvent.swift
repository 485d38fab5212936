public import SecretMemory

/// What a PAM helper tells the daemon: `started`, any number of the middle ones, one `result`; then answers to
/// ``HelperFollowUp``.
public enum HelperEvent: DialogueMessage {
  /// The request was understood and PAM is about to run.
  case started
  /// A question is up.
  case asking(QuestionEcho)
  /// A module said something.
  case message(MessageStyle, ShownText)
  /// An answer was wrong and another try follows.
  case miss(HelperMiss)
  /// How the authentication ended.
  case result(HelperOutcome)
  /// The key derived for a ``HelperFollowUp``: 32 bytes.
  case stretched(SecretBytes)
  /// The question of a ``HelperFollowUp`` was not answered.
  case cancelled(HelperFailureCause)
  /// The passcode of a try is here; PAM gets it once the daemon has sent a ``DerivationTurn``.
  case answered

  /// How long a derived key is.
  static let keyRange = 32...32

  /// Who sends this message and who receives it.
  public static var direction: Direction { .helperToDaemon }

  /// Writes the fields in the order the format states.
  public func write(to packet: inout PacketWriter) throws(DialogueError) {
    switch self {
    case .started: try packet.byte(1)
    case .asking(let echo):
      try packet.byte(2)
      try packet.byte(echo.rawValue)
    case .message(let style, let text):
      try packet.byte(3)
      try packet.byte(style.rawValue)
      try packet.shown(text)
    case .miss(let miss):
      try packet.byte(4)
      try packet.number(miss.count)
      try packet.number(miss.delayMicroseconds)
    case .result(let outcome):
      try packet.byte(5)
      try packet.outcome(outcome)
    case .stretched(let key):
      try packet.byte(6)
      try packet.secret(key, in: Self.keyRange)
    case .cancelled(let cause):
      try packet.byte(7)
      try packet.byte(cause.rawValue)
    case .answered: try packet.byte(8)
    }
  }

  /// Reads the fields back; throws on anything that is not exactly one such message.
  public init(from packet: inout PacketReader) throws(DialogueError) {
    switch try packet.byte() {
    case 1: self = .started
    case 2: self = .asking(try packet.choice())
    case 3: self = .message(try packet.choice(), try packet.shown())
    case 4: self = .miss(HelperMiss(count: try packet.number(), delayMicroseconds: try packet.number()))
    case 5: self = .result(try packet.outcome())
    case 6: self = .stretched(try packet.secret(in: Self.keyRange))
    case 7: self = .cancelled(try packet.choice())
    case 8: self = .answered
    case let other: throw .unknownKind(other)
    }
  }
}

/// A wrong answer.
public struct HelperMiss: Hashable, Sendable {
  /// The how manieth wrong answer of this session, from 1.
  public var count: UInt8
  /// The delay that the stack asked for, which the helper did not sleep: microseconds.
  public var delayMicroseconds: UInt32

  /// Makes a miss.
  public init(count: UInt8, delayMicroseconds: UInt32) {
    self.count = count
    self.delayMicroseconds = delayMicroseconds
  }
}

/// How a module's message is meant (pam_conv(3)).
public enum MessageStyle: UInt8, CaseIterable, Sendable {
  /// PAM_TEXT_INFO.
  case info = 1
  /// PAM_ERROR_MSG.
  case error = 2
}

/// Whether typed characters are shown (pam_conv(3)).
public enum QuestionEcho: UInt8, CaseIterable, Sendable {
  /// PAM_PROMPT_ECHO_OFF.
  case off = 1
  /// PAM_PROMPT_ECHO_ON.
  case on = 2
}
