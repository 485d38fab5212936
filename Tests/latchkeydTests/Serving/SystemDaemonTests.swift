import Foundation
import KeychainModel
import KeychainWire
import LinuxSystem
import SecretMemory
import TestSupport
import Testing

@testable import latchkeyd

/// The built daemon, real accounts, real PAM, the real keyring.
@Suite(.enabled(if: isRoot)) struct `The system's daemon` {
  private let value = (0...255).map { UInt8($0) }

  @Test func `opens a protected item for its owner's passcode and for no other's`() throws {
    let home = try DaemonProcess.Home()
    let alice = TestAccount(password: "alice-pass")
    let bob = TestAccount(password: "bob-pass")
    let daemon = try DaemonProcess(.system, in: home)
    #expect(daemon.isReady, "\(daemon.word)")
    let hers = try daemon.connect(as: alice.uid)
    #expect(try hers.add("plain", value) == nil)
    #expect(try hers.add("guarded", value, .userPresence) == nil)
    #expect(try hers.read("plain") == .success(value))
    #expect(try hers.read("guarded") == .failure(.noWayToPrompt))
    #expect(try hers.read("guarded", passcode: "bob-pass") == .failure(.wrongPasscode))
    #expect(try hers.read("guarded", passcode: "") == .failure(.emptyPasscode))
    #expect(try hers.read("guarded", passcode: "alice-pass") == .success(value))

    let his = try daemon.connect(as: bob.uid)
    #expect(try his.read("guarded", passcode: "alice-pass") == .failure(.itemNotFound))
    #expect(try his.add("guarded", [1, 2, 3], .userPresence) == nil)
    #expect(try his.read("guarded", passcode: "alice-pass") == .failure(.wrongPasscode))
    #expect(try his.read("guarded", passcode: "bob-pass") == .success([1, 2, 3]))
  }

  @Test func `lives under a limit on the size of files and refuses what it cannot write`() throws {
    let home = try DaemonProcess.Home()
    let alice = TestAccount(password: "alice-pass")
    let daemon = try DaemonProcess(.system, in: home, through: ["/usr/bin/prlimit", "--fsize=0"])
    #expect(daemon.isReady, "\(daemon.word)")
    for _ in 0..<2 { #expect(try daemon.connect(as: alice.uid).add("plain", value) != nil) }
  }

  @Test func `keeps what it acknowledged over a kill, takes the socket back and is locked`() throws {
    let home = try DaemonProcess.Home()
    let alice = TestAccount(password: "alice-pass")
    do {
      let daemon = try DaemonProcess(.system, in: home)
      let client = try daemon.connect(as: alice.uid)
      #expect(try client.add("guarded", value, .userPresence) == nil)
      #expect(try client.read("guarded", passcode: "alice-pass") == .success(value))
      daemon.process.killAndWait()
    }
    #expect(try Files.factsNoFollow(home.socket).kind == .socket)
    let next = try DaemonProcess(.system, in: home)
    #expect(next.isReady, "\(next.word)")
    let client = try next.connect(as: alice.uid)
    guard case .status(let status) = try client.ask(.status).reply else { throw Unexpected.frame }
    #expect(status.keybag == .beforeFirstUnlock && status.items == 1 && status.cached.isEmpty)
    #expect(try client.read("guarded") == .failure(.noWayToPrompt))
    #expect(try client.read("guarded", passcode: "alice-pass") == .success(value))
  }

  @Test func `describes itself and finds what is wrong`() throws {
    let home = try DaemonProcess.Home()
    let alice = TestAccount(password: "alice-pass")
    let daemon = try DaemonProcess(.system, in: home)
    let client = try daemon.connect(as: alice.uid)
    guard case .status(let status) = try client.ask(.status).reply else { throw Unexpected.frame }
    #expect(status.mode == "system" && status.pid == daemon.process.pid && status.version == DaemonText.version)
    #expect(status.socket == home.socket && status.store == home.state + "/\(alice.uid)")
    #expect(status.cache == "on" && status.threats.count == 10 && status.triggers.count == 3)
    try Files.makeDirectory(home.path + "/policies", mode: 0o755)
    try Files.writeAtomically(
      Array("service: [\n".utf8).span, to: home.path + "/policies/com.example.yaml", mode: 0o644)
    alice.change("usermod", "-L")
    guard case .doctor(let findings) = try client.ask(.doctor).reply else { throw Unexpected.frame }
    func levels(_ check: String) -> [DoctorLevel] { findings.filter { $0.check == check }.map(\.level) }
    for check in ["pam-helper", "prompter", "keyring", "memlock", "store", "socket"] {
      #expect(levels(check) == [.fine], "\(findings.filter { $0.check == check })")
    }
    #expect(levels("pam-stack") == [.fine, .warning], "this home has no stack for fingers")
    #expect(levels("passcode") == [.broken])
    #expect(levels("policies").first == .broken)
    for finding in findings where finding.level != .fine { #expect(!finding.command.isEmpty, "\(finding)") }
  }

  @Test func `locks everything when it ends, and takes its socket away`() throws {
    let home = try DaemonProcess.Home()
    let daemon = try DaemonProcess(.system, in: home)
    try daemon.process.kill(SIGTERM)
    #expect(try daemon.ended() == .exited(0))
    #expect(throws: Errno.noSuchFile) { try Files.factsNoFollow(home.socket) }
  }
}

@Suite(.enabled(if: isRoot)) struct `A daemon's start` {
  @Test func `is refused beside another one, which goes on`() throws {
    let home = try DaemonProcess.Home()
    let first = try DaemonProcess(.system, in: home)
    let second = try DaemonProcess(.system, in: home)
    #expect(second.word.hasPrefix("alreadyRunning "))
    #expect(try second.ended() == .exited(1))
    #expect(try first.connect().ask(.status).reply.reason == nil)
  }

  /// A mount namespace is foreign only where the first process's can be seen, which a container may forbid.
  static let wrappers =
    [["/usr/bin/setpriv", "--no-new-privs"], ["/usr/bin/unshare", "-U", "-r"]]
    + ((try? Files.readLink("/proc/1/ns/mnt")) == nil ? [] : [["/usr/bin/unshare", "-m"]])

  @Test(arguments: wrappers)
  func `is refused where no passcode could be verified`(_ wrapper: [String]) throws {
    let home = try DaemonProcess.Home()
    let daemon = try DaemonProcess(.system, in: home, through: wrapper)
    #expect(daemon.word.hasPrefix("cannotVerifyPasscodes "), "\(daemon.word)")
    #expect(try daemon.ended() == .exited(1))
    #expect(throws: Errno.self) { try Files.factsNoFollow(home.socket) }
  }

  @Test func `is refused with too little memory to lock`() throws {
    let home = try DaemonProcess.Home()
    let alice = TestAccount(password: nil)
    home.give(to: alice.account)
    let daemon = try DaemonProcess(
      .user, in: home, as: alice.account, through: ["/usr/bin/prlimit", "--memlock=65536:65536"])
    #expect(daemon.word.hasPrefix("outOfMemory "), "\(daemon.word)")
  }

  @Test func `of the system's daemon wants root`() throws {
    let home = try DaemonProcess.Home()
    let alice = TestAccount(password: nil)
    let daemon = try DaemonProcess(.system, in: home, as: alice.account)
    #expect(daemon.word.hasPrefix("serviceUnavailable --system wants"))
  }

  @Test func `with a command line that means nothing ends with 2`() {
    let program = BuiltPrograms.path(of: "latchkeyd")
    #expect(run([program, "--users"]).status == 2)
    #expect(run([program, "--user", "--ready-fd", "77"]).status == 2)
    #expect(run([program, "--version"]).output == "latchkeyd \(DaemonText.version)\n")
    #expect(run([program, "--help"]).status == 0)
  }
}

@Suite(.enabled(if: isRoot)) struct `A user's own daemon` {
  private let value: [UInt8] = [0, 255, 10]

  @Test func `asks the user's passcode through the set-group-id checker, and serves no other user`() throws {
    let home = try DaemonProcess.Home()
    let alice = TestAccount(password: "alice-pass")
    let bob = TestAccount(password: nil)
    home.give(to: alice.account)
    let daemon = try DaemonProcess(.user, in: home, as: alice.account)
    #expect(daemon.isReady, "\(daemon.word)")
    let client = try daemon.connect(as: alice.uid)
    #expect(try client.add("guarded", value, .userPresence) == nil)
    #expect(try client.read("guarded", passcode: "wrong") == .failure(.wrongPasscode))
    #expect(try client.read("guarded", passcode: "alice-pass") == .success(value))
    #expect(try Files.facts(home.socket).mode == 0o600)
    #expect(throws: Errno.self) { try DaemonProcess.connect(home.socket, as: bob.uid) }
    // Root may open the socket, and gets no byte.
    #expect(try daemon.connect().isClosed)
  }

  @Test func `ends when it was idle, but not while anything is unlocked`() throws {
    let home = try DaemonProcess.Home()
    let alice = TestAccount(password: "alice-pass")
    home.give(to: alice.account)
    let daemon = try DaemonProcess(.user, in: home, ["--idle", "1"], as: alice.account)
    do {
      let client = try daemon.connect(as: alice.uid)
      #expect(try client.add("guarded", value, .userPresence) == nil)
      #expect(try client.read("guarded", passcode: "alice-pass") == .success(value))
      client.shutDown()
    }
    usleep(2_500_000)
    #expect(try daemon.process.tryWait() == nil)
    #expect(try daemon.connect(as: alice.uid).ask(.lockAll).reply == .done(count: 0))
    #expect(try daemon.ended() == .exited(0))
    #expect(throws: Errno.noSuchFile) { try Files.factsNoFollow(home.socket) }
  }
}
