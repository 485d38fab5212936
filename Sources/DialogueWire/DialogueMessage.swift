/// A message of one direction of one channel between the daemon, its PAM helper and its prompter.
///
/// A packet is: version (1 byte), direction (1 byte), kind (1 byte), fields. Numbers are little-endian and of fixed
/// width; text and bytes carry a 2-byte length; an optional field carries a byte that is 0 or 1. Nothing may follow.
public protocol DialogueMessage: Sendable {
  /// The direction this message travels in.
  static var direction: Direction { get }
  /// Writes kind and fields.
  func write(to packet: inout PacketWriter) throws(DialogueError)
  /// Reads kind and fields.
  init(from packet: inout PacketReader) throws(DialogueError)
}

/// Who speaks to whom; the second byte of every packet, so that no message is taken for one of another channel.
public enum Direction: UInt8, CaseIterable, Sendable {
  /// ``HelperRequest``, then ``HelperFollowUp``.
  case daemonToHelper = 1
  /// ``HelperEvent``.
  case helperToDaemon = 2
  /// ``PromptMessage``.
  case helperToPrompter = 3
  /// ``PromptAnswer``.
  case prompterToHelper = 4
  /// ``PromptSetup``, then ``PrompterCue``.
  case daemonToPrompter = 5
  /// ``PrompterReport``.
  case prompterToDaemon = 6
}
