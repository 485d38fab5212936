import Foundation
import KeychainModel
import KeychainWire
import LinuxSystem
import SecretMemory
import Synchronization

@testable import KeychainClient

/// A folder that goes away with the test.
final class ScratchFolder: Sendable {
  let path: String
  init() throws {
    path = NSTemporaryDirectory() + "latchkey-client-\(UUID().uuidString.prefix(8))"
    try Files.makeDirectory(path, mode: 0o700)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }
  func write(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
    let file = path + "/" + name
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    return file
  }
  func read(_ name: String) -> String { (try? String(contentsOfFile: path + "/" + name, encoding: .utf8)) ?? "" }
}

/// A server that speaks the protocol as a test tells it to.
final class FakeDaemon: Sendable {
  /// What to do with a message; the connection ends when it throws.
  typealias Handler = @Sendable (FrameSocket, Message) throws -> Void
  struct HangUp: Error {}

  let path: String
  private let listener: OwnedDescriptor
  private let log = Mutex<[MessageBody]>([])
  private let connections = Mutex<[FrameSocket]>([])
  private let isOver = Mutex(false)

  init(_ path: String, _ handler: @escaping Handler) throws {
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
  var received: [MessageBody] { log.withLock { $0 } }
  /// How many connections were made so far.
  var connectionCount: Int { connections.withLock { $0.count } }

  /// Ends everything.
  func stop() {
    isOver.withLock { $0 = true }
    connections.withLock { $0.forEach { $0.shutDown() } }
    UnixSocket.shutDown(listener)
    try? Files.unlink(path)
  }

  deinit { stop() }
}

extension Message {
  /// An answer to this message.
  func reply(_ reply: KeychainReply, secrets: [SecretBytes] = []) -> Message {
    Message(requestID: requestID, body: .reply(reply), secrets: secrets)
  }
  func answer(_ body: MessageBody) -> Message { Message(requestID: requestID, body: body) }
}

func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = Clock.boottime
  try body()
  return Double(Clock.boottime - start) / 1e6
}

/// Waits until something holds, at most three seconds.
func eventually(_ holds: () -> Bool) -> Bool {
  let end = Clock.boottime + 3_000_000_000
  while Clock.boottime < end {
    if holds() { return true }
    _ = try? Poll.wait([], timeoutMilliseconds: 2)
  }
  return holds()
}

func bytes(_ secret: SecretBytes) -> [UInt8] { secret.withSpan { span in span.indices.map { span[$0] } } }

func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8).span) }

/// A keychain that talks to a chosen socket.
func keychain(
  at path: String, prompt: PromptSource = .none, timeouts: KeychainTimeouts = KeychainTimeouts(),
  notice: (@Sendable (Notice) -> Void)? = nil
) -> Keychain {
  Keychain(
    KeychainConfiguration(
      places: ServicePlaces(chosenSocket: path, systemSocket: "/nonexistent"), prompt: prompt, notice: notice,
      timeouts: timeouts))
}

/// The reason a call is refused for, or `nil` where it is not.
func reason(_ body: () throws -> Void) -> Reason? {
  do {
    try body()
    return nil
  } catch let refusal as Refusal {
    return refusal.reason
  } catch { return .internalFailure }
}
