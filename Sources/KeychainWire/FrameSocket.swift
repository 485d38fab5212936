public import LinuxSystem
internal import SecretMemory
internal import Synchronization

/// Sends and receives frames on a connected stream socket. Secrets never pass through ordinary memory.
///
/// One thread may receive while another sends; two receivers or two senders wait for each other.
public final class FrameSocket: Sendable {
  /// The socket, for polling. Nobody else may read from it or write to it.
  public let descriptor: OwnedDescriptor
  private let inbox: Mutex<FrameInbox>
  private let outbox: Mutex<FrameOutbox>

  /// Takes over a connected socket.
  ///
  /// - Parameters:
  ///   - side: the daemon takes descriptors that come with frames, a client refuses them.
  ///   - blockMilliseconds: how long one system call may wait: a send that makes no progress for so long fails. 0 waits for
  ///     ever.
  ///   - quota: bounds the secrets of the frames received; `nil` for no bound.
  /// - Throws: ``FrameSocketError``: `.outOfMemory`, `.system`.
  public init(
    _ descriptor: OwnedDescriptor, side: FrameSide, blockMilliseconds: UInt32 = 0, quota: (any SecretQuota)? = nil
  ) throws(FrameSocketError) {
    self.descriptor = descriptor
    if blockMilliseconds > 0 {
      do throws(Errno) {
        try UnixSocket.setTimeouts(descriptor, milliseconds: blockMilliseconds)
      } catch { throw .system(error) }
    }
    let maximumDescriptors = side == .daemon ? 1 : 0
    inbox = Mutex(
      try FrameInbox(
        descriptor, maximumDescriptors: maximumDescriptors, blockMilliseconds: blockMilliseconds, quota: quota))
    outbox = Mutex(FrameOutbox(descriptor))
  }

  /// Sends a message as one frame; a small one with one system call.
  ///
  /// - Throws: ``FrameSocketError``: `.encoding` (nothing was sent), `.closed`, `.timedOut` (the socket's own timeout),
  ///   `.system`.
  public func send(_ message: Message) throws(FrameSocketError) {
    try outbox.withLock { (outbox) throws(FrameSocketError) in try outbox.send(message) }
  }

  /// Waits for the next frame.
  ///
  /// - Parameter deadline: a moment on the boot-time clock in nanoseconds; `nil` waits for ever for a frame to begin. One
  ///   that has begun must be complete within 10 seconds.
  /// - Throws: ``FrameSocketError``, any but `.encoding` and `.outOfMemory`.
  public func receive(until deadline: UInt64? = nil) throws(FrameSocketError) -> Message {
    try inbox.withLock { (inbox) throws(FrameSocketError) in try inbox.receive(until: deadline) }
  }

  /// Whether bytes of a frame were received already: ``receive(until:)`` may return though poll(2) sees nothing.
  public var hasBufferedInput: Bool { inbox.withLock { $0.isHoldingInput } }

  /// What the other side did, without waiting: for a thread that is busy with a request.
  public func look() -> FrameSocketInput {
    if hasBufferedInput { return .frame }
    let watched = PollEntry(descriptor, [.readable, .writerGone])
    guard let events = try? Poll.wait([watched], timeoutMilliseconds: 0).first?.events else { return .gone }
    // Bytes that arrived before the end are read first: a request may be taken back and the socket closed at once.
    if events.contains(.readable), !events.contains(.writerGone), !events.contains(.hangup) { return .frame }
    return events.isEmpty ? .nothing : .gone
  }

  /// Sends a small message if that does not wait: not while another thread sends, nor where the other side does not read.
  public func sendIfFree(_ message: Message) -> FrameDelivery {
    let writable = try? Poll.wait([PollEntry(descriptor, .writable)], timeoutMilliseconds: 0).first?.events
    guard writable == .writable else { return .skipped }
    let sent = outbox.withLockIfAvailable { outbox -> FrameDelivery in
      (try? outbox.send(message)) == nil ? .skipped : .sent
    }
    return sent ?? .skipped
  }

  /// Sends one last message on a socket that no frames can be received from, without waiting, and ends the connection.
  public static func turnAway(_ descriptor: OwnedDescriptor, _ message: Message) {
    let writable = try? Poll.wait([PollEntry(descriptor, .writable)], timeoutMilliseconds: 0).first?.events
    var outbox = FrameOutbox(descriptor)
    if writable == .writable { try? outbox.send(message) }
    UnixSocket.shutDown(descriptor)
  }

  /// Takes a request back and ends the connection, from any thread and without waiting for a sender that is busy.
  public func takeBack(requestID: UInt32) {
    // Where another thread is in the middle of sending, the end of the connection says the same.
    _ = outbox.withLockIfAvailable { outbox in
      try? outbox.send(Message(requestID: requestID, body: .cancel))
    }
    shutDown()
  }

  /// Ends the connection in both directions; a thread that waits in ``receive(until:)`` returns at once.
  public func shutDown() { UnixSocket.shutDown(descriptor) }
}

/// Which end of the connection this is.
public enum FrameSide: Sendable {
  /// The one that is asked.
  case daemon
  /// The one that asks.
  case client
}

/// Whether a message that could be left out was sent.
public enum FrameDelivery: Hashable, Sendable {
  /// It was.
  case sent
  /// It was not: sending would have waited, or the connection has ended.
  case skipped
}

/// What a look at a socket found.
public enum FrameSocketInput: Hashable, Sendable {
  /// Nothing new.
  case nothing
  /// A frame, or the beginning of one.
  case frame
  /// The other side has ended.
  case gone
}
