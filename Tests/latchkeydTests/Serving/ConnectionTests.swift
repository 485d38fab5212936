import Foundation
import KeychainModel
import KeychainService
import KeychainWire
import LinuxSystem
import SecretMemory
import TestSupport
import Testing

@testable import latchkeyd

@Test func `requests of one connection are answered one after the other`() throws {
  let server = try TestServer { incoming in
    if case .find(let request) = incoming.request { return done(UInt32(request.after ?? 0)) }
    return done()
  }
  let client = try server.connect()
  for id in UInt32(1)...20 {
    let query = FindRequest(query: ItemQuery(itemClass: .genericPassword), returns: .data, after: UInt64(id))
    #expect(try client.ask(.find(query), id: id).reply == .done(count: id))
  }
  #expect(server.opened.value == 1)
}

@Test func `the peer is whom the kernel names`() throws {
  let server = try TestServer { incoming in
    let isMe = incoming.peer.process.pid == getpid() && incoming.peer.uid == getuid()
    let path = try? ThisProcess.executablePath()
    return done(isMe && incoming.peer.executable?.displayPath == path ? 1 : 0)
  }
  #expect(try server.connect().ask(.lock).reply == .done(count: 1))
}

@Test func `a hello is answered, before and between requests`() throws {
  let server = try TestServer { _ in done() }
  let client = try server.connect()
  for id in UInt32(1)...2 {
    try client.send(Message(requestID: id, body: .hello))
    let answer = try client.receive(until: soon)
    #expect(answer.body == .helloReply(HelloReply(daemon: DaemonText.version)))
    #expect(try client.ask(.lock, id: id).reply == .done(count: 0))
  }
}

@Test func `a detail that is too long for a frame is cut, not lost`() throws {
  let server = try TestServer { _ in
    Answer(.refused(Refusal(.storeDamaged, detail: String(repeating: "ü", count: 4000))))
  }
  guard case .refused(let refusal) = try server.connect().ask(.lock).reply else { throw Unexpected.frame }
  #expect(refusal.reason == .storeDamaged)
  #expect(refusal.detail.utf8.count == WireLimits.shortTextBytes)
}

@Test func `an answer that has no frame is refused by name and the connection lives on`() throws {
  let server = try TestServer { incoming in
    guard case .lock = incoming.request else { return done() }
    return Answer(.log(LogReply(lines: Array(repeating: "x", count: WireLimits.listEntries + 1), next: nil)))
  }
  let client = try server.connect()
  #expect(try client.reason(.lock) == .internalFailure)
  #expect(try client.ask(.lockAll, id: 2).reply == .done(count: 0))
}

