import Foundation
import KeychainModel
import KeychainService
import KeychainWire
import LinuxSystem
import SecretMemory
import TestSupport
import Testing

@testable import latchkeyd

/// The bytes of a message's frame.
func frameBytes(_ message: Message) throws -> [UInt8] {
  let (near, far) = try UnixSocket.streamPair()
  let sender = try FrameSocket(near, side: .client)
  try Threads.start {
    try? sender.send(message)
    sender.shutDown()
  }
  var bytes: [UInt8] = []
  while true {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    var span = chunk.mutableSpan
    let count = try UnixSocket.receive(far, into: &span, maximumDescriptors: 0).count
    if count == 0 { return bytes }
    bytes += chunk.prefix(count)
  }
}

@Suite struct `The budget of secret bytes` {
  private let past = Clock.boottime

  @Test(arguments: [(1023, true), (1024, true), (1025, false)])
  func `of a user lasts for as much as it says`(_ wanted: Int, _ isGiven: Bool) {
    let budget = SecretBudget(bytes: 1024)
    let claim = budget.part(of: 7).claim(wanted, until: past)
    #expect((claim != nil) == isGiven)
    #expect(budget.taken(by: 7) == (isGiven ? wanted : 0))
    withExtendedLifetime(claim) {}
  }

  @Test func `is each user's own, and comes back when its claim ends`() {
    let budget = SecretBudget(bytes: 1024)
    var first = budget.part(of: 7).claim(1000, until: past)
    #expect(budget.part(of: 7).claim(25, until: past) == nil)
    #expect(budget.part(of: 8).claim(1024, until: past) != nil)
    withExtendedLifetime(first) {}
    first = nil
    #expect(budget.taken(by: 7) == 0)
    #expect(budget.part(of: 7).claim(1024, until: past) != nil)
  }

  @Test func `is waited for`() throws {
    let budget = SecretBudget(bytes: 1024)
    let part = budget.part(of: 7)
    let gate = Gate()
    let holding = Counter()
    try Threads.start {
      let claim = part.claim(1024, until: 0)
      holding.add()
      gate.wait()
      withExtendedLifetime(claim) {}
    }
    #expect(eventually { holding.value == 1 })
    #expect(part.claim(1, until: Clock.boottime + 20_000_000) == nil)
    gate.open()
    #expect(part.claim(1024, until: soon) != nil)
  }

  @Test(arguments: ["made room", "left"])
  func `is waited for no longer than the connection is open`(end: String) throws {
    let budget = SecretBudget(bytes: 1024)
    let all = budget.part(of: 7).claim(1024, until: past)
    let (near, far) = try UnixSocket.streamPair()
    let waiting = Counter()
    try Threads.start {
      if budget.part(of: 7, while: near).claim(1, until: .max) == nil { waiting.add() }
    }
    usleep(20_000)
    #expect(waiting.value == 0)
    UnixSocket.shutDown(end == "left" ? far : near)
    #expect(eventually { waiting.value == 1 })
    withExtendedLifetime(all) {}
  }

  @Test(arguments: [
    (4, 100, WireLimits.secretBytes), (4, 8_000_000, 2_000_000), (2, 8_000_000, 4_000_000),
    (4, 33_554_431, 8_388_607), (4, 33_554_432, 8_388_608), (4, 33_554_436, 8_388_608),
  ])
  func `is a share of what large values may have, one frame of the largest at least and 8 MiB at most`(
    _ users: Int, _ limit: Int, _ bytes: Int
  ) { #expect(SecretBudget(users: users, of: limit).bytes == bytes) }
}

/// A user of the system's daemon who half-sends and never reads, and the others.
@Suite(.enabled(if: isRoot)) struct `Large values of several users` {
  private static let large = [UInt8](repeating: 7, count: 1_048_576)
  /// As many connections as the daemon keeps of one user, but one to look with.
  private static let connections = ConnectionCaps.standard.perUser - 1

  private func addition(_ account: String) throws -> Message {
    Message(
      requestID: 1, body: .request(try Ask.add(account), RequestOptions()),
      secrets: [try SecretBytes(copying: Self.large)])
  }

  /// Sends bytes for as long as the other side takes them.
  private func push(_ bytes: [UInt8], as uid: uid_t, to daemon: DaemonProcess) throws -> OwnedDescriptor {
    let socket = try DaemonProcess.connect(daemon.socket, as: uid)
    _ = fcntl(socket.number, F_SETFL, O_NONBLOCK)
    var sent = 0
    let began = Clock.boottime
    while sent < bytes.count, Clock.boottime - began < 50_000_000 {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 { sent += count } else { usleep(1000) }
    }
    return socket
  }

  @Test func `get through while another user's half-sent frames and unread answers fill that user's part`() throws {
    let home = try DaemonProcess.Home()
    let alice = TestAccount(password: nil)
    let mallory = TestAccount(password: nil)
    let daemon = try DaemonProcess(.system, in: home)
    let hers = try daemon.connect(as: alice.uid)
    #expect(try hers.add("large", Self.large) == nil)
    let half = Array(try frameBytes(try addition("half")).dropLast())
    let his = try daemon.connect(as: mallory.uid)
    #expect(try his.add("large", Self.large) == nil)

    var held = try (0..<Self.connections).map { _ in try push(half, as: mallory.uid, to: daemon) }
    #expect(try hers.read("large") == .success(Self.large))
    #expect(try hers.add("half-sent", Self.large) == nil)
    // He is told why, on a connection that goes on.
    var number = 0
    #expect(
      eventually {
        // Until the daemon has taken in what was sent, one fits; another name, so that none is a duplicate.
        number += 1
        return (try? his.add("early \(number)", Self.large)) == .some(.tooManyRequests)
      })
    #expect(try his.add("small", [1]) == nil)
    held.removeAll()
    #expect(eventually { (try? his.add("more", Self.large)) == .some(nil) })

    let request = try frameBytes(Message(requestID: 1, body: .request(Ask.read("large"), RequestOptions())))
    held = try (0..<Self.connections).map { _ in try push(request, as: mallory.uid, to: daemon) }
    #expect(eventually { (try? his.read("large")) == .failure(.tooManyRequests) })
    #expect(try his.read("small") == .success([1]))
    #expect(try hers.read("large") == .success(Self.large))
    #expect(try hers.add("unread", Self.large) == nil)
    held.removeAll()
    #expect(eventually { (try? his.read("large")) == .success(Self.large) })
  }

  @Test func `are refused as such where no locked memory is left, and the connection goes on`() throws {
    let home = try DaemonProcess.Home()
    let alice = TestAccount(password: nil)
    let daemon = try DaemonProcess(.system, in: home)
    let hers = try daemon.connect(as: alice.uid)
    #expect(try hers.add("small", [1]) == nil)
    let half = Array(try frameBytes(try addition("half")).dropLast())
    // Nine users' parts are more than the daemon locks; the kernel asks no account behind a user id.
    let others = (0..<9).map { uid_t(3_000_000 + $0) }
    let held = try others.flatMap { uid in try (0..<8).map { _ in try push(half, as: uid, to: daemon) } }
    #expect(eventually { (try? hers.add("large", Self.large)) == .outOfMemory })
    #expect(try hers.read("small") == .success([1]))
    withExtendedLifetime(held) {}
  }
}
