import KeychainModel
import KeychainWire
import LinuxSystem
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import KeychainClient

@Suite struct ConnectionTests {
  let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }
  var path: String { folder.path + "/socket" }

  static let answering: FakeDaemon.Handler = { socket, message in
    switch message.body {
    case .request(.status, _): try socket.send(message.reply(.status(StatusReply())))
    default: try socket.send(message.reply(.done(count: 1)))
    }
  }

  @Test func `making a keychain opens nothing`() throws {
    let daemon = try FakeDaemon(path, Self.answering)
    let keychain = keychain(at: path)
    #expect(daemon.connectionCount == 0)
    _ = try keychain.status()
    #expect(daemon.connectionCount == 1)
  }

  @Test func `requests one after another share a connection`() throws {
    let daemon = try FakeDaemon(path, Self.answering)
    let keychain = keychain(at: path)
    for _ in 0..<20 { _ = try keychain.status() }
    #expect(daemon.connectionCount == 1)
    #expect(daemon.received.count == 20)
  }

  @Test func `requests of several threads do not wait for each other`() throws {
    let gate = Mutex(0)
    let daemon = try FakeDaemon(path) { socket, message in
      gate.withLock { $0 += 1 }
      _ = eventually { gate.withLock { $0 } == 4 }
      try Self.answering(socket, message)
    }
    let keychain = keychain(at: path)
    let done = Mutex(0)
    for _ in 0..<4 {
      try Threads.start {
        if (try? keychain.status()) != nil { done.withLock { $0 += 1 } }
      }
    }
    #expect(eventually { done.withLock { $0 } == 4 })
    #expect(daemon.connectionCount == 4)
  }

  @Test func `a missing socket and a dead one are told at once`() throws {
    var refused: Reason?
    let missing = milliseconds { refused = reason { _ = try keychain(at: path).status() } }
    #expect(refused == .serviceUnavailable)
    #expect(missing < 4000, "the client's patience with a silent one is 4.5 s")
    do { _ = try UnixSocket.listen(path: path, mode: 0o600, backlog: 1) }
    let dead = milliseconds { refused = reason { _ = try keychain(at: path).status() } }
    #expect(refused == .serviceUnavailable)
    #expect(dead < 4000)
  }

  @Test func `a dead system socket is an error and no switch to the user's own daemon`() throws {
    let own = folder.path + "/latchkey"
    try Files.makeDirectory(own, mode: 0o700)
    let daemon = try FakeDaemon(own + "/socket", Self.answering)
    let system = folder.path + "/system"
    var places = ServicePlaces(systemSocket: system, runtimeFolder: folder.path)
    #expect(reason { _ = try Keychain(KeychainConfiguration(places: places, prompt: .none)).status() } == nil)
    do { _ = try UnixSocket.listen(path: system, mode: 0o600, backlog: 1) }
    #expect(
      reason { _ = try Keychain(KeychainConfiguration(places: places, prompt: .none)).status() }
        == .serviceUnavailable)
    #expect(daemon.connectionCount == 1)
    places.chosenSocket = "relative"
    #expect(
      reason { _ = try Keychain(KeychainConfiguration(places: places, prompt: .none)).status() } == .invalidParameter)
  }

  @Test func `a server that accepts and never answers is told in under five seconds`() throws {
    let daemon = try FakeDaemon(path) { _, _ in }
    var refused: Reason?
    let waited = milliseconds { refused = reason { _ = try keychain(at: path).status() } }
    #expect(refused == .serviceTimedOut)
    #expect(waited < 5000 && waited > 4000)
    #expect(daemon.received.count == 1)
  }

  @Test func `a server whose backlog is full is told in under five seconds`() throws {
    let listener = try UnixSocket.listen(path: path, mode: 0o600, backlog: 0)
    let first = try UnixSocket.connect(path: path)
    var refused: Reason?
    let waited = milliseconds { refused = reason { _ = try keychain(at: path).status() } }
    #expect(refused == .serviceTimedOut)
    #expect(waited < 5000)
    withExtendedLifetime((listener, first)) {}
  }

  @Test func `the client finds the daemon again after it started anew`() throws {
    let keychain = keychain(at: path)
    for _ in 0..<3 {
      let daemon = try FakeDaemon(path, Self.answering)
      try keychain.lock()
      #expect(daemon.received == [.request(.lock, RequestOptions())])
      daemon.stop()
    }
  }

  @Test func `a read whose answer was lost is sent again once, a write never`() throws {
    let daemon = try FakeDaemon(path) { socket, message in
      if message.requestID == 1 { throw FakeDaemon.HangUp() }
      try Self.answering(socket, message)
    }
    #expect(reason { _ = try keychain(at: path).status() } == nil)
    #expect(daemon.received.count == 2)
    #expect(reason { try keychain(at: path).lock() } == .serviceUnavailable)
    #expect(daemon.received.count == 3)
    daemon.stop()
    let deaf = try FakeDaemon(path) { _, _ in throw FakeDaemon.HangUp() }
    #expect(reason { _ = try keychain(at: path).status() } == .serviceUnavailable)
    #expect(deaf.received.count == 2)
  }

  @Test func `a read that was prompted for is not sent again`() throws {
    let daemon = try FakeDaemon(path) { socket, message in
      guard case .request = message.body else { throw FakeDaemon.HangUp() }
      try socket.send(message.answer(.wanted(.prompt(attempt: 1))))
    }
    #expect(reason { _ = try keychain(at: path).status() } == .serviceUnavailable)
    #expect(daemon.received == [.request(.status, RequestOptions()), .presentation(.none)])
  }

  @Test func `a child process leaves its parent's connection alone`() throws {
    let daemon = try FakeDaemon(path, Self.answering)
    let pid = Mutex(Int32(100))
    let places = ServicePlaces(chosenSocket: path, systemSocket: "/nonexistent")
    let connection = KeychainConnection(KeychainConfiguration(places: places)) { pid.withLock { $0 } }
    let keychain = Keychain(connection)
    _ = try keychain.status()
    _ = try keychain.status()
    #expect(daemon.connectionCount == 1)
    pid.withLock { $0 = 101 }
    _ = try keychain.status()
    #expect(daemon.connectionCount == 2)
    _ = try keychain.status()
    #expect(daemon.connectionCount == 2)
  }

  @Test func `half a frame, an oversized one, garbage and another version are refused`() throws {
    let version: [UInt8] = Array("LKEY".utf8) + [2, 0, 4, 0] + [UInt8](repeating: 0, count: 16)
    let oversized: [UInt8] =
      Array("LKEY".utf8) + [1, 0, 4, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let wanted: [([UInt8], Reason)] = [
      (Array(version.prefix(10)), .serviceUnavailable), (version, .protocolMismatch), (oversized, .protocolMismatch),
      ([UInt8](repeating: 0xFF, count: 64), .protocolMismatch),
    ]
    for (answer, expected) in wanted {
      let daemon = try FakeDaemon(path) { socket, _ in
        try UnixSocket.sendAll(socket.descriptor, answer.span)
        throw FakeDaemon.HangUp()
      }
      #expect(reason { try keychain(at: path).lock() } == expected)
      daemon.stop()
    }
  }

  @Test func `an answer to another request, or of another kind, is refused`() throws {
    let daemon = try FakeDaemon(path) { socket, message in
      try socket.send(Message(requestID: message.requestID &+ 1, body: .reply(.done(count: 1))))
    }
    #expect(reason { try keychain(at: path).lock() } == .protocolMismatch)
    daemon.stop()
    let odd = try FakeDaemon(path) { socket, message in try socket.send(message.reply(.context(3))) }
    #expect(reason { try keychain(at: path).lock() } == .protocolMismatch)
    withExtendedLifetime(odd) {}
  }

  @Test func `a refusal comes with its reason and its detail, and the connection stays`() throws {
    let daemon = try FakeDaemon(path) { socket, message in
      try socket.send(message.reply(.refused(Refusal(.storeDamaged, detail: "why"))))
    }
    let keychain = keychain(at: path)
    for _ in 0..<3 {
      #expect(throws: Refusal(.storeDamaged, detail: "why")) { _ = try keychain.status() }
    }
    #expect(daemon.connectionCount == 1)
  }

  @Test func `cancelling from another thread ends a waiting request within 200 ms`() throws {
    let daemon = try FakeDaemon(path) { socket, message in
      if case .request = message.body { try socket.send(message.answer(.notice(Notice(kind: .waiting, text: "")))) }
    }
    let taken = try quickest(below: 200) {
      var options = CallOptions()
      let cancellation = Cancellation()
      options.cancellation = cancellation
      let before = daemon.received.count
      let cancelled = Mutex(UInt64(0))
      try Threads.start {
        _ = eventually { daemon.received.count > before }
        cancelled.withLock { $0 = Clock.boottime }
        cancellation.cancel()
      }
      #expect(reason { try keychain(at: path).unlock(options: options) } == .appCancelled)
      let end = Clock.boottime
      #expect(eventually { daemon.received.count == before + 2 && daemon.received.last == .cancel })
      #expect(reason { try keychain(at: path).unlock(options: options) } == .appCancelled)
      #expect(daemon.received.count == before + 2)
      return Double(end - cancelled.withLock { $0 }) / 1e6
    }
    #expect(taken < 200)
  }

  @Test func `a notice that the daemon waits makes the client wait, any other does not`() throws {
    let notices = Mutex<[Notice]>([])
    let timeouts = KeychainTimeouts(reply: 300, prompt: 5000)
    let daemon = try FakeDaemon(path) { socket, message in
      guard case .request(let request, _) = message.body else { return }
      let kind: NoticeKind = request == .lock ? .waiting : .bound
      try socket.send(message.answer(.notice(Notice(kind: kind, text: "one moment"))))
      _ = try? Poll.wait([], timeoutMilliseconds: 1000)
      try socket.send(message.reply(.done(count: 0)))
    }
    let keychain = keychain(at: path, timeouts: timeouts) { notice in notices.withLock { $0.append(notice) } }
    #expect(reason { try keychain.lock() } == nil)
    #expect(notices.withLock { $0 } == [Notice(kind: .waiting, text: "one moment")])
    #expect(reason { try keychain.lockAll() } == .serviceTimedOut)
    withExtendedLifetime(daemon) {}
  }
}