@Test func `a prompt of one client stalls no other's plain read`() throws {
  let gate = Gate()
  let server = try TestServer { incoming in
    if case .unlock = incoming.request { gate.wait() }
    return done()
  }
  let waiting = try server.connect()
  try waiting.send(Message(requestID: 1, body: .request(.unlock(.passcode), RequestOptions())))
  #expect(eventually { gate.waiting.value == 1 })
  for _ in 0..<50 { #expect(try server.connect().ask(.lock).reply == .done(count: 0)) }
  gate.open()
  #expect(eventually { (try? waiting.receive(until: soon).body) == .reply(.done(count: 0)) })
}

@Test func `who waits long is asked for patience once`() throws {
  let gate = Gate()
  let server = try TestServer { _ in
    gate.wait()
    return done()
  }
  let client = try server.connect()
  try client.send(Message(requestID: 9, body: .request(.lock, RequestOptions())))
  let notice = try client.receive(until: soon)
  guard case .notice(let line) = notice.body else { throw Unexpected.frame }
  #expect(line.kind == .waiting && notice.requestID == 9)
  usleep(300_000)
  gate.open()
  #expect(try client.receive(until: soon).body == .reply(.done(count: 0)))
}

@Test func `another user's connection to a user's own daemon ends without a byte`() throws {
  let server = try TestServer(clientele: .user(getuid() + 1)) { _ in done() }
  let client = try server.raw()
  var byte: [UInt8] = [0]
  var span = byte.mutableSpan
  #expect(try UnixSocket.receive(client, into: &span, maximumDescriptors: 0).count == 0)
  #expect(server.opened.value == 0)
}

@Suite struct `A prompt's channel` {
  /// Answers how the presentation came, in the count.
  static func ask(_ incoming: IncomingRequest) -> Answer {
    guard let channel = incoming.channel as? any PresentingChannel else {
      return Answer(.refused(Refusal(.internalFailure)))
    }
    do throws(Refusal) {
      switch try channel.presentation(until: Clock.boottime + 30_000_000_000) {
      case .none: return done(1)
      case .passcode(let passcode): return done(UInt32(passcode.count))
      case .display(let variables): return done(UInt32(100 + variables.count))
      case .terminal(let descriptor): return done(Terminal.isTerminal(descriptor) ? 200 : 201)
      }
    } catch { return Answer(.refused(error)) }
  }

  @Test func `takes every kind of presentation`() throws {
    let server = try TestServer(Self.ask)
    let client = try server.connect()
    #expect(try client.ask(.lock).reply == .done(count: 1))
    let passcode = try SecretBytes(copying: Array("seven77".utf8))
    #expect(try client.ask(.lock, presenting: (.passcode(0), [passcode])).reply == .done(count: 7))
    #expect(try client.ask(.lock, presenting: (.display(["DISPLAY": ":0"]), [])).reply == .done(count: 101))
  }

  @Test func `counts its attempts within the request`() throws {
    let server = try TestServer { incoming in
      _ = Self.ask(incoming)
      return Self.ask(incoming)
    }
    let client = try server.connect()
    try client.send(Message(requestID: 3, body: .request(.lock, RequestOptions())))
    for attempt in UInt32(1)...2 {
      #expect(try client.receive(until: soon).body == .wanted(.prompt(attempt: attempt)))
      try client.send(Message(requestID: 3, body: .presentation(.none)))
    }
    #expect(try client.receive(until: soon).body == .reply(.done(count: 1)))
  }

  @Test func `ends when the request is taken back, and the connection serves on`() throws {
    let server = try TestServer(Self.ask)
    let client = try server.connect()
    try client.send(Message(requestID: 3, body: .request(.lock, RequestOptions())))
    _ = try client.receive(until: soon)
    try client.send(Message(requestID: 3, body: .cancel))
    #expect(try client.receive(until: soon).body == .reply(.refused(Refusal(.appCancelled))))
    #expect(try client.ask(.lock, id: 4).reply == .done(count: 1))
  }

  @Test func `ends at its deadline`() throws {
    let server = try TestServer(Self.ask)
    let client = try server.connect()
    try client.send(Message(requestID: 3, body: .request(.lock, RequestOptions())))
    _ = try client.receive(until: soon)
    guard case .reply(let reply) = try client.receive(until: soon).body else { throw Unexpected.frame }
    #expect(reply.reason == .deadlinePassed)
  }

  @Test(arguments: [
    MessageBody.hello, .request(.lock, RequestOptions()), .notice(Notice(kind: .waiting, text: "")),
  ])
  func `ends at a frame that has no place in it, and the connection with it`(_ body: MessageBody) throws {
    let server = try TestServer(Self.ask)
    let client = try server.connect()
    try client.send(Message(requestID: 3, body: .request(.lock, RequestOptions())))
    _ = try client.receive(until: soon)
    try client.send(Message(requestID: 3, body: body))
    guard case .reply(let reply) = try client.receive(until: soon).body else { throw Unexpected.frame }
    #expect(reply.reason == .invalidParameter)
    #expect(client.isClosed)
  }

  @Test func `takes no presentation that was made for another request`() throws {
    let server = try TestServer(Self.ask)
    let client = try server.connect()
    try client.send(Message(requestID: 3, body: .request(.lock, RequestOptions())))
    _ = try client.receive(until: soon)
    try client.send(Message(requestID: 2, body: .presentation(.none)))
    guard case .reply(let reply) = try client.receive(until: soon).body else { throw Unexpected.frame }
    #expect(reply.reason == .invalidParameter)
  }

  @Test func `knows that its client has left, and says so to the service`() throws {
    let seen = Counter()
    let server = try TestServer { incoming in
      let gone = eventually { incoming.channel.liveness == .ended(.clientGone) }
      if gone { seen.add() }
      return done()
    }
    do {
      let client = try server.connect()
      try client.send(Message(requestID: 1, body: .request(.lock, RequestOptions())))
      #expect(eventually { server.shared.table.running.count == 1 })
      client.shutDown()
    }
    #expect(eventually { seen.value == 1 })
    #expect(eventually { server.shared.table.count == 0 })
  }

  @Test func `is ended by the system`() throws {
    let server = try TestServer(Self.ask)
    let client = try server.connect()
    try client.send(Message(requestID: 1, body: .request(.lock, RequestOptions())))
    _ = try client.receive(until: soon)
    for request in server.shared.table.running { request.cancelBySystem() }
    #expect(try client.receive(until: soon).body == .reply(.refused(Refusal(.systemCancelled))))
  }
}
