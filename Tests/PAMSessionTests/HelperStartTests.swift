import DialogueWire
import Foundation
import LinuxSystem
import PAMModel
import SecretMemory
import TestSupport
import Testing

@testable import PAMSession

/// How the helper may be started, how it looks while it runs, and how long it takes.
@Suite(.enabled(if: isRoot, "makes accounts"))
struct HelperStartTests {
  let folder = StackFolder()

  private func status(
    _ arguments: [String] = ["latchkey-pam-helper"], _ descriptors: [SpawnPlan.Descriptor],
    program: String = HelperRun.program, asUser: UserAccount? = nil
  ) throws -> ProcessExit {
    try Spawn.start(program, SpawnPlan(arguments: arguments, descriptors: descriptors, asUser: asUser)).wait()
  }

  @Test func `odd starts are refused, each with its own status`() throws {
    let (near, far) = try UnixSocket.packetPair()
    let (_, stream) = try UnixSocket.streamPair()
    let good = SpawnPlan.Descriptor(far, as: 3)
    #expect(try status(["latchkey-pam-helper", "x"], [good]) == .exited(12))
    for number in Int32(0)...2 { #expect(try status([good, .init(stream, as: number)]) == .exited(14)) }
    #expect(try status([]) == .exited(15))
    #expect(try status([.init(stream, as: 3)]) == .exited(15))
    #expect(try status([good, .init(stream, as: 4)]) == .exited(16))
    withExtendedLifetime(near) {}
  }

  private func status(_ descriptors: [SpawnPlan.Descriptor]) throws -> ProcessExit {
    try status(["latchkey-pam-helper"], descriptors)
  }

  @Test func `a traced start is refused`() throws {
    let (near, far) = try UnixSocket.packetPair()
    let arguments = ["strace", "-qq", "-o", "/dev/null", HelperRun.program]
    #expect(
      try status(arguments, [.init(far, as: 3)], program: "/usr/bin/strace") == .exited(11))
    withExtendedLifetime(near) {}
  }

  @Test func `a request that does not decode ends it`() throws {
    let run = try HelperRun(nil)
    let noise: [UInt8] = [1, 1, 200]
    _ = try UnixSocket.send(run.daemon.descriptor, noise.span)
    #expect(try run.process.wait() == .exited(18))
  }

  @Test func `a running helper is what it should be`() throws {
    folder.write(
      "latchkey-passcode",
      "auth required \(folder.matrix(user: "root", password: "right"))\naccount required pam_permit.so\n")
    let run = try HelperRun(helperRequest(folder, .prompter))
    _ = try run.prompt()
    let proc = "/proc/\(run.process.pid)"
    #expect(try Files.readLink(proc + "/exe").hasSuffix("/latchkey-pam-helper"))
    let limits = String(decoding: try Files.readAll(proc + "/limits", limit: 65_536), as: UTF8.self)
    let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
    #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
    let tasks = try FileManager.default.contentsOfDirectory(atPath: proc + "/task")
    #expect(tasks.count == 2, "the main thread and the one that watches")
  }

  /// Copies the helper where an ordinary user can run it, as an installation does.
  private func installed() throws -> String {
    let path = folder.path + "/latchkey-pam-helper"
    try FileManager.default.copyItem(atPath: HelperRun.program, toPath: path)
    chmod(path, 0o755)
    return path
  }

  @Test func `another user at the other end is refused`() throws {
    let account = TestAccount(password: nil)
    let (near, far) = try UnixSocket.packetPair()
    let user = try #require(try Users.account(account.name))
    #expect(try status(["x"], [.init(far, as: 3)], program: installed(), asUser: user) == .exited(17))
    withExtendedLifetime(near) {}
  }

  /// Starts the helper from a process of the user, sends the packet and prints what comes back.
  private static let driver = """
    import binascii, os, socket, sys
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    null = os.open("/dev/null", os.O_RDWR)
    child = os.fork()
    if child == 0:
        os.dup2(far.fileno(), 9); near.close()
        for target in (0, 1, 2): os.dup2(null, target)
        os.dup2(9, 3); os.set_inheritable(3, True); os.closerange(4, 256)
        os.execve(sys.argv[1], ["latchkey-pam-helper"], {})
    far.close()
    near.send(binascii.unhexlify(sys.argv[2]))
    while True:
        packet = near.recv(9000)
        if not packet: break
        print(binascii.hexlify(packet).decode(), flush=True)
        if packet[2] == 5: break
    """

