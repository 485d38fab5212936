/// What the daemon tells a prompter after its ``PromptSetup``, about the finger that is asked for beside the helper's questions.
public enum PrompterCue: DialogueMessage {
  /// Show: what the reader's module says.
  case say(MessageStyle, ShownText)
  /// The reader is this prompt's: a finger shown now is for it.
  case fingerWanted
  /// The reader is not this prompt's: a finger shown now is for somebody else.
  case fingerWaits(FingerHolder)
  /// No finger is taken any more, and why (empty: nothing need be said); the questions go on.
  case fingerOver(ShownText)
  /// The last message: restore the terminal and end.
  case done(PromptVerdict)

  /// Who sends this message and who receives it.
  public static var direction: Direction { .daemonToPrompter }

  /// Writes the fields in the order the format states.
  public func write(to packet: inout PacketWriter) throws(DialogueError) {
    switch self {
    case .say(let style, let text):
      try packet.byte(2)
      try packet.byte(style.rawValue)
      try packet.shown(text)
    case .fingerOver(let text):
      try packet.byte(3)
      try packet.shown(text)
    case .done(let verdict):
      try packet.byte(4)
      try packet.verdict(verdict)
    case .fingerWanted: try packet.byte(5)
    case .fingerWaits(let holder):
      try packet.byte(6)
      try packet.holder(holder)
    }
  }

  /// Reads the fields back; throws on anything that is not exactly one such message.
  public init(from packet: inout PacketReader) throws(DialogueError) {
    switch try packet.byte() {
    case 2: self = .say(try packet.choice(), try packet.shown())
    case 3: self = .fingerOver(try packet.shown())
    case 4: self = .done(try packet.verdict())
    case 5: self = .fingerWanted
    case 6: self = .fingerWaits(try packet.holder())
    case let other: throw .unknownKind(other)
    }
  }
}
