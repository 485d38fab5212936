import KeychainModel
import KeychainWire
import LinuxSystem
import SecretMemory
import Synchronization

/// A server that speaks the protocol as a test tells it to.
public final class FakeDaemon: Sendable {
  /// What to do with a message; the connection ends when it throws.
  public typealias Handler = @Sendable (FrameSocket, Message) throws -> Void
  /// Thrown by a handler that ends the connection.
  public struct HangUp: Error {
    /// The one there is.
    public init() {}
  }

  /// Its socket.
  public let path: String
  private let listener: OwnedDescriptor
  private let log = Mutex<[MessageBody]>([])
  private let connections = Mutex<[FrameSocket]>([])
  private let isOver = Mutex(false)

  /// Serves at a path.
  public init(_ path: String, _ handler: @escaping Handler) throws {
    self.path = path
    listener = try UnixSocket.listen(path: path, mode: 0o600, backlog: 16)
    try Threads.start { [weak self, listener] in
      while let socket = try? UnixSocket.accept(listener) {
        guard let self, let connection = try? FrameSocket(socket, side: .daemon) else { return }
        if self.isOver.withLock({ $0 }) { return }
        self.connections.withLock { $0.append(connection) }
        try? Threads.start { [weak self] in Self.serve(connection, handler) { self?.note($0) } }
      }
    }
  }

  private static func serve(_ connection: FrameSocket, _ handler: Handler, note: (MessageBody) -> Void) {
    while let message = try? connection.receive() {
      note(message.body)
      guard (try? handler(connection, message)) != nil else { break }
    }
    connection.shutDown()
  }

  private func note(_ body: MessageBody) { log.withLock { $0.append(body) } }

  /// Every message so far, over all connections.
  public var received: [MessageBody] { log.withLock { $0 } }
  /// How many connections were made so far.
  public var connectionCount: Int { connections.withLock { $0.count } }

  /// Ends everything.
  public func stop() {
    isOver.withLock { $0 = true }
    connections.withLock { $0.forEach { $0.shutDown() } }
    UnixSocket.shutDown(listener)
    try? Files.unlink(path)
  }

  deinit { stop() }
}

extension Message {
  /// An answer to this message.
  public func reply(_ reply: KeychainReply, secrets: [SecretBytes] = []) -> Message {
    Message(requestID: requestID, body: .reply(reply), secrets: secrets)
  }
  /// Another message of the same request.
  public func answer(_ body: MessageBody) -> Message { Message(requestID: requestID, body: body) }
}
