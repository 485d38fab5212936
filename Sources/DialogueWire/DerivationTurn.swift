/// The daemon's answer to ``HelperEvent/answered``: whether the key may be derived beside PAM.
public enum DerivationTurn: DialogueMessage, Hashable {
  /// It may.
  case now
  /// Others derive at this moment: it is ordered after the proof, by ``HelperFollowUp/stretchAgain(_:)``.
  case later

  /// Who sends this message and who receives it.
  public static var direction: Direction { .daemonToHelper }

  /// Writes the fields in the order the format states.
  public func write(to packet: inout PacketWriter) throws(DialogueError) {
    switch self {
    case .now: try packet.byte(5)
    case .later: try packet.byte(6)
    }
  }

  /// Reads the fields back; throws on anything that is not exactly one such message.
  public init(from packet: inout PacketReader) throws(DialogueError) {
    switch try packet.byte() {
    case 5: self = .now
    case 6: self = .later
    case let other: throw .unknownKind(other)
    }
  }
}

/// When a helper derives what its request orders.
public enum DerivationStart: UInt8, CaseIterable, Sendable {
  /// As soon as the answer is there: the daemon keeps the turn from the start of the helper on.
  case withAnswer = 1
  /// When the daemon says so: the helper asks with each answer, by ``HelperEvent/answered``.
  case onTurn = 2
}
