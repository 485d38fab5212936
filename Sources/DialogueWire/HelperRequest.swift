public import PAMModel
public import SecretMemory

/// What the daemon asks of a PAM helper: one authentication. The first packet of the channel, sent once.
public struct HelperRequest: DialogueMessage {
  /// The stack to run; its file must stand in ``pamDirectory``.
  public var stack: StackName
  /// The folder of the stack files: an absolute path of at most 1024 bytes.
  public var pamDirectory: String
  /// Whom PAM shall authenticate: 1 to 256 bytes.
  public var user: String
  /// That account's uid; a helper that is not root's serves only its own.
  public var uid: UInt32
  /// What PAM_TTY is set to; empty for none, at most 256 bytes.
  public var terminalName: String
  /// What PAM_RHOST is set to; empty for none, at most 256 bytes.
  public var remoteHost: String
  /// When the helper gives up: nanoseconds of CLOCK_BOOTTIME.
  public var deadline: UInt64
  /// How many answers may be wrong before the helper ends: 1 to 10; 1 with a supplied passcode.
  public var tries: UInt8
  /// What to derive from the passcode beside PAM; nil for nothing.
  public var derivation: DerivationOrder?
  /// When that is derived.
  public var derivationStart: DerivationStart
  /// Where answers come from.
  public var answers: AnswerSource

  /// How many tries a request may ask for.
  public static let triesRange: ClosedRange<UInt8> = 1...10

  /// Makes a request for one try, with no terminal, no remote host and no derivation.
  public init(stack: StackName, pamDirectory: String, user: String, uid: UInt32, answers: AnswerSource) {
    self.stack = stack
    self.pamDirectory = pamDirectory
    self.user = user
    self.uid = uid
    terminalName = ""
    remoteHost = ""
    deadline = .max
    tries = 1
    derivation = nil
    derivationStart = .withAnswer
    self.answers = answers
  }
}

/// Where a PAM helper takes answers from.
public enum AnswerSource: Sendable {
  /// The prompter at descriptor 4 asks the person.
  case prompter
  /// The daemon was given the passcode (1 to 511 bytes): it answers exactly one echo-off question.
  case supplied(SecretBytes)
  /// Nothing is answered: any question is refused (stacks that only tell, such as a fingerprint's).
  case none

  /// How long an answer may be: PAM_MAX_RESP_SIZE of pam_conv(3) less its NUL.
  public static let answerRange = 0...511
  /// How long a supplied passcode may be.
  public static let suppliedRange = 1...511
}

extension HelperRequest {
  /// Who sends this message and who receives it.
  public static var direction: Direction { .daemonToHelper }
  private static let kind: UInt8 = 1
  private static let nameRange = 1...256
  private static let hintRange = 0...256
  private static let pathRange = 1...1024

  /// Writes the fields in the order the format states.
  public func write(to packet: inout PacketWriter) throws(DialogueError) {
    try packet.byte(Self.kind)
    try packet.text(stack.text, in: 1...StackName.maximumCount)
    guard Self.isAbsolute(pamDirectory) else { throw .outOfBounds }
    try packet.text(pamDirectory, in: Self.pathRange)
    try packet.text(user, in: Self.nameRange)
    try packet.number(uid)
    try packet.text(terminalName, in: Self.hintRange)
    try packet.text(remoteHost, in: Self.hintRange)
    try packet.number(deadline)
    try packet.number(tries, in: Self.triesRange)
    try packet.flag(derivation != nil)
    if let derivation { try packet.order(derivation) }
    try packet.byte(derivationStart.rawValue)
    try packet.answers(answers)
    if case .supplied = answers, tries != 1 { throw .outOfBounds }
  }

  /// Reads the fields back; throws on anything that is not exactly one such message.
  public init(from packet: inout PacketReader) throws(DialogueError) {
    try packet.expect(kind: Self.kind)
    guard let name = StackName(try packet.text(in: 1...StackName.maximumCount)) else { throw .outOfBounds }
    stack = name
    pamDirectory = try packet.text(in: Self.pathRange)
    guard Self.isAbsolute(pamDirectory) else { throw .outOfBounds }
    user = try packet.text(in: Self.nameRange)
    uid = try packet.number()
    terminalName = try packet.text(in: Self.hintRange)
    remoteHost = try packet.text(in: Self.hintRange)
    deadline = try packet.number()
    tries = try packet.number(in: Self.triesRange)
    derivation = try packet.flag() ? try packet.order() : nil
    derivationStart = try packet.choice()
    answers = try packet.answers()
    if case .supplied = answers, tries != 1 { throw .outOfBounds }
  }

  private static func isAbsolute(_ path: String) -> Bool {
    path.utf8.first == UInt8(ascii: "/") && !path.split(separator: "/").contains("..")
  }
}

extension PacketWriter {
  fileprivate mutating func answers(_ value: AnswerSource) throws(DialogueError) {
    switch value {
    case .prompter: try byte(1)
    case .supplied(let passcode):
      try byte(2)
      try secret(passcode, in: AnswerSource.suppliedRange)
    case .none: try byte(3)
    }
  }
}

extension PacketReader {
  mutating func expect(kind expected: UInt8) throws(DialogueError) {
    let kind = try byte()
    guard kind == expected else { throw .unknownKind(kind) }
  }

  fileprivate mutating func answers() throws(DialogueError) -> AnswerSource {
    switch try byte() {
    case 1: .prompter
    case 2: .supplied(try secret(in: AnswerSource.suppliedRange))
    case 3: .none
    case let other: throw .unknownKind(other)
    }
  }
}
