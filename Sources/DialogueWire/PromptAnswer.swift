public import SecretMemory

/// What a prompter sends its PAM helper: one for each question.
public enum PromptAnswer: DialogueMessage {
  /// The typed bytes, 0 to 511; a longer line is refused by the prompter, never cut.
  case answer(id: UInt32, SecretBytes)
  /// There will be no answer.
  case cancelled(PromptCancellation)

  /// Who sends this message and who receives it.
  public static var direction: Direction { .prompterToHelper }

  /// Writes the fields in the order the format states.
  public func write(to packet: inout PacketWriter) throws(DialogueError) {
    switch self {
    case .answer(let id, let bytes):
      try packet.byte(1)
      try packet.number(id)
      try packet.secret(bytes, in: AnswerSource.answerRange)
    case .cancelled(let why):
      try packet.byte(2)
      try packet.byte(why.rawValue)
    }
  }

  /// Reads the fields back; throws on anything that is not exactly one such message.
  public init(from packet: inout PacketReader) throws(DialogueError) {
    switch try packet.byte() {
    case 1: self = .answer(id: try packet.number(), try packet.secret(in: AnswerSource.answerRange))
    case 2: self = .cancelled(try packet.choice())
    case let other: throw .unknownKind(other)
    }
  }
}

/// Why a question has no answer.
public enum PromptCancellation: UInt8, CaseIterable, Sendable {
  /// The person cancelled.
  case userCancelled = 1
  /// The terminal or display went away.
  case terminalGone = 2
  /// Nobody answered in time.
  case deadlinePassed = 3
  /// The typed line is longer than 511 bytes.
  case answerTooLong = 4
}