  private func provenAsUser(_ account: TestAccount, as target: TestAccount, passcode: String) throws -> HelperOutcome {
    let packet = try Packet(
      helperRequest(folder, .supplied(secret(passcode)), user: target.name, uid: target.uid))
    let hex = packet.buffer.withSpan { span in
      (0..<packet.count).map { String(format: "%02x", span[$0]) }.joined()
    }
    let program =
      (try? Files.facts(folder.path + "/latchkey-pam-helper")) == nil
      ? try installed() : folder.path + "/latchkey-pam-helper"
    let output = run(
      ["runuser", "-u", account.name, "--", "python3", "-c", Self.driver, program, hex]).output
    let last = try #require(output.split(separator: "\n").last, "no answer")
    let bytes = stride(from: 0, to: last.count, by: 2).map { place in
      UInt8(last.dropFirst(place).prefix(2), radix: 16)!
    }
    let event = try Packet(buffer: SecretBytes(copying: bytes.span), count: bytes.count).decode(HelperEvent.self)
    guard case .result(let outcome) = event else { throw HelperRun.Unexpected.message }
    return outcome
  }

  @Test func `an ordinary user proves itself and nobody else`() throws {
    folder.write("latchkey-passcode", UnixAccountTests.unix)
    let (alice, bob) = (TestAccount(password: "right"), TestAccount(password: "right"))
    guard case .proved(let proof) = try provenAsUser(alice, as: alice, passcode: "right") else {
      return #expect(Bool(false), "no proof")
    }
    #expect(proof.user == alice.name)
    guard case .failed(let wrong) = try provenAsUser(alice, as: alice, passcode: "wrong") else {
      return #expect(Bool(false), "a wrong passcode was proven")
    }
    #expect(wrong.result == .authenticationError)
    guard case .failed(let other) = try provenAsUser(alice, as: bob, passcode: "right") else {
      return #expect(Bool(false), "another account was proven")
    }
    #expect(other.cause == .requestRefused)
  }

  @Test func `a wrong answer is told at once with the delay that nobody slept`() throws {
    folder.write("latchkey-passcode", UnixAccountTests.unix.replacing(" nodelay", with: ""))
    let account = TestAccount(password: "right")
    let taken = try quickest(below: 1500) {
      let run = try HelperRun(helperRequest(folder, .prompter, user: account.name, uid: account.uid))
      try run.answer("wrong")
      var failure: HelperFailure?
      let taken = milliseconds { failure = try? run.failure() }
      #expect((500_000...5_000_000).contains(failure?.delayMicroseconds ?? 0))
      return taken
    }
    #expect(taken < 1500, "about 100 ms on an idle machine, 1.7 s and more if it slept; took \(taken)")
  }

  @Test func `500 authentications beside 16 busy threads take under 5 seconds each`() throws {
    folder.write(
      "latchkey-passcode",
      "auth required \(folder.matrix(user: "root", password: "right"))\naccount required pam_permit.so\n")
    let stop = BusyThreads(16)
    defer { stop.end() }
    var slowest = 0.0
    for _ in 0..<500 {
      let taken = try ContinuousClock().measure {
        let run = try HelperRun(helperRequest(folder, .supplied(secret("right"))), prompted: false)
        #expect(try run.proof().questionCount == 1)
      }
      slowest = max(slowest, Double(taken.components.seconds) + Double(taken.components.attoseconds) / 1e18)
    }
    #expect(slowest < 5)
  }
}

/// Threads that wake and work a little, as a busy daemon's do.
final class BusyThreads: Sendable {
  private let wake: WakeUp
  init(_ count: Int) {
    let wake = try! WakeUp()
    self.wake = wake
    for _ in 0..<count {
      try! Threads.start {
        while (try? Poll.wait([PollEntry(wake.descriptor)], timeoutMilliseconds: 1))?[0].isReadable == false {
          var work = [UInt8](repeating: 1, count: 4096)
          for index in work.indices { work[index] &+= UInt8(truncatingIfNeeded: index) }
        }
      }
    }
  }
  func end() { wake.raise() }
}
