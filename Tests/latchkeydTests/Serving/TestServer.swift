import Foundation
import KeychainModel
import KeychainService
import KeychainWire
import LatchkeyTesting
import LinuxSystem
import SecretMemory
import Synchronization

@testable import latchkeyd

/// A folder that goes away with the test.
final class Scratch: Sendable {
  let path: String

  init() throws {
    path = "/tmp/latchkeyd-\(UUID().uuidString.prefix(8))"
    try Files.makeDirectory(path, mode: 0o755)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A keychain that answers as a test tells it to.
struct ScriptedKeychain: KeychainAnswering {
  let body: @Sendable (IncomingRequest) -> Answer
  let locked: Counter
  let changes: ChangeCounter

  func answer(_ incoming: IncomingRequest) -> Answer { body(incoming) }
  func lock(_ event: LockEvent) -> Answer {
    locked.add()
    return Answer(.done(count: 0))
  }
}

/// Counts from many threads.
final class Counter: Sendable {
  private let number = Atomic<Int>(0)
  var value: Int { number.load(ordering: .sequentiallyConsistent) }
  func add() { number.wrappingAdd(1, ordering: .sequentiallyConsistent) }
}

/// The connections' half of the daemon, in this process, over a keychain of the test's.
final class TestServer: Sendable {
  let path: String
  let shared: ServingState
  let opened = Counter()
  let locked = Counter()
  private let scratch: Scratch
  private let over = WakeUp.made()

  /// - Parameter body: answers every request of every user.
  init(
    caps: ConnectionCaps = .standard, clientele: Doorkeeper.Clientele = .everyone,
    changes: ChangeCounter = ChangeCounter(),
    _ body: @escaping @Sendable (IncomingRequest) -> Answer
  ) throws {
    let scratch = try Scratch()
    let keychain = ScriptedKeychain(body: body, locked: locked, changes: changes)
    let opened = opened
    let registry = KeychainRegistry(
      naming: { uid throws(Refusal) in "user\(uid)" },
      opening: { account throws(Refusal) in
        opened.add()
        return ServedUser(account: account, keychain: keychain, cache: MemoryKeyCache(clock: TestClock()))
      })
    self.scratch = scratch
    path = scratch.path + "/socket"
    shared = ServingState(
      table: ConnectionTable(caps: caps), registry: registry, suspension: SuspendWatch(slept: {}))
    let doorkeeper = Doorkeeper(clientele: clientele, shared: shared)
    let listener = try UnixSocket.listen(path: path, mode: 0o666, backlog: 128)
    let over = over
    let shared = shared
    try Threads.start {
      while let events = try? Poll.wait([PollEntry(listener), PollEntry(over.descriptor)], timeoutMilliseconds: 50) {
        if events[1].isReadable { return }
        if events[0].isReadable { doorkeeper.takeNext(listener) }
        let now = Clock.boottime
        for request in shared.table.running { request.askPatience(since: now - 100_000_000) }
      }
    }
  }

  deinit { over.raise() }

  func connect() throws -> FrameSocket {
    try FrameSocket(try UnixSocket.connect(path: path), side: .client, blockMilliseconds: 20_000)
  }

  func raw() throws -> OwnedDescriptor { try UnixSocket.connect(path: path, timeoutMilliseconds: 20_000) }
}

extension WakeUp {
  static func made() -> WakeUp { try! WakeUp() }
}

/// Far enough that a busy machine gets there, near enough that a test which hangs fails.
var soon: UInt64 { Clock.boottime + 30_000_000_000 }

extension FrameSocket {
  /// What the daemon's status is.
  func status() throws -> StatusReply {
    guard case .status(let status) = try ask(.status).reply else { throw Unexpected.frame }
    return status
  }

  /// Sends a request and answers its reply, over notices; the prompts get `presentation`.
  func ask(
    _ request: KeychainRequest, id: UInt32 = 1, options: RequestOptions = RequestOptions(), secrets: [SecretBytes] = [],
    presenting: (body: Presentation, secrets: [SecretBytes]) = (.none, [])
  ) throws -> (reply: KeychainReply, secrets: [SecretBytes]) {
    try send(Message(requestID: id, body: .request(request, options), secrets: secrets))
    while true {
      let message = try receive(until: soon)
      guard message.requestID == id else { throw Unexpected.frame }
      switch message.body {
      case .reply(let reply): return (reply, message.secrets)
      case .notice: continue
      case .wanted:
        try send(Message(requestID: id, body: .presentation(presenting.body), secrets: presenting.secrets))
      default: throw Unexpected.frame
      }
    }
  }

  func reason(_ request: KeychainRequest, id: UInt32 = 1) throws -> Reason? { try ask(request, id: id).reply.reason }

  /// Whether the other side has ended; waits for it.
  var isClosed: Bool {
    do {
      _ = try receive(until: soon)
      return false
    } catch .closed { return true } catch .system { return true } catch { return false }
  }
}

enum Unexpected: Error { case frame, end }

extension KeychainReply {
  var reason: Reason? {
    if case .refused(let refusal) = self { return refusal.reason }
    return nil
  }
}

/// A gate that holds threads back until it is opened.
final class Gate: Sendable {
  private let wake = WakeUp.made()
  let waiting = Counter()
  func wait() {
    waiting.add()
    _ = try? Poll.wait([PollEntry(wake.descriptor)], until: soon)
  }
  func open() { wake.raise() }
}

func done(_ count: UInt32 = 0) -> Answer { Answer(.done(count: count)) }
