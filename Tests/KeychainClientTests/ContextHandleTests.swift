import KeychainModel
import KeychainWire
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import KeychainClient

/// A daemon that makes contexts and knows only its own.
final class ContextDaemon: Sendable {
  private final class Known: Sendable {
    let numbers = Mutex<Set<UInt64>>([])
  }

  let daemon: FakeDaemon

  /// - Parameter first: the number of its first context.
  init(_ path: String, first: UInt64 = 1) throws {
    let known = Known()
    daemon = try FakeDaemon(path) { socket, message in
      guard case .request(let request, let options) = message.body else { return }
      let isKnown = options.context.map { number in known.numbers.withLock { $0.contains(number) } } ?? true
      guard isKnown else { return try socket.send(message.reply(.refused(Refusal(.contextInvalid)))) }
      switch request {
      case .context(.create):
        let made = known.numbers.withLock { known in
          let made = first + UInt64(known.count)
          known.insert(made)
          return made
        }
        try socket.send(message.reply(.context(made)))
      case .context(.evaluate): try socket.send(message.answer(.notice(Notice(kind: .waiting, text: ""))))
      default: try socket.send(message.reply(.done(count: 1)))
      }
    }
  }

  /// The requests with the number of the context each named.
  var requests: [String] {
    daemon.received.map { body in
      guard case .request(let request, let options) = body else { return "\(body)" }
      let name = if case .context(let context) = request { "\(context)" } else { "\(request)" }
      return options.context.map { "\(name) in \($0)" } ?? name
    }
  }
}

@Suite struct ContextHandleTests {
  let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }
  var path: String { folder.path + "/socket" }

  private func options(_ handle: ContextHandle) -> CallOptions {
    var options = CallOptions()
    options.handle = handle
    return options
  }

  @Test func `a context is made at its first use and used from then on`() throws {
    let daemon = try ContextDaemon(path)
    let keychain = keychain(at: path)
    let handle = ContextHandle(keychain)
    #expect(daemon.requests.isEmpty)
    for _ in 0..<2 { try keychain.lock(options: options(handle)) }
    #expect(daemon.requests == ["create", "lock in 1", "lock in 1"])
  }

  @Test func `after the daemon started anew another context takes its place, with what it may reuse`() throws {
    let keychain = keychain(at: path)
    let handle = ContextHandle(keychain)
    handle.allowReuse(seconds: 5)
    do {
      let daemon = try ContextDaemon(path)
      try keychain.lock(options: options(handle))
      #expect(daemon.requests == ["create", "allowReuse(seconds: 5) in 1", "lock in 1"])
      daemon.daemon.stop()
    }
    let daemon = try ContextDaemon(path, first: 7)
    try keychain.lock(options: options(handle))
    #expect(daemon.requests == ["lock in 1", "create", "allowReuse(seconds: 5) in 7", "lock in 7"])
    handle.allowReuse(seconds: 0)
    #expect(daemon.requests.last == "allowReuse(seconds: 0) in 7")
  }

  @Test func `an ended context is told once, and serves no more`() throws {
    let daemon = try ContextDaemon(path)
    let keychain = keychain(at: path)
    let handle = ContextHandle(keychain)
    try keychain.lock(options: options(handle))
    handle.invalidate()
    handle.invalidate()
    #expect(handle.isInvalidated)
    #expect(reason { try keychain.lock(options: options(handle)) } == .contextInvalid)
    #expect(eventually { daemon.requests.last == "invalidate in 1" })
    #expect(daemon.requests.count == 3)
  }

  @Test func `a context ends with its object, and one that was never used asks nothing`() throws {
    let daemon = try ContextDaemon(path)
    let keychain = keychain(at: path)
    do { _ = ContextHandle(keychain) }
    for number in 1...20 {
      let handle = ContextHandle(keychain)
      try keychain.lock(options: options(handle))
      #expect(daemon.requests.contains("lock in \(number)"))
    }
    #expect(eventually { daemon.requests.count { $0.hasPrefix("invalidate") } == 20 })
    #expect(daemon.requests.count == 60)
  }

  @Test func `ending a context ends the call that waits with it within 200 ms`() throws {
    let daemon = try ContextDaemon(path)
    let keychain = keychain(at: path)
    var round = 0
    let taken = try quickest(below: 200) {
      round += 1
      let handle = ContextHandle(keychain)
      let before = daemon.requests.count
      let ended = Mutex(UInt64(0))
      try Threads.start {
        _ = eventually { daemon.requests.count == before + 2 }
        ended.withLock { $0 = Clock.boottime }
        handle.invalidate()
      }
      #expect(
        reason { try keychain.useContext(.evaluate(alternatives: [1]), options: options(handle)) } == .appCancelled)
      let end = Clock.boottime
      #expect(
        eventually {
          // They go over two connections, and nothing says which is heard first.
          let asked = daemon.requests.dropFirst(before)
          return asked.contains("cancel") && asked.contains("invalidate in \(round)")
        })
      return Double(end - ended.withLock { $0 }) / 1e6
    }
    #expect(taken < 200)
  }

  @Test func `threads that use a fresh context together share one`() throws {
    let daemon = try ContextDaemon(path)
    let keychain = keychain(at: path)
    let handle = ContextHandle(keychain)
    let done = Mutex(0)
    for _ in 0..<16 {
      try Threads.start {
        if (try? keychain.lock(options: options(handle))) != nil { done.withLock { $0 += 1 } }
      }
    }
    #expect(eventually { done.withLock { $0 } == 16 })
    let used = Set(daemon.requests.filter { $0.hasPrefix("lock") })
    #expect(used.count == 1, "\(used)")
  }
}
