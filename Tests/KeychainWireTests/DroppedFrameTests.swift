import KeychainModel
import LinuxSystem
import SecretMemory
import Synchronization
import Testing

@testable import KeychainWire

/// A quota that says yes or no, and counts what it was asked.
private final class ScriptedQuota: SecretQuota {
  final class Claim: SecretClaim {
    let quota: ScriptedQuota
    init(_ quota: ScriptedQuota) {
      self.quota = quota
      quota.live.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }
    deinit { quota.live.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
  }

  let isGiving: Bool
  let asked = Mutex<[Int]>([])
  let live = Atomic<Int>(0)
  init(isGiving: Bool) { self.isGiving = isGiving }

  func claim(_ bytes: Int, until deadline: UInt64) -> (any SecretClaim)? {
    asked.withLock { $0.append(bytes) }
    return isGiving ? Claim(self) : nil
  }
}

/// Frames whose secrets find no room: the stream goes on behind them.
@Suite struct DroppedFrameTests {
  private func unlock(_ count: Int, id: UInt32) throws -> Message {
    Message(
      requestID: id, body: .request(.unlock(.recoveryKey(0)), RequestOptions()),
      secrets: [try SecretBytes.random(count: count)])
  }

  @Test(arguments: [(4095, false), (4096, false), (4097, true), (100_000, true)])
  func `a frame over the quota is read to its end, and the next one is whole`(count: Int, isDropped: Bool) throws {
    let pair = try SocketPair()
    let quota = ScriptedQuota(isGiving: false)
    let daemon = try FrameSocket(pair.daemonEnd, side: .daemon, quota: quota)
    let first = try unlock(count, id: 5)
    let next = try unlock(64, id: 6)
    let bytes = try frame(first) + frame(next)
    try Threads.start { try? push(bytes, to: pair.clientEnd) }
    if isDropped {
      #expect(throws: FrameSocketError.dropped(.overQuota, requestID: 5)) { try daemon.receive(until: soon(30_000)) }
      #expect(quota.asked.withLock { $0 } == [count])
    } else {
      #expect(try daemon.receive(until: soon(30_000)).secrets[0].equals(first.secrets[0]))
      #expect(quota.asked.withLock { $0 } == [])
    }
    #expect(try daemon.receive(until: soon(30_000)).secrets[0].equals(next.secrets[0]))
  }

  @Test func `what a frame claimed is held for as long as its message`() throws {
    let pair = try SocketPair()
    let quota = ScriptedQuota(isGiving: true)
    let daemon = try FrameSocket(pair.daemonEnd, side: .daemon, quota: quota)
    let client = try pair.client()
    let sent = try unlock(50_000, id: 5)
    try Threads.start { try? client.send(sent) }
    var message: Message? = try daemon.receive(until: soon(30_000))
    #expect(quota.live.load(ordering: .sequentiallyConsistent) == 1)
    #expect(message?.secrets[0].equals(sent.secrets[0]) == true)
    withExtendedLifetime(message) {}
    message = nil
    #expect(quota.live.load(ordering: .sequentiallyConsistent) == 0)
  }

  @Test func `half a frame claims no longer than it may take to come`() throws {
    let pair = try SocketPair()
    let quota = ScriptedQuota(isGiving: true)
    let daemon = try FrameSocket(pair.daemonEnd, side: .daemon, quota: quota)
    try push(Array(try frame(try unlock(50_000, id: 5)).dropLast()), to: pair.clientEnd)
    #expect(throws: FrameSocketError.timedOut) { try daemon.receive(until: soon(30)) }
    #expect(quota.live.load(ordering: .sequentiallyConsistent) == 0)
  }

  @Test func `the end of a dropped frame has the frame's own deadline`() throws {
    let pair = try SocketPair()
    let daemon = try FrameSocket(pair.daemonEnd, side: .daemon, quota: ScriptedQuota(isGiving: false))
    try push(Array(try frame(try unlock(50_000, id: 5)).dropLast()), to: pair.clientEnd)
    #expect(throws: FrameSocketError.timedOut) { try daemon.receive(until: soon(30)) }
    try push([0], to: pair.clientEnd)
    #expect(throws: FrameSocketError.timedOut) { try daemon.receive(until: soon(30)) }
  }

  @Test func `no byte of a dropped secret stays in the buffer`() throws {
    let pair = try SocketPair()
    var inbox = try FrameInbox(
      pair.daemonEnd, maximumDescriptors: 1, blockMilliseconds: 0, quota: ScriptedQuota(isGiving: false))
    let message = try unlock(10_000, id: 5)
    let bytes = try frame(message)
    try Threads.start { try? push(bytes, to: pair.clientEnd) }
    #expect(throws: FrameSocketError.dropped(.overQuota, requestID: 5)) { try inbox.receive(until: soon(30_000)) }
    // Only the header and the public part, which came first, may be left.
    let head = bytes.count - 10_000
    #expect(inbox.bufferedBytes.dropFirst(head).allSatisfy { $0 == 0 })
  }

  @Test func `who is turned away hears why and then the end`() throws {
    let pair = try SocketPair()
    let client = try pair.client()
    FrameSocket.turnAway(
      pair.daemonEnd, Message(requestID: 0, body: .reply(.refused(Refusal(.outOfMemory)))))
    #expect(try client.receive(until: soon(30_000)).body == .reply(.refused(Refusal(.outOfMemory))))
    #expect(throws: FrameSocketError.closed) { try client.receive(until: soon(30_000)) }
  }
}
