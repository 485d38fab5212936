/// What a PAM helper sends its prompter.
public enum PromptMessage: DialogueMessage {
  /// Ask; answered by ``PromptAnswer`` with the same id.
  case question(PromptQuestion)
  /// Show: a module's information.
  case info(ShownText)
  /// Show: a module's error, or a wrong answer.
  case error(ShownText)
  /// The last message: restore the terminal and end.
  case done(PromptVerdict)

  /// Who sends this message and who receives it.
  public static var direction: Direction { .helperToPrompter }

  /// Writes the fields in the order the format states.
  public func write(to packet: inout PacketWriter) throws(DialogueError) {
    switch self {
    case .question(let question):
      try packet.byte(1)
      try packet.number(question.id)
      try packet.byte(question.echo.rawValue)
      try packet.byte(question.purpose.rawValue)
      try packet.shown(question.text)
    case .info(let text):
      try packet.byte(2)
      try packet.shown(text)
    case .error(let text):
      try packet.byte(3)
      try packet.shown(text)
    case .done(let verdict):
      try packet.byte(4)
      try packet.verdict(verdict)
    }
  }

  /// Reads the fields back; throws on anything that is not exactly one such message.
  public init(from packet: inout PacketReader) throws(DialogueError) {
    switch try packet.byte() {
    case 1:
      self = .question(
        PromptQuestion(
          id: try packet.number(), echo: try packet.choice(), purpose: try packet.choice(), text: try packet.shown()))
    case 2: self = .info(try packet.shown())
    case 3: self = .error(try packet.shown())
    case 4: self = .done(try packet.verdict())
    case let other: throw .unknownKind(other)
    }
  }
}

/// One question.
public struct PromptQuestion: Hashable, Sendable {
  /// Grows by one with each question of a session.
  public var id: UInt32
  /// Whether typed characters are shown.
  public var echo: QuestionEcho
  /// Who asks.
  public var purpose: QuestionPurpose
  /// The module's own words; empty for the old passcode, which the prompter words itself.
  public var text: ShownText

  /// Makes a question.
  public init(id: UInt32, echo: QuestionEcho, purpose: QuestionPurpose, text: ShownText) {
    self.id = id
    self.echo = echo
    self.purpose = purpose
    self.text = text
  }
}

/// Why a question is asked.
public enum QuestionPurpose: UInt8, CaseIterable, Sendable {
  /// A PAM module asks.
  case stack = 1
  /// The keybag needs the passcode from before it was changed.
  case oldPasscode = 2
}

/// How it ended, as the person is told.
public enum PromptVerdict: Hashable, Sendable {
  /// The proof was accepted; nothing need be shown.
  case succeeded
  /// It was not; the text says why in words for people.
  case failed(ShownText)
}

extension PacketWriter {
  mutating func verdict(_ value: PromptVerdict) throws(DialogueError) {
    switch value {
    case .succeeded: try byte(1)
    case .failed(let text):
      try byte(2)
      try shown(text)
    }
  }
}

extension PacketReader {
  mutating func verdict() throws(DialogueError) -> PromptVerdict {
    switch try byte() {
    case 1: .succeeded
    case 2: .failed(try shown())
    case let other: throw .unknownKind(other)
    }
  }
}
