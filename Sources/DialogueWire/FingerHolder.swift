/// Who has the fingerprint reader that a prompt waits for.
public enum FingerHolder: Hashable, Sendable {
  /// A program that is none of Latchkey's.
  case somebody
  /// A prompt of another user's.
  case prompt
  /// A prompt of the same user's.
  case ownPrompt(HoldingPrompt)
}

/// What a prompt that has the reader is about. All of it but the terminal's name is others' words.
public struct HoldingPrompt: Hashable, Sendable {
  /// The program that asks.
  public var program: ShownText
  /// The service; empty where it is the keychain itself.
  public var service: ShownText
  /// The terminal's or display's name; empty where it has none.
  public var terminal: ShownText

  /// Describes a prompt.
  public init(program: ShownText, service: ShownText, terminal: ShownText) {
    self.program = program
    self.service = service
    self.terminal = terminal
  }
}

extension PacketWriter {
  mutating func holder(_ value: FingerHolder) throws(DialogueError) {
    switch value {
    case .somebody: try byte(1)
    case .prompt: try byte(2)
    case .ownPrompt(let prompt):
      try byte(3)
      for text in [prompt.program, prompt.service, prompt.terminal] { try shown(text) }
    }
  }
}

extension PacketReader {
  mutating func holder() throws(DialogueError) -> FingerHolder {
    switch try byte() {
    case 1: .somebody
    case 2: .prompt
    case 3: .ownPrompt(HoldingPrompt(program: try shown(), service: try shown(), terminal: try shown()))
    case let other: throw .unknownKind(other)
    }
  }
}
