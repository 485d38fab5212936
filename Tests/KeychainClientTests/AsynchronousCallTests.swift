import Foundation
import KeychainModel
import KeychainWire
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import KeychainClient

@Suite struct AsynchronousCallTests {
  let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }
  var path: String { folder.path + "/socket" }

  /// Answers status; an unlock waits until its client leaves.
  static let waiting: FakeDaemon.Handler = { socket, message in
    guard case .request(let request, _) = message.body else { return }
    switch request {
    case .unlock: try socket.send(message.answer(.notice(Notice(kind: .waiting, text: ""))))
    default: try socket.send(message.reply(.status(StatusReply())))
    }
  }

  @Test func `a call returns its answer or throws its refusal`() async throws {
    let daemon = try FakeDaemon(path, ConnectionTests.answering)
    let keychain = keychain(at: path)
    let count = try await keychain.asynchronously { (keychain, options) throws(Refusal) in
      try keychain.lock(options: options)
      return 3
    }
    #expect(count == 3)
    daemon.stop()
    await #expect(throws: Refusal.self) {
      try await keychain.asynchronously { (keychain, options) throws(Refusal) in try keychain.lock(options: options) }
    }
  }

  /// When a call ended, as its own thread saw it: the pool's threads are busy with other tests.
  private final class End: Sendable {
    private let state = Mutex<(reason: Reason?, moment: UInt64)>((nil, 0))
    var moment: UInt64 { state.withLock { $0.moment } }
    var reason: Reason? { state.withLock { $0.reason } }
    func note(_ reason: Reason?) { state.withLock { $0 = (reason, Clock.boottime) } }
  }

  @Test func `cancelling the task ends a waiting call within 200 ms`() async throws {
    let daemon = try FakeDaemon(path, Self.waiting)
    var spans: [UInt64] = []
    // A machine that is busy with other things may be late once, not each time.
    while spans.count < 5, spans.last ?? .max >= 200_000_000 { spans.append(try await spanOfCancelling(daemon)) }
    #expect(spans.last! < 200_000_000, "\(spans)")
  }

  /// Nanoseconds from the cancellation of a task to the end of the call it waits for.
  private func spanOfCancelling(_ daemon: FakeDaemon) async throws -> UInt64 {
    let isWaiting = Mutex(false)
    let keychain = keychain(at: path) { _ in isWaiting.withLock { $0 = true } }
    let end = End()
    let cancelled = Mutex(UInt64(0))
    let before = daemon.received.count
    let task = Task {
      try? await keychain.asynchronously { (keychain, options) throws(Refusal) in
        end.note(reason { try keychain.unlock(options: options) })
      }
    }
    try Threads.start {
      _ = eventually { isWaiting.withLock { $0 } }
      cancelled.withLock { $0 = Clock.boottime }
      task.cancel()
    }
    await task.value
    #expect(end.reason == .appCancelled)
    #expect(eventually { daemon.received.dropFirst(before).contains(.cancel) })
    return end.moment - cancelled.withLock { $0 }
  }

  @Test func `a task that was cancelled before sends nothing`() async throws {
    let daemon = try FakeDaemon(path, Self.waiting)
    let keychain = keychain(at: path)
    let task = Task { () -> Reason? in
      while !Task.isCancelled { await Task.yield() }
      do throws(Refusal) {
        try await keychain.asynchronously { (keychain, options) throws(Refusal) in
          try keychain.unlock(options: options)
        }
        return nil
      } catch { return error.reason }
    }
    task.cancel()
    #expect(await task.value == .appCancelled)
    #expect(daemon.received.isEmpty)
  }

  @Test func `a hundred tasks at once are all answered over a bounded number of connections`() async throws {
    let busy = Mutex((now: 0, most: 0))
    let daemon = try FakeDaemon(path) { socket, message in
      busy.withLock { busy in
        busy.now += 1
        busy.most = max(busy.most, busy.now)
      }
      _ = try? Poll.wait([], timeoutMilliseconds: 5)
      busy.withLock { $0.now -= 1 }
      try Self.waiting(socket, message)
    }
    let keychain = keychain(at: path)
    let answered = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 {
        group.addTask {
          (try? await keychain.asynchronously { (keychain, options) throws(Refusal) in
            try keychain.status(options: options)
          }) != nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(answered == 100)
    #expect(daemon.received.count == 100)
    let most = busy.withLock { $0.most }
    #expect(most > 1 && most <= KeychainConnection.busyConnections)
  }

  @Test func `who waits for a connection can leave, and its place is not lost`() throws {
    let gate = ConnectionGate(limit: 1, pid: 1)
    let none = CancellationSet([])
    try gate.enter(pid: 1, none)
    let cancellation = Cancellation()
    let ends = Mutex<[String]>([])
    try Threads.start {
      let end = reason { try gate.enter(pid: 1, CancellationSet([cancellation])) }
      ends.withLock { $0.append("\(end?.rawValue ?? "entered")") }
    }
    try Threads.start {
      let end = reason { try gate.enter(pid: 1, none) }
      ends.withLock { $0.append("\(end?.rawValue ?? "entered")") }
    }
    cancellation.cancel()
    #expect(eventually { ends.withLock { $0 } == ["appCancelled"] })
    gate.leave(pid: 1)
    #expect(eventually { ends.withLock { $0 } == ["appCancelled", "entered"] })
    gate.leave(pid: 1)
    try gate.enter(pid: 1, none)
  }

  @Test func `a child process has all places free`() throws {
    let gate = ConnectionGate(limit: 1, pid: 1)
    let none = CancellationSet([])
    try gate.enter(pid: 1, none)
    try gate.enter(pid: 2, none)
    gate.leave(pid: 1)
    let cancelled = Cancellation()
    cancelled.cancel()
    #expect(reason { try gate.enter(pid: 2, CancellationSet([cancelled])) } == .appCancelled, "its one place is taken")
  }

  @Test func `a wait for room in the backlog ends within 200 ms when it is taken back`() throws {
    let listener = try UnixSocket.listen(path: path, mode: 0o600, backlog: 0)
    let first = try UnixSocket.connect(path: path)
    let taken = try quickest(below: 200) {
      var options = CallOptions()
      let cancellation = Cancellation()
      options.cancellation = cancellation
      let cancelled = Mutex(UInt64(0))
      try Threads.start {
        _ = try? Poll.wait([], timeoutMilliseconds: 100)
        cancelled.withLock { $0 = Clock.boottime }
        cancellation.cancel()
      }
      #expect(reason { _ = try keychain(at: path).status(options: options) } == .appCancelled)
      return Double(Clock.boottime - cancelled.withLock { $0 }) / 1e6
    }
    #expect(taken < 200)
    withExtendedLifetime((listener, first)) {}
  }
}
