/// What the daemon may ask after ``HelperOutcome/proved(_:)``: at most ``maximumCount`` questions, then `finish`.
public enum HelperFollowUp: DialogueMessage {
  /// Ask for the passcode that the keybag was bound to, once, echo off, and derive from it. Answered by
  /// ``HelperEvent/stretched(_:)`` or ``HelperEvent/cancelled(_:)``.
  case askOldPasscode(DerivationOrder)
  /// Derive once more from the passcode that was just proven. Answered by ``HelperEvent/stretched(_:)`` or
  /// ``HelperEvent/cancelled(_:)``.
  case stretchAgain(DerivationOrder)
  /// Nothing more: tell the prompter how it ended and exit.
  case finish(PromptVerdict)

  /// How many derivations may follow a proof: the one that was put off, one for a keybag that was bound meanwhile, and one for the
  /// passcode from before.
  public static let maximumCount = 3

  /// Who sends this message and who receives it.
  public static var direction: Direction { .daemonToHelper }

  /// Writes the fields in the order the format states.
  public func write(to packet: inout PacketWriter) throws(DialogueError) {
    switch self {
    case .askOldPasscode(let order):
      try packet.byte(2)
      try packet.order(order)
    case .stretchAgain(let order):
      try packet.byte(3)
      try packet.order(order)
    case .finish(let verdict):
      try packet.byte(4)
      try packet.verdict(verdict)
    }
  }

  /// Reads the fields back; throws on anything that is not exactly one such message.
  public init(from packet: inout PacketReader) throws(DialogueError) {
    switch try packet.byte() {
    case 2: self = .askOldPasscode(try packet.order())
    case 3: self = .stretchAgain(try packet.order())
    case 4: self = .finish(try packet.verdict())
    case let other: throw .unknownKind(other)
    }
  }
}
