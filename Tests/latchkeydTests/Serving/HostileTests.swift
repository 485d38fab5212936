import Foundation
import KeychainModel
import KeychainService
import KeychainWire
import LinuxSystem
import SecretMemory
import TestSupport
import Testing

@testable import latchkeyd

/// What a daemon answers to bytes: the frames it sends until it closes.
private func answers(to bytes: [UInt8], from server: TestServer) throws -> [MessageBody] {
  let socket = try server.raw()
  try UnixSocket.sendAll(socket, bytes.span)
  shutdown(socket.number, Int32(SHUT_WR))
  let frames = try FrameSocket(socket, side: .client)
  var bodies: [MessageBody] = []
  while let message = try? frames.receive(until: soon) { bodies.append(message.body) }
  return bodies
}

private func header(
  magic: String = "LKEY", version: UInt8 = 1, kind: UInt8 = 3, flags: UInt8 = 0, publicLength: UInt32 = 1,
  secretLength: UInt32 = 0
) -> [UInt8] {
  func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
  return Array(magic.utf8) + [version, 0, kind, flags] + number(5) + number(publicLength) + number(secretLength)
    + [0, 0, 0, 0]
}

private func refusal(_ bodies: [MessageBody]) -> Reason? {
  guard bodies.count == 1, case .reply(let reply) = bodies[0] else { return nil }
  return reply.reason
}

@Test(arguments: [
  header(magic: "XKEY"), header(kind: 0), header(kind: 9), header(flags: 1), header(flags: 2),
  header(publicLength: 65_537), header(secretLength: 1_114_113), header(publicLength: 0xFFFF_FFFF), header() + [65],
  header() + [0], header(kind: 4) + [0],
])
func `a malformed frame is answered invalidParameter and the connection ends`(_ bytes: [UInt8]) throws {
  let reached = Counter()
  let server = try TestServer { _ in
    reached.add()
    return done()
  }
  #expect(refusal(try answers(to: bytes, from: server)) == .invalidParameter)
  #expect(reached.value == 0)
  #expect(try server.connect().ask(.lock).reply == .done(count: 0))
}

@Test(arguments: [UInt8(0), 2, 255])
func `a frame of another version is answered by the daemon's own`(_ version: UInt8) throws {
  let server = try TestServer { _ in done() }
  let bodies = try answers(to: header(version: version) + [0], from: server)
  #expect(bodies == [.helloReply(HelloReply(daemon: DaemonText.version))])
}

@Test func `half a frame and silence cost a connection, not the daemon`() throws {
  let server = try TestServer { _ in done() }
  for length in [1, 4, 23, 24] {
    #expect(try answers(to: Array((header(publicLength: 100) + [0, 0]).prefix(length)), from: server) == [])
  }
  #expect(try server.connect().ask(.lock).reply == .done(count: 0))
}

@Test func `garbage of any length ends in silence or in invalidParameter`() throws {
  var generator = SeededGenerator(seed: 11)
  let server = try TestServer { _ in Answer(.refused(Refusal(.internalFailure))) }
  for _ in 0..<300 {
    let count = Int.random(in: 0...200, using: &generator)
    var bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    if Bool.random(using: &generator) { bytes = header(publicLength: UInt32(count)) + bytes }
    let bodies = try answers(to: bytes, from: server)
    #expect(bodies.isEmpty || refusal(bodies) == .invalidParameter || isHello(bodies))
  }
  #expect(eventually { server.shared.table.count == 0 })
}

private func isHello(_ bodies: [MessageBody]) -> Bool {
  if case .helloReply? = bodies.first { return bodies.count == 1 }
  return false
}

@Test func `a presentation sent before it is wanted proves nothing`() throws {
  let server = try TestServer(`A prompt's channel`.ask)
  let client = try server.connect()
  let passcode = try SecretBytes(copying: Array("guess".utf8))
  // Ahead of the request it is dropped: the request still has to ask.
  try client.send(Message(requestID: 1, body: .presentation(.passcode(0)), secrets: [passcode]))
  try client.send(Message(requestID: 1, body: .request(.lock, RequestOptions())))
  #expect(try client.receive(until: soon).body == .wanted(.prompt(attempt: 1)))
  try client.send(Message(requestID: 1, body: .presentation(.none)))
  #expect(try client.receive(until: soon).body == .reply(.done(count: 1)))
}

@Test func `a client that vanishes in the middle of a request a thousand times harms nobody`() throws {
  let server = try TestServer(`A prompt's channel`.ask)
  for round in 0..<1000 {
    let client = try server.connect()
    try client.send(Message(requestID: 1, body: .request(.lock, RequestOptions())))
    if round % 2 == 0 { _ = try client.receive(until: soon) }
  }
  #expect(try server.connect().ask(.lock).reply == .done(count: 1))
  #expect(eventually { server.shared.table.count == 0 })
}

@Test func `a client that reads nothing is given up, and nobody waits for it`() throws {
  let server = try TestServer { _ in
    Answer(.found(FindReply(items: [], hidden: 0, next: nil)))
  }
  let mute = try server.raw()
  _ = fcntl(mute.number, F_SETFL, O_NONBLOCK)
  let encoder = try UnixSocket.streamPair()
  let sender = try FrameSocket(encoder.0, side: .client)
  try sender.send(Message(requestID: 1, body: .request(.lock, RequestOptions())))
  var frame = [UInt8](repeating: 0, count: 4096)
  var span = frame.mutableSpan
  let count = try UnixSocket.receive(encoder.1, into: &span, maximumDescriptors: 0).count
  let request = Array(frame.prefix(count))
  while (try? UnixSocket.sendAll(mute, request.span)) != nil {}
  #expect(try server.connect().ask(.lock).reply.reason == nil)
  withExtendedLifetime(mute) {}
}
