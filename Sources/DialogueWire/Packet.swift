public import SecretMemory

/// One encoded message in locked memory: the first `count` bytes of a buffer that is wiped when it is let go.
public struct Packet: Sendable {
  /// The buffer; bytes from `count` on have no meaning.
  public let buffer: SecretBytes
  /// How many bytes the message has.
  public let count: Int

  /// The largest packet, in bytes.
  public static let maximumCount = 8192
  /// The first byte of every packet.
  public static let version: UInt8 = 1

  /// Takes a buffer that a packet was received into.
  ///
  /// - Throws: ``DialogueError/tooLarge`` when `count` is above ``maximumCount`` or above the buffer's size.
  public init(buffer: SecretBytes, count: Int) throws(DialogueError) {
    guard count <= Self.maximumCount, count <= buffer.count else { throw .tooLarge }
    self.buffer = buffer
    self.count = max(count, 0)
  }

  /// Encodes a message.
  ///
  /// - Throws: ``DialogueError``: `.outOfBounds`, `.notText`, `.tooLarge`, `.noMemory`.
  public init<Message: DialogueMessage>(_ message: Message) throws(DialogueError) {
    var writer = try PacketWriter()
    try writer.byte(Self.version)
    try writer.byte(Message.direction.rawValue)
    try message.write(to: &writer)
    try self.init(buffer: writer.buffer, count: writer.count)
  }

  /// Decodes the message; every byte must be used.
  ///
  /// - Throws: ``DialogueError``: what is wrong with the packet.
  public func decode<Message: DialogueMessage>(_ type: Message.Type = Message.self) throws(DialogueError) -> Message {
    var reader = PacketReader(self)
    guard try reader.byte() == Self.version, try reader.byte() == Message.direction.rawValue else {
      throw .foreignPacket
    }
    let message = try Message(from: &reader)
    guard reader.isAtEnd else { throw .trailingBytes }
    return message
  }
}
