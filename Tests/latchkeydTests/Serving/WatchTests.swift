import Foundation
import KeychainModel
import KeychainService
import KeychainWire
import LinuxSystem
import TestSupport
import Testing

@testable import latchkeyd

/// A server over a keychain that only counts.
private final class WatchedServer {
  let changes = ChangeCounter()
  let server: TestServer

  init(caps: ConnectionCaps = .standard) throws {
    let changes = changes
    server = try TestServer(caps: caps, changes: changes) { incoming in
      switch incoming.request {
      case .watch: return Answer(.changed(changes.current))
      case .add, .update, .delete: changes.advance()
      default: break
      }
      return done()
    }
  }

  /// A client whose watch waits.
  func watcher(id: UInt32 = 1) throws -> FrameSocket {
    let client = try server.connect()
    let waiting = changes.waiterCount
    try client.send(watch(changes.current, id))
    #expect(eventually { changes.waiterCount == waiting + 1 })
    return client
  }
}

private func watch(_ since: UInt64?, _ id: UInt32 = 1) -> Message {
  Message(requestID: id, body: .request(.watch(since: since), RequestOptions()))
}

@Suite struct `A watch` {
  @Test func `is answered at once without a count and with one that is over`() throws {
    let watched = try WatchedServer()
    let client = try watched.server.connect()
    let count = watched.changes.current
    for (id, since) in [nil, count &- 1, count &+ 1].enumerated() {
      try client.send(watch(since, UInt32(id)))
      #expect(try client.receive(until: soon).body == .reply(.changed(count)))
    }
  }

  @Test func `waits for a change and gets no notice meanwhile`() throws {
    let watched = try WatchedServer()
    let client = try watched.watcher(id: 4)
    // The test's server asks everybody who waits longer than 100 ms for patience.
    usleep(300_000)
    #expect(client.look() == .nothing)
    watched.changes.advance()
    let answer = try client.receive(until: soon)
    #expect(answer.requestID == 4 && answer.body == .reply(.changed(watched.changes.current)))
    #expect(eventually { watched.changes.waiterCount == 0 })
  }

  @Test func `tells many changes by one answer and misses none between two watches`() throws {
    let watched = try WatchedServer()
    let client = try watched.watcher()
    for _ in 0..<1000 { watched.changes.advance() }
    guard case .reply(.changed(var told)) = try client.receive(until: soon).body else { throw Unexpected.frame }
    var answers = 1
    while told != watched.changes.current {
      try client.send(watch(told))
      guard case .reply(.changed(let next)) = try client.receive(until: soon).body else { throw Unexpected.frame }
      told = next
      answers += 1
    }
    #expect(answers <= 2)
  }

  @Test func `that is never read holds up no writer and no other watcher`() throws {
    let watched = try WatchedServer()
    let mute = try watched.watcher()
    let other = try watched.watcher()
    let writer = try watched.server.connect()
    let query = ItemQuery(itemClass: .genericPassword)
    for id in UInt32(1)...2000 {
      #expect(try writer.ask(.delete(DeleteRequest(query: query)), id: id).reply == .done(count: 0))
    }
    #expect(try other.receive(until: soon).body.kind == .reply)
    // One pending answer, whatever happened.
    #expect(try mute.receive(until: soon).body.kind == .reply)
    #expect(mute.look() == .nothing)
  }

  @Test func `is taken back by a cancel, and its connection serves on`() throws {
    let watched = try WatchedServer()
    let client = try watched.watcher(id: 7)
    try client.send(Message(requestID: 7, body: .cancel))
    guard case .reply(let reply) = try client.receive(until: soon).body else { throw Unexpected.frame }
    #expect(reply.reason == .appCancelled && watched.changes.waiterCount == 0)
    #expect(try client.ask(.lock, id: 8).reply == .done(count: 0))
  }

  @Test(arguments: [
    watch(nil, 2), Message(requestID: 1, body: .presentation(.none)), Message(requestID: 2, body: .cancel),
    Message(requestID: 1, body: .hello), Message(requestID: 1, body: .reply(.done(count: 0))),
  ])
  func `that is interrupted by anything else ends with its connection`(_ frame: Message) throws {
    let watched = try WatchedServer()
    let client = try UnixSocket.connect(path: watched.server.path, timeoutMilliseconds: 20_000)
    // A daemon's side may say everything.
    let frames = try FrameSocket(client, side: .client)
    try frames.send(watch(watched.changes.current))
    #expect(eventually { watched.changes.waiterCount == 1 })
    try frames.send(frame)
    guard case .reply(let reply) = try frames.receive(until: soon).body else { throw Unexpected.frame }
    #expect(reply.reason == .invalidParameter)
    #expect(frames.isClosed && watched.changes.waiterCount == 0)
  }

  @Test func `interrupted by bytes that are no frame is refused by name`() throws {
    let watched = try WatchedServer()
    let client = try watched.watcher()
    try UnixSocket.sendAll(client.descriptor, Array(repeating: UInt8(ascii: "x"), count: 24).span)
    guard case .reply(let reply) = try client.receive(until: soon).body else { throw Unexpected.frame }
    #expect(reply.reason == .invalidParameter && client.isClosed)
  }

  @Test func `of a client that vanishes is forgotten, a hundred times`() throws {
    let watched = try WatchedServer()
    for _ in 0..<100 {
      let client = try watched.watcher()
      client.shutDown()
      #expect(eventually { watched.changes.waiterCount == 0 })
    }
    #expect(eventually { watched.server.shared.table.count == 0 })
  }

  @Test func `is refused where sixteen wait, and requests are served all the same`() throws {
    let watched = try WatchedServer()
    let watchers = try (0..<16).map { _ in try watched.watcher() }
    let client = try watched.server.connect()
    #expect(try client.reason(.watch(since: watched.changes.current)) == .tooManyRequests)
    #expect(try client.ask(.lock, id: 2).reply == .done(count: 0))
    watched.changes.advance()
    for watcher in watchers { #expect(try watcher.receive(until: soon).body.kind == .reply) }
  }

  @Test func `gives its connection up where a user has too many`() throws {
    let watched = try WatchedServer(caps: ConnectionCaps(perUser: 2, total: 8))
    let watcher = try watched.watcher()
    let clients = try (0..<2).map { _ in try watched.server.connect() }
    for client in clients { #expect(try client.ask(.lock).reply == .done(count: 0)) }
    #expect(watcher.isClosed)
    #expect(eventually { watched.changes.waiterCount == 0 })
  }
}
