/// Who has the fingerprint reader that a prompt waits for.
public enum FingerHolder: Hashable, Sendable {
  /// A program that is none of Latchkey's.
  case somebody
  /// A prompt of another user's.
  case prompt
  /// A prompt of the same user's.
  case ownPrompt(HoldingPrompt)
}

/// What a prompt that has the reader is about. All of it but where it stands is others' words.
public struct HoldingPrompt: Hashable, Sendable {
  /// The program that asks.
  public var program: ShownText
  /// The service; empty where it is the keychain itself.
  public var service: ShownText
  /// Where it stands.
  public var site: Site

  /// Where a prompt stands.
  public enum Site: Hashable, Sendable {
    /// At a terminal or display of this name.
    case named(ShownText)
    /// At a terminal that has no name here: one of a mount namespace of its own.
    case ownTerminal
    /// At a display that has no name.
    case nameless
  }

  /// Describes a prompt.
  public init(program: ShownText, service: ShownText, site: Site) {
    self.program = program
    self.service = service
    self.site = site
  }
}

extension PacketWriter {
  mutating func holder(_ value: FingerHolder) throws(DialogueError) {
    switch value {
    case .somebody: try byte(1)
    case .prompt: try byte(2)
    case .ownPrompt(let prompt):
      try byte(3)
      try shown(prompt.program)
      try shown(prompt.service)
      try site(prompt.site)
    }
  }

  private mutating func site(_ value: HoldingPrompt.Site) throws(DialogueError) {
    switch value {
    case .named(let name):
      try byte(1)
      try shown(name)
    case .ownTerminal: try byte(2)
    case .nameless: try byte(3)
    }
  }
}

extension PacketReader {
  mutating func holder() throws(DialogueError) -> FingerHolder {
    switch try byte() {
    case 1: .somebody
    case 2: .prompt
    case 3: .ownPrompt(HoldingPrompt(program: try shown(), service: try shown(), site: try site()))
    case let other: throw .unknownKind(other)
    }
  }

  private mutating func site() throws(DialogueError) -> HoldingPrompt.Site {
    switch try byte() {
    case 1: .named(try shown())
    case 2: .ownTerminal
    case 3: .nameless
    case let other: throw .unknownKind(other)
    }
  }
}
