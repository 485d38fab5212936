import Foundation
import KeychainModel
import KeychainWire
import LinuxSystem
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import latchkeyd

/// What software of this kind got wrong with real accounts (docs/cases.md), against the built daemon and real PAM.
@Suite(.serialized, .enabled(if: isRoot)) struct FieldTests {
  private let home: DaemonProcess.Home
  private let alice = TestAccount(password: "alice-pass")
  private let value = (0...255).map { UInt8($0) }

  init() throws { home = try DaemonProcess.Home() }

  private func unlock(_ client: FrameSocket, _ request: UnlockRequest, secrets: [SecretBytes] = [], passcode: String)
    throws -> Reason?
  {
    try client.ask(.unlock(request), secrets: secrets, presenting: (.passcode(0), [locked(passcode)])).reply.reason
  }

  private func locked(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }

  @Test func `a passcode that root reset is told as changed, loses nothing, and the recovery key leads back`() throws {
    let daemon = try DaemonProcess(.system, in: home)
    var client = try daemon.connect(as: alice.uid)
    #expect(try client.add("guarded", value, .userPresence) == nil)
    #expect(try client.read("guarded", passcode: "alice-pass") == .success(value))
    let made = try client.ask(.makeRecoveryKey, presenting: (.passcode(0), [locked("alice-pass")]))
    let recoveryKey = try #require(made.secrets.first, "\(made.reply)")
    #expect(try client.ask(.lockAll).reply.reason == nil)

    alice.setPassword("new-pass")
    #expect(try client.read("guarded", passcode: "new-pass") == .failure(.passcodeChanged))
    #expect(try client.read("guarded", passcode: "alice-pass") == .failure(.wrongPasscode))
    #expect(try client.status().items == 1 && client.status().keybag == .passcodeChanged)
    // That outlives the daemon.
    daemon.process.killAndWait()
    let next = try DaemonProcess(.system, in: home)
    client = try next.connect(as: alice.uid)
    #expect(try client.status().keybag == .passcodeChanged)
    let mistyped = try SecretBytes(copying: [UInt8](repeating: 65, count: recoveryKey.count))
    #expect(try unlock(client, .recoveryKey(0), secrets: [mistyped], passcode: "new-pass") == .recoveryKeyWrong)
    #expect(try unlock(client, .recoveryKey(0), secrets: [recoveryKey], passcode: "new-pass") == nil)

    for _ in 0..<2 {
      #expect(try client.read("guarded", passcode: "new-pass") == .success(value))
      #expect(try client.read("guarded", passcode: "alice-pass") == .failure(.wrongPasscode))
      #expect(try client.ask(.lockAll).reply.reason == nil)
    }
  }

  @Test func `an expired passcode unlocks nothing and counts as no miss`() throws {
    let daemon = try DaemonProcess(.system, in: home)
    let client = try daemon.connect(as: alice.uid)
    #expect(try client.add("guarded", value, .userPresence) == nil)
    #expect(try client.read("guarded", passcode: "alice-pass") == .success(value))
    #expect(try client.ask(.lockAll).reply.reason == nil)
    alice.change("chage", "-d", "0")
    #expect(try client.read("guarded", passcode: "alice-pass") == .failure(.passcodeExpired))
    let after = try client.status()
    #expect(after.keybag == .beforeFirstUnlock && after.cached.isEmpty && after.misses == 0)
    alice.change("chage", "-d", "20000")
    #expect(try client.read("guarded", passcode: "alice-pass") == .success(value))
  }

  @Test func `without root's file capabilities a right passcode is right or unavailable, and never a miss`() throws {
    let daemon = try DaemonProcess(
      .system, in: home,
      through: ["/usr/bin/setpriv", "--inh-caps=-all", "--bounding-set=-dac_override,-dac_read_search"])
    #expect(daemon.isReady, "\(daemon.word)")
    let status = try String(contentsOfFile: "/proc/\(daemon.process.pid)/status", encoding: .utf8)
    let effective = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }?.dropFirst(8)
    let bits = try #require(effective.flatMap { UInt64($0, radix: 16) })
    #expect(bits & 0b110 == 0, "CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH are gone")
    let client = try daemon.connect(as: alice.uid)
    #expect(try client.add("guarded", value, .userPresence) == nil)
    let right = try client.read("guarded", passcode: "alice-pass")
    // root owns /etc/shadow: where the owner may read it no capability is needed.
    let ownerReads = try Files.facts("/etc/shadow").mode & 0o400 != 0
    #expect(right == (ownerReads ? .success(value) : .failure(.cannotVerifyPasscodes)))
    #expect(try client.status().misses == 0)
  }

  @Test func `PAM's delay after a wrong passcode holds up no other user, and who waits for it can leave`() throws {
    let stack = "auth required pam_unix.so\naccount required pam_unix.so\n"
    try Files.writeAtomically(Array(stack.utf8).span, to: home.pam + "/latchkey-passcode", mode: 0o644)
    let bob = TestAccount(password: "bob-pass")
    let daemon = try DaemonProcess(.system, in: home)
    let hers = try daemon.connect(as: alice.uid)
    #expect(try hers.add("guarded", value, .userPresence) == nil)
    let his = try daemon.connect(as: bob.uid)
    #expect(try his.add("plain", [1]) == nil)

    let refused = Mutex<(reason: Reason?, seconds: Double)?>(nil)
    let begun = Date()
    Thread.detachNewThread {
      let answer = try? hers.read("guarded", passcode: "wrong")
      guard case .failure(let reason)? = answer else { return refused.withLock { $0 = (nil, 0) } }
      refused.withLock { $0 = (reason, Date().timeIntervalSince(begun)) }
    }
    var reads: [Double] = []
    while refused.withLock({ $0 == nil }), Date().timeIntervalSince(begun) < 20 {
      let asked = Date()
      #expect(try his.read("plain") == .success([1]))
      reads.append(Date().timeIntervalSince(asked))
      usleep(20_000)
    }
    let end = try #require(refused.withLock { $0 })
    #expect(end.reason == .wrongPasscode)
    #expect(end.seconds > 1, "pam_unix asks for a delay of about two seconds")
    #expect(reads.count > 10)
    #expect(reads.sorted()[reads.count / 2] < 0.1)

    let (waiting, left) = (try daemon.connect(as: alice.uid), Date())
    try waiting.send(Message(requestID: 9, body: .request(Ask.read("guarded"), RequestOptions())))
    while case .notice = try waiting.receive(until: soon).body {}
    try waiting.send(
      Message(requestID: 9, body: .presentation(.passcode(0)), secrets: [try locked("wrong")]))
    usleep(300_000)
    try waiting.send(Message(requestID: 9, body: .cancel))
    var reply = try waiting.receive(until: soon).body
    while case .notice = reply { reply = try waiting.receive(until: soon).body }
    guard case .reply(.refused) = reply else { throw Unexpected.frame }
    #expect(Date().timeIntervalSince(left) < 1.5)
  }

  @Test func `a lock of pam_faillock is told in its own words, and doctor shows the tally and what resets it`() throws {
    let tally = home.path + "/tally"
    let options = "deny=2 unlock_time=600 dir=\(tally)"
    let stack = """
      auth requisite pam_faillock.so preauth \(options)
      auth [success=1 default=bad] pam_unix.so nodelay
      auth [default=die] pam_faillock.so authfail \(options)
      auth required pam_faillock.so authsucc \(options)
      account required pam_unix.so

      """
    try Files.writeAtomically(Array(stack.utf8).span, to: home.pam + "/latchkey-passcode", mode: 0o644)
    let daemon = try DaemonProcess(.system, in: home)
    let client = try daemon.connect(as: alice.uid)
    func findings() throws -> [DoctorFinding] {
      guard case .doctor(let findings) = try client.ask(.doctor).reply else { throw Unexpected.frame }
      return findings.filter { $0.check == "login-tally" }
    }
    #expect(try client.add("guarded", value, .userPresence) == nil)
    #expect(try findings().isEmpty)
    for _ in 0..<2 { #expect(try client.read("guarded", passcode: "wrong") == .failure(.wrongPasscode)) }
    let answer = try client.ask(
      Ask.read("guarded"), presenting: (.passcode(0), [locked("alice-pass")]))
    guard case .refused(let refusal) = answer.reply else { throw Unexpected.frame }
    #expect(refusal.reason == .loginLockedOut)
    #expect(refusal.detail.contains("locked due to 2 failed logins"), "the module's own text: \(refusal.detail)")
    let finding = try #require(try findings().first)
    #expect(finding.text.contains("counts 2 failed logins of \(alice.name)"), "\(finding)")
    #expect(finding.command == "faillock --user \(alice.name) --dir \(tally) --reset")
    #expect(run(finding.command.split(separator: " ").map(String.init)).status == 0)
    #expect(try findings().isEmpty)
    #expect(try client.read("guarded", passcode: "alice-pass") == .success(value))
  }

  @Test func `eight programs that set one name a hundred times each all succeed and leave one of their values`() throws
  {
    let daemon = try DaemonProcess(.system, in: home)
    let script = """
      for round in $(seq 100); do printf 'writer %s round %s' "$1" "$round" | "$0" set -s test -a one || exit 9; done
      """
    let latchkey = BuiltPrograms.path(of: "latchkey")
    let ends = Mutex<[CommandResult]>([])
    let (account, socket) = (alice.account, daemon.socket)
    let writers = (1...8).map { number in
      Thread {
        let result = run(
          ["sh", "-c", script, latchkey, String(number)], environment: ["LATCHKEY_SOCKET": socket],
          as: account, timeout: 180)
        ends.withLock { $0.append(result) }
      }
    }
    for writer in writers { writer.start() }
    let limit = Date().addingTimeInterval(180)
    while ends.withLock({ $0.count }) < 8, Date() < limit { usleep(50_000) }
    let all = ends.withLock { $0 }
    #expect(all.map(\.status) == Array(repeating: 0, count: 8), "\(all.map(\.complaint))")
    let client = try daemon.connect(as: alice.uid)
    #expect(try client.status().items == 1)
    let read = try client.read("one")
    let written = (1...8).map { Result<[UInt8], Reason>.success(Array("writer \($0) round 100".utf8)) }
    #expect(written.contains(read), "\(read)")
  }
}
