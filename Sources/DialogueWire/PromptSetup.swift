/// What the daemon tells a prompter in the first packet of their channel; ``PrompterCue`` may follow.
public struct PromptSetup: DialogueMessage {
  /// Where to ask.
  public var surface: PromptSurface
  /// Who wants the secret: its executable's path.
  public var program: ShownText
  /// Whose passcode is asked for.
  public var user: ShownText
  /// What the answer does, in the daemon's own words: in front of the service, or alone where there is none.
  public var purpose: ShownText
  /// The item's service, or the one that the purpose is about.
  public var service: ShownText
  /// The item's label.
  public var label: ShownText
  /// Why, in the program's own words.
  public var reason: ShownText
  /// Something to know before the answer, in the daemon's own words; empty for nothing.
  public var remark: ShownText
  /// What a finger may do in this dialogue.
  public var finger: FingerOffer
  /// What the choice of the passcode is called where a finger alone is asked for.
  public var fallback: FallbackOffer
  /// What dismissing is called, in the program's own words; empty for the usual word.
  public var cancelTitle: ShownText
  /// When the prompter gives up: nanoseconds of CLOCK_BOOTTIME.
  public var deadline: UInt64
  /// The language of the prompter's own words, as LANG spells it; at most 64 bytes, empty for English.
  public var language: String

  /// Makes a setup with nothing to show.
  public init(surface: PromptSurface, user: ShownText, deadline: UInt64) {
    self.surface = surface
    program = .none
    self.user = user
    purpose = .none
    service = .none
    label = .none
    reason = .none
    remark = .none
    finger = .none
    fallback = .usual
    cancelTitle = .none
    self.deadline = deadline
    language = ""
  }

  /// Who sends this message and who receives it.
  public static var direction: Direction { .daemonToPrompter }

  /// Writes the fields in the order the format states.
  public func write(to packet: inout PacketWriter) throws(DialogueError) {
    try packet.byte(1)
    try packet.surface(surface)
    for text in [program, user, purpose, service, label, reason, remark] { try packet.shown(text) }
    try packet.byte(finger.rawValue)
    try packet.fallback(fallback)
    try packet.shown(cancelTitle)
    try packet.number(deadline)
    try packet.text(language, in: 0...64)
  }

  /// Reads the fields back; throws on anything that is not exactly one such message.
  public init(from packet: inout PacketReader) throws(DialogueError) {
    try packet.expect(kind: 1)
    surface = try packet.surface()
    program = try packet.shown()
    user = try packet.shown()
    purpose = try packet.shown()
    service = try packet.shown()
    label = try packet.shown()
    reason = try packet.shown()
    remark = try packet.shown()
    finger = try packet.choice()
    fallback = try packet.fallback()
    cancelTitle = try packet.shown()
    deadline = try packet.number()
    language = try packet.text(in: 0...64)
  }
}

/// What a finger may do in a dialogue.
public enum FingerOffer: UInt8, CaseIterable, Sendable {
  /// Nothing: only questions are asked.
  case none = 1
  /// It is all that is asked for, and there is no helper that asks questions.
  case alone = 2
  /// It does in place of the passcode.
  case orPasscode = 3
  /// It is wanted, and the passcode too.
  case andPasscode = 4
}

/// What a prompt for a finger alone calls the choice of the passcode.
public enum FallbackOffer: Hashable, Sendable {
  /// The usual words.
  case usual
  /// Nothing: there is no such choice.
  case hidden
  /// The program's own words.
  case named(ShownText)
}

/// Where a prompter asks.
public enum PromptSurface: Hashable, Sendable {
  /// On the terminal whose descriptor the prompter was started with.
  case terminal
  /// In a window of pinentry.
  case pinentry(PinentryPlan)
}

/// How pinentry is started.
public struct PinentryPlan: Hashable, Sendable {
  /// The program: an absolute path of 1 to 256 bytes.
  public var program: String
  /// Its whole environment: at most 8 variables, names of 1 to 64 bytes, values of at most 512.
  public var environment: [String: String]

  /// Makes a plan.
  public init(program: String, environment: [String: String]) {
    self.program = program
    self.environment = environment
  }
}

extension PacketWriter {
  fileprivate mutating func fallback(_ value: FallbackOffer) throws(DialogueError) {
    switch value {
    case .usual: try byte(1)
    case .hidden: try byte(2)
    case .named(let title):
      try byte(3)
      try shown(title)
    }
  }

  fileprivate mutating func surface(_ value: PromptSurface) throws(DialogueError) {
    switch value {
    case .terminal: try byte(1)
    case .pinentry(let plan):
      try byte(2)
      guard plan.program.utf8.first == UInt8(ascii: "/") else { throw .outOfBounds }
      try text(plan.program, in: 1...256)
      try number(UInt8(clamping: plan.environment.count), in: 0...8)
      for (name, value) in plan.environment.sorted(by: { $0.key < $1.key }) {
        guard !name.utf8.contains(UInt8(ascii: "=")) else { throw .outOfBounds }
        try text(name, in: 1...64)
        try text(value, in: 0...512)
      }
    }
  }
}

extension PacketReader {
  fileprivate mutating func fallback() throws(DialogueError) -> FallbackOffer {
    switch try byte() {
    case 1: .usual
    case 2: .hidden
    case 3: .named(try shown())
    case let other: throw .unknownKind(other)
    }
  }

  fileprivate mutating func surface() throws(DialogueError) -> PromptSurface {
    switch try byte() {
    case 1: .terminal
    case 2: .pinentry(try pinentry())
    case let other: throw .unknownKind(other)
    }
  }

  private mutating func pinentry() throws(DialogueError) -> PinentryPlan {
    let program = try text(in: 1...256)
    guard program.utf8.first == UInt8(ascii: "/") else { throw .outOfBounds }
    var environment: [String: String] = [:]
    var last = ""
    for _ in 0..<(try number(in: UInt8(0)...8)) {
      let name = try text(in: 1...64)
      guard name > last, !name.utf8.contains(UInt8(ascii: "=")) else { throw .outOfBounds }
      environment[name] = try text(in: 0...512)
      last = name
    }
    return PinentryPlan(program: program, environment: environment)
  }
}
