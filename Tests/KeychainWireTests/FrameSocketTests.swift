import KeychainModel
import LinuxSystem
import SecretMemory
import Testing

@testable import KeychainWire

/// Two ends of a connection.
struct SocketPair {
  let daemonEnd: OwnedDescriptor
  let clientEnd: OwnedDescriptor
  init() throws { (daemonEnd, clientEnd) = try UnixSocket.streamPair() }
  func daemon() throws -> FrameSocket { try FrameSocket(daemonEnd, side: .daemon) }
  func client() throws -> FrameSocket { try FrameSocket(clientEnd, side: .client) }
}

func soon(_ milliseconds: UInt64) -> UInt64 { Clock.boottime + milliseconds * 1_000_000 }

/// The bytes of a whole frame.
func frame(_ message: Message) throws -> [UInt8] {
  var encoder = MessageEncoder()
  try encoder.encode(message)
  return message.secrets.reduce(encoder.bytes) { bytes, secret in
    bytes + secret.withSpan { span in span.indices.map { span[$0] } }
  }
}

/// Sends raw bytes.
func push(_ bytes: [UInt8], to socket: OwnedDescriptor) throws { try UnixSocket.sendAll(socket, bytes.span) }

@Suite struct FrameSocketTests {
  func same(_ left: Message, _ right: Message) -> Bool {
    left.body == right.body && left.requestID == right.requestID && left.secrets.count == right.secrets.count
      && zip(left.secrets, right.secrets).allSatisfy { $0.equals($1) }
  }

  func unlock(_ secret: SecretBytes) -> Message {
    Message(requestID: 9, body: .request(.unlock(.recoveryKey(0)), RequestOptions()), secrets: [secret])
  }

  @Test(arguments: UInt64(1)...4) func `messages arrive as they were sent`(seed: UInt64) throws {
    let pair = try SocketPair()
    let (daemon, client) = (try pair.daemon(), try pair.client())
    var messages = RandomMessages(seed: seed)
    for _ in 0..<300 {
      let message = try messages.next()
      try client.send(message)
      #expect(same(try daemon.receive(until: soon(30_000)), message))
    }
    #expect(!daemon.hasBufferedInput)
  }

