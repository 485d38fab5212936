import Foundation
import KeychainModel
import KeychainService
import KeychainWire
import LinuxSystem
import TestSupport
import Testing

@testable import latchkeyd

@Suite struct `The table of connections` {
  private func sockets(_ count: Int) throws -> [OwnedDescriptor] {
    try (0..<count).map { _ in try UnixSocket.streamPair().0 }
  }

  private func number(_ admission: Admission) -> ConnectionNumber? {
    if case .admitted(let number) = admission { return number }
    return nil
  }

  private func busy(_ table: ConnectionTable, _ number: ConnectionNumber) throws {
    let (near, far) = try UnixSocket.streamPair()
    let peer = try ConnectedPeer(near, acceptedAt: Clock.boottime)
    withExtendedLifetime(far) {}
    #expect(table.begin(number, try request(near, peer)) == .begun)
  }

  private func request(_ socket: OwnedDescriptor, _ peer: ConnectedPeer) throws -> RunningRequest {
    RunningRequest(
      1, on: try FrameSocket(socket, side: .daemon), from: peer, quota: SecretBudget().part(of: getuid()))
  }

  @Test(arguments: [(3, 3), (4, 4), (5, 4)])
  func `keeps as many of a user as its cap says`(_ opened: Int, _ kept: Int) throws {
    let table = ConnectionTable(caps: ConnectionCaps(perUser: 4, total: 100))
    for socket in try sockets(opened) { #expect(number(table.admit(socket, of: 7)) != nil) }
    #expect(table.count == kept)
  }

  @Test(arguments: [(5, 5), (6, 6), (7, 6)])
  func `keeps as many in all as its cap says`(_ opened: Int, _ kept: Int) throws {
    let table = ConnectionTable(caps: ConnectionCaps(perUser: 4, total: 6))
    for (index, socket) in try sockets(opened).enumerated() {
      #expect(number(table.admit(socket, of: UInt32(index))) != nil)
    }
    #expect(table.count == kept)
  }

  @Test func `closes the one that has been idle longest`() throws {
    let table = ConnectionTable(caps: ConnectionCaps(perUser: 3, total: 100))
    let numbers = try sockets(3).map { table.admit($0, of: 7) }.compactMap(number)
    // The first one is used, so the second has been idle longest.
    try busy(table, numbers[0])
    table.end(numbers[0])
    _ = table.admit(try sockets(1)[0], of: 7)
    let (near, _) = try UnixSocket.streamPair()
    let peer = try ConnectedPeer(near, acceptedAt: Clock.boottime)
    let request = try request(near, peer)
    #expect(table.begin(numbers[1], request) == .evicted)
    #expect(table.begin(numbers[0], request) == .begun)
  }

  @Test func `never closes one that is busy, and is full where all are`() throws {
    let table = ConnectionTable(caps: ConnectionCaps(perUser: 2, total: 100))
    for admission in try sockets(2).map({ table.admit($0, of: 7) }) { try busy(table, number(admission)!) }
    #expect(table.admit(try sockets(1)[0], of: 7) == .full)
    #expect(number(table.admit(try sockets(1)[0], of: 8)) != nil)
  }

  @Test(arguments: [(7, true), (8, true), (9, false)])
  func `shuts the door to a user whose closed ones do not end, until they do`(_ closed: Int, _ isAdmitted: Bool) throws
  {
    let table = ConnectionTable(caps: ConnectionCaps(perUser: 2, total: 100))
    let numbers = try sockets(2 + closed).map { number(table.admit($0, of: 7)) }
    #expect(table.leaving(of: 7) == min(closed, 8))
    #expect((numbers.last! != nil) == isAdmitted)
    #expect(number(table.admit(try sockets(1)[0], of: 8)) != nil, "another user's is taken in any case")
    table.remove(try #require(numbers[0]))
    #expect(number(table.admit(try sockets(1)[0], of: 7)) != nil)
  }

  @Test func `takes from the user who has the most`() throws {
    let table = ConnectionTable(caps: ConnectionCaps(perUser: 5, total: 6))
    let quiet = number(table.admit(try sockets(1)[0], of: 1))!
    for socket in try sockets(5) { _ = table.admit(socket, of: 2) }
    #expect(number(table.admit(try sockets(1)[0], of: 3)) != nil)
    try busy(table, quiet)
    #expect(table.count == 6)
  }

  @Test func `forgets a connection that ended`() throws {
    let table = ConnectionTable(caps: ConnectionCaps(perUser: 2, total: 2))
    let first = number(table.admit(try sockets(1)[0], of: 7))!
    table.remove(first)
    table.remove(first)
    #expect(table.count == 0)
    for socket in try sockets(2) { _ = table.admit(socket, of: 7) }
    #expect(table.count == 2)
  }
}

@Test func `five hundred idle connections of a user lock out nobody, not even that user`() throws {
  let server = try TestServer { _ in done() }
  let idle = try (0..<500).map { _ in try server.raw() }
  #expect(try server.connect().ask(.lock).reply == .done(count: 0))
  #expect(server.shared.table.count <= ConnectionCaps.standard.perUser)
  withExtendedLifetime(idle) {}
}

@Test func `where every connection of a user is busy the next one is told so`() throws {
  let gate = Gate()
  let server = try TestServer(caps: ConnectionCaps(perUser: 2, total: 10)) { _ in
    gate.wait()
    return done()
  }
  let busy = try (0..<2).map { _ in try server.connect() }
  for client in busy { try client.send(Message(requestID: 1, body: .request(.lock, RequestOptions()))) }
  #expect(eventually { gate.waiting.value == 2 })
  let refused = try server.connect()
  #expect(try refused.reason(.lock, id: 77) == .tooManyRequests)
  #expect(refused.isClosed)
  gate.open()
  for client in busy { #expect(eventually { (try? client.receive(until: soon).body) == .reply(.done(count: 0)) }) }
  #expect(try server.connect().ask(.lock).reply == .done(count: 0))
}
