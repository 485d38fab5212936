import Foundation
import KeychainModel
import KeychainWire
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import KeychainClient

/// A daemon that answers watches as it is told: at once where the client's count is not its own, else when the count moves.
private final class CountingDaemon: Sendable {
  private struct State {
    var count: UInt64
    var waiting: [(socket: FrameSocket, message: Message)] = []
  }
  private let state: Mutex<State>
  private let daemon: Mutex<FakeDaemon?>

  init(_ path: String, count: UInt64) throws {
    state = Mutex(State(count: count))
    daemon = Mutex(nil)
    let serving = try FakeDaemon(path) { [weak self] socket, message in try self?.take(socket, message) }
    daemon.withLock { $0 = serving }
  }

  private func take(_ socket: FrameSocket, _ message: Message) throws {
    guard case .request(.watch(let since), _) = message.body else { throw FakeDaemon.HangUp() }
    try state.withLock { state in
      if since == state.count { return state.waiting.append((socket, message)) }
      try socket.send(message.reply(.changed(state.count)))
    }
  }

  var isWatched: Bool { state.withLock { !$0.waiting.isEmpty } }
  var connections: Int { daemon.withLock { $0?.connectionCount ?? 0 } }

  /// Moves the count and tells who waits.
  func change() {
    state.withLock { state in
      state.count += 1
      for (socket, message) in state.waiting { try? socket.send(message.reply(.changed(state.count))) }
      state.waiting = []
    }
  }

  func stop() { daemon.withLock { $0?.stop() } }
}

private final class Reports: Sendable {
  private let number = Mutex(0)
  var count: Int { number.withLock { $0 } }
  func add() { number.withLock { $0 += 1 } }
}

@Suite struct ChangeWatchTests {
  let folder: ScratchFolder
  var path: String { folder.path + "/socket" }
  init() throws { folder = try ScratchFolder() }

  @Test func `the first look and each change are reported`() throws {
    let daemon = try CountingDaemon(path, count: 5)
    let reports = Reports()
    let watch = try keychain(at: path).watchChanges { reports.add() }
    for expected in 1...4 {
      #expect(eventually { reports.count == expected && daemon.isWatched }, "\(expected)")
      daemon.change()
    }
    #expect(daemon.connections == 1)
    withExtendedLifetime(watch) {}
  }

  @Test func `a thousand changes at once make few reports and the last of them is told`() throws {
    let daemon = try CountingDaemon(path, count: 5)
    let reports = Reports()
    let watch = try keychain(at: path).watchChanges { reports.add() }
    #expect(eventually { daemon.isWatched })
    for _ in 0..<1000 { daemon.change() }
    #expect(eventually { daemon.isWatched })
    #expect((2...4).contains(reports.count))
    withExtendedLifetime(watch) {}
  }

  @Test func `a daemon that starts anew makes one report, one that kept its count none`() throws {
    let reports = Reports()
    let first = try CountingDaemon(path, count: 5)
    let watch = try keychain(at: path).watchChanges { reports.add() }
    #expect(eventually { first.isWatched && reports.count == 1 })
    first.stop()
    let second = try CountingDaemon(path, count: 900)
    #expect(eventually { second.isWatched && reports.count == 2 })
    second.stop()
    let third = try CountingDaemon(path, count: 900)
    #expect(eventually { third.isWatched })
    #expect(reports.count == 2)
    withExtendedLifetime(watch) {}
  }

  @Test func `nobody serves at first, and the watch begins when somebody does`() throws {
    let reports = Reports()
    let watch = try keychain(at: path).watchChanges { reports.add() }
    usleep(100_000)
    #expect(reports.count == 0)
    let daemon = try CountingDaemon(path, count: 5)
    #expect(eventually { daemon.isWatched && reports.count == 1 })
    withExtendedLifetime(watch) {}
  }

  @Test(arguments: [
    KeychainReply.refused(Refusal(.tooManyRequests)), .done(count: 1), .changed(5),
  ])
  func `a daemon that answers anything to everything is not asked without end`(_ reply: KeychainReply) throws {
    let daemon = try FakeDaemon(path) { socket, message in try socket.send(message.reply(reply)) }
    let watch = try keychain(at: path).watchChanges {}
    usleep(500_000)
    #expect((1...15).contains(daemon.received.count))
    withExtendedLifetime(watch) {}
  }

  @Test func `a watch that is let go or ended reports no more and leaves at once`() throws {
    let daemon = try CountingDaemon(path, count: 5)
    let reports = Reports()
    var watch: ChangeWatch? = try keychain(at: path).watchChanges { reports.add() }
    #expect(eventually { daemon.isWatched })
    // One that waited for the daemon's next word would wait for ever.
    #expect(milliseconds { watch?.end() } < 10_000)
    watch = nil
    usleep(50_000)
    daemon.change()
    usleep(100_000)
    #expect(reports.count == 1)
  }
}
