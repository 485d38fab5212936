public import LinuxSystem
internal import SecretMemory

/// One end of a channel: whole packets over a SOCK_SEQPACKET pair. Sending never blocks: a session has few messages, so
/// a full buffer means that the other side does not read.
public struct DialogueChannel: Sendable {
  /// The socket; readable (poll) when a packet or the end is there.
  public let descriptor: OwnedDescriptor

  /// Speaks over one end of a packet pair.
  public init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

  /// Two connected ends.
  ///
  /// - Throws: ``DialogueError``: `.socket` (out of descriptors).
  public static func pair() throws(DialogueError) -> (DialogueChannel, DialogueChannel) {
    do throws(Errno) {
      let (one, other) = try UnixSocket.packetPair()
      return (DialogueChannel(one), DialogueChannel(other))
    } catch { throw .socket(error) }
  }

  /// Sends a message.
  ///
  /// - Throws: ``DialogueError``: `.ended` (the other side is gone), `.socket` (EAGAIN where it does not read), or why
  ///   the message cannot be encoded.
  public func send<Message: DialogueMessage>(_ message: Message) throws(DialogueError) {
    let packet = try Packet(message)
    try packet.buffer.withSpan { bytes throws(DialogueError) in
      do throws(Errno) {
        _ = try UnixSocket.send(descriptor, bytes.extracting(0..<packet.count), flags: .nonBlocking)
      } catch .brokenPipe { throw .ended } catch .connectionReset { throw .ended } catch { throw .socket(error) }
    }
  }

  /// Receives the next message; waits for it.
  ///
  /// - Parameter deadline: On the boot-time clock; `nil` waits for ever.
  /// - Throws: ``DialogueError``: `.ended`, `.deadlinePassed`, `.tooLarge`, or what is wrong with the packet.
  public func receive<Message: DialogueMessage>(
    _ type: Message.Type = Message.self, until deadline: UInt64?
  ) throws(DialogueError) -> Message {
    let buffer: SecretBytes
    do { buffer = try SecretBytes(count: Packet.maximumCount) } catch { throw .noMemory }
    return try Packet(buffer: buffer, count: try fill(buffer, until: deadline)).decode(type)
  }

  private func fill(_ buffer: SecretBytes, until deadline: UInt64?) throws(DialogueError) -> Int {
    do throws(Errno) {
      let result = try Poll.wait([PollEntry(descriptor)], until: deadline)[0]
      guard result.isReadable || result.isGone else { throw .timedOut }
      let received = try buffer.withMutableSpan { bytes throws(Errno) in
        try UnixSocket.receive(descriptor, into: &bytes)
      }
      // Neither a cut packet nor one with descriptors is of this protocol.
      guard !received.truncated else { throw .fileTooLarge }
      guard received.count > 0 else { throw .brokenPipe }
      return received.count
    } catch .timedOut { throw .deadlinePassed } catch .fileTooLarge { throw .tooLarge } catch .brokenPipe {
      throw .ended
    } catch .connectionReset { throw .ended } catch { throw .socket(error) }
  }
}
