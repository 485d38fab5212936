/// What a prompter tells the daemon: `ready` once, `passcodeChosen` at most once, `ended` last.
public enum PrompterReport: DialogueMessage {
  /// The surface is open and the terminal is ours.
  case ready
  /// The person chose the passcode: no finger need be waited for.
  case passcodeChosen
  /// Nothing will be asked any more and the terminal is restored.
  case ended(PrompterEnd)

  /// Who sends this message and who receives it.
  public static var direction: Direction { .prompterToDaemon }

  /// Writes the fields in the order the format states.
  public func write(to packet: inout PacketWriter) throws(DialogueError) {
    switch self {
    case .ready: try packet.byte(1)
    case .ended(let why):
      try packet.byte(2)
      try packet.byte(why.rawValue)
    case .passcodeChosen: try packet.byte(3)
    }
  }

  /// Reads the fields back; throws on anything that is not exactly one such message.
  public init(from packet: inout PacketReader) throws(DialogueError) {
    switch try packet.byte() {
    case 1: self = .ready
    case 2: self = .ended(try packet.choice())
    case 3: self = .passcodeChosen
    case let other: throw .unknownKind(other)
    }
  }
}

/// Why a prompter ended.
public enum PrompterEnd: UInt8, CaseIterable, Sendable {
  /// The helper said that it is done.
  case done = 1
  /// The person cancelled.
  case userCancelled = 2
  /// The terminal or display went away, or the client did.
  case terminalGone = 3
  /// Nobody answered in time.
  case deadlinePassed = 4
  /// The terminal or pinentry cannot be used.
  case surfaceUnusable = 5
  /// The helper vanished or broke the protocol.
  case helperGone = 6
}