  @Test func `many frames in one piece come out one by one`() throws {
    let pair = try SocketPair()
    let daemon = try pair.daemon()
    var messages = RandomMessages(seed: 5)
    let sent = try (0..<60).map { _ in try messages.next() }
    let stream = try sent.flatMap { try frame($0) }
    try Threads.start { try? push(stream, to: pair.clientEnd) }
    for message in sent { #expect(same(try daemon.receive(until: soon(30_000)), message)) }
  }

  @Test func `a frame that comes byte by byte is put together`() throws {
    let pair = try SocketPair()
    let daemon = try pair.daemon()
    let message = unlock(try SecretBytes.random(count: 300))
    let bytes = try frame(message)
    try Threads.start {
      for byte in bytes { try? push([byte], to: pair.clientEnd) }
    }
    #expect(same(try daemon.receive(until: soon(30_000)), message))
  }

  @Test(arguments: [0, 1, 511, 512, 513, 4035, 4036, 4037, 4096, 4097, 65_536, 1_048_576, 1_052_672])
  func `a secret of any size arrives byte for byte`(count: Int) throws {
    let pair = try SocketPair()
    let (daemon, client) = (try pair.daemon(), try pair.client())
    let message = unlock(try SecretBytes.random(count: count))
    try Threads.start {
      try? client.send(message)
      try? client.send(Message(requestID: 10, body: .cancel))
    }
    #expect(same(try daemon.receive(until: soon(30_000)), message))
    #expect(try daemon.receive(until: soon(30_000)).body == .cancel)
  }

  @Test func `a public part longer than the buffer arrives, and the secret behind it`() throws {
    let pair = try SocketPair()
    let (daemon, client) = (try pair.daemon(), try pair.client())
    let lines = (0..<14).map { String(repeating: "\($0 % 10)", count: 4000) }
    let attributes = ItemAttributes([.service: .data([UInt8](repeating: 3, count: 4090))])
    let item = FoundItem(
      identifier: .random(), itemClass: .key, attributes: attributes, accessControl: .unconstrained(.always), value: 0)
    let page = Message(
      requestID: 2, body: .reply(.found(FindReply(items: [item], hidden: 0, next: nil))),
      secrets: [try SecretBytes.random(count: 5000)])
    let log = Message(requestID: 1, body: .reply(.log(LogReply(lines: lines, next: 4))))
    try Threads.start {
      for message in [log, page, log] { try? daemon.send(message) }
    }
    for message in [log, page, log] { #expect(same(try client.receive(until: soon(30_000)), message)) }
  }

  @Test func `a terminal travels with its frame`() throws {
    let pair = try SocketPair()
    let (daemon, client) = (try pair.daemon(), try pair.client())
    let (left, right) = try UnixSocket.streamPair()
    try client.send(Message(requestID: 3, body: .presentation(.terminal), descriptor: left))
    let got = try daemon.receive(until: soon(30_000))
    let passed = try #require(got.descriptor)
    #expect(passed.number != left.number)
    try push([42], to: passed)
    var buffer: [UInt8] = [0]
    var span = buffer.mutableSpan
    _ = try UnixSocket.readExactly(right, into: &span)
    #expect(buffer == [42])
  }

  @Test func `a terminal without a descriptor, or with two, or with another frame, is refused`() throws {
    let bytes = try frame(Message(requestID: 3, body: .cancel))
    let terminal = try frame(
      Message(requestID: 3, body: .presentation(.terminal), descriptor: try UnixSocket.streamPair().0))
    let spare = try UnixSocket.streamPair()
    for (frame, passed) in [(terminal, []), (terminal, [spare.0, spare.1]), (bytes, [spare.0])] {
      let pair = try SocketPair()
      let daemon = try pair.daemon()
      _ = try UnixSocket.send(pair.clientEnd, frame.span, passing: passed)
      let error = #expect(throws: FrameSocketError.self) { try daemon.receive(until: soon(30_000)) }
      guard case .malformed(.reservedSet, _) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test func `a client takes no descriptor`() throws {
    let pair = try SocketPair()
    let client = try pair.client()
    let bytes = try frame(Message(requestID: 3, body: .cancel))
    _ = try UnixSocket.send(pair.daemonEnd, bytes.span, passing: [pair.daemonEnd])
    #expect(throws: FrameSocketError.malformed(.reservedSet, requestID: nil)) {
      try client.receive(until: soon(30_000))
    }
  }

  @Test func `half a frame and the end is told from an end between frames`() throws {
    let bytes = try frame(unlock(try SecretBytes.random(count: 100)))
    for count in [0, 1, 23, 24, 30, bytes.count - 1] {
      var pair: SocketPair? = try SocketPair()
      let daemon = try pair!.daemon()
      try push(Array(bytes.prefix(count)), to: pair!.clientEnd)
      pair = nil
      let expected: FrameSocketError = count == 0 ? .closed : .closedInsideFrame
      #expect(throws: expected) { try daemon.receive(until: soon(30_000)) }
      #expect(throws: expected) { try daemon.receive(until: soon(30_000)) }
    }
  }

  @Test func `a deadline without a byte leaves the socket good, one inside a frame does not`() throws {
    let pair = try SocketPair()
    let daemon = try pair.daemon()
    let bytes = try frame(Message(requestID: 3, body: .cancel))
    let start = Clock.boottime
    #expect(throws: FrameSocketError.timedOut) { try daemon.receive(until: soon(30)) }
    #expect(Clock.boottime - start < 5_000_000_000)
    try push(bytes, to: pair.clientEnd)
    #expect(try daemon.receive(until: soon(30_000)).body == .cancel)
    for count in [5, 24] {
      let other = try SocketPair()
      let late = try other.daemon()
      try push(Array(bytes.prefix(count)), to: other.clientEnd)
      #expect(throws: FrameSocketError.timedOut) { try late.receive(until: soon(30)) }
      try push(Array(bytes.dropFirst(count)), to: other.clientEnd)
      #expect(throws: FrameSocketError.timedOut) { try late.receive(until: soon(30)) }
    }
  }

  @Test func `a socket's own timeout ends neither a wait nor a deadline early`() throws {
    let pair = try SocketPair()
    let client = try FrameSocket(pair.clientEnd, side: .client, blockMilliseconds: 20)
    let start = Clock.boottime
    #expect(throws: FrameSocketError.timedOut) { try client.receive(until: soon(110)) }
    #expect(Clock.boottime - start >= 110_000_000)
  }

  @Test func `a send that makes no progress ends`() throws {
    let pair = try SocketPair()
    let client = try FrameSocket(pair.clientEnd, side: .client, blockMilliseconds: 50)
    let message = unlock(try SecretBytes(count: 1_048_576))
    #expect(throws: FrameSocketError.timedOut) { try client.send(message) }
    #expect(throws: FrameSocketError.closed) { try client.send(message) }
  }

  @Test func `what cannot be encoded is not sent`() throws {
    let pair = try SocketPair()
    let (daemon, client) = (try pair.daemon(), try pair.client())
    let bad = Message(requestID: 1, body: .request(.unlock(.recoveryKey(0)), RequestOptions()))
    #expect(throws: FrameSocketError.encoding(.secretMismatch)) { try client.send(bad) }
    try client.send(Message(requestID: 2, body: .cancel))
    #expect(try daemon.receive(until: soon(30_000)).requestID == 2)
  }

  @Test func `a malformed frame names its request where the header was readable`() throws {
    let pair = try SocketPair()
    let daemon = try pair.daemon()
    var bytes = try frame(Message(requestID: 77, body: .request(.lock, RequestOptions())))
    bytes[bytes.count - 1] = 99
    try push(bytes, to: pair.clientEnd)
    #expect(throws: FrameSocketError.malformed(.unknownValue, requestID: 77)) {
      try daemon.receive(until: soon(30_000))
    }
  }

  @Test func `a look tells nothing, a frame and an end apart`() throws {
    var pair: SocketPair? = try SocketPair()
    let daemon = try pair!.daemon()
    #expect(daemon.look() == .nothing)
    let bytes = try frame(Message(requestID: 3, body: .cancel))
    try push(bytes + bytes, to: pair!.clientEnd)
    #expect(daemon.look() == .frame)
    _ = try daemon.receive(until: soon(30_000))
    #expect(daemon.hasBufferedInput)
    #expect(daemon.look() == .frame)
    _ = try daemon.receive(until: soon(30_000))
    #expect(daemon.look() == .nothing)
    pair = nil
    #expect(daemon.look() == .gone)
  }

  @Test func `shutting down ends a wait in another thread`() throws {
    let pair = try SocketPair()
    let client = try pair.client()
    try Threads.start {
      _ = try? Poll.wait([], timeoutMilliseconds: 50)
      client.shutDown()
    }
    let start = Clock.boottime
    #expect(throws: FrameSocketError.closed) { try client.receive(until: soon(30_000)) }
    #expect(Clock.boottime - start < 5_000_000_000)
  }

  @Test func `no secret stays in the receive buffer`() throws {
    let pair = try SocketPair()
    var inbox = try FrameInbox(pair.daemonEnd, maximumDescriptors: 1, blockMilliseconds: 0)
    let secret = try SecretBytes.random(count: 64)
    try push(try frame(unlock(secret)), to: pair.clientEnd)
    _ = try inbox.receive(until: soon(30_000))
    let canary = secret.withSpan { span in span.indices.map { span[$0] } }
    let left = inbox.bufferedBytes
    #expect(!(0..<left.count - 8).contains { Array(left[$0..<$0 + 8]) == Array(canary.prefix(8)) })
    #expect(left.contains { $0 != 0 })
  }
}

extension FrameInbox {
  /// Everything that lies in the buffer.
  var bufferedBytes: [UInt8] { buffer.withSpan { span in span.indices.map { span[$0] } } }
}
