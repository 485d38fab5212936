public import LinuxSystem

/// Why a message could not be sent, received or understood. Every one of them ends the session.
public enum DialogueError: Error, Hashable, Sendable {
  /// The packet is larger than ``Packet/maximumCount`` bytes.
  case tooLarge
  /// The packet ends in the middle of a field.
  case truncated
  /// Bytes follow the last field.
  case trailingBytes
  /// The packet is of another protocol version or another direction.
  case foreignPacket
  /// A kind or choice that this version does not know.
  case unknownKind(UInt8)
  /// A length or number outside its stated range.
  case outOfBounds
  /// Text that is not UTF-8, or holds a NUL.
  case notText
  /// No locked memory for the packet.
  case noMemory
  /// The other side closed the channel.
  case ended
  /// The deadline passed while waiting.
  case deadlinePassed
  /// A system call failed.
  case socket(Errno)
}
