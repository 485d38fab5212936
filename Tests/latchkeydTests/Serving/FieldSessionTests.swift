import Foundation
import KeychainModel
import LinuxSystem
import TestSupport
import Testing

@testable import latchkeyd

/// What software of this kind got wrong with sessions and terminals (docs/cases.md): the built command line, as a real user.
@Suite(.serialized, .enabled(if: isRoot)) struct FieldSessionTests {
  private let home: DaemonProcess.Home
  private let alice = TestAccount(password: "alice-pass")
  private let daemon: DaemonProcess
  /// The command line as it is installed: it can be run, and not read.
  private let latchkey: String

  init() throws {
    home = try DaemonProcess.Home()
    try Files.makeDirectory(home.path + "/policies", mode: 0o755)
    let policy = "service: test\nmethods: [passcode]\nreuse: {window: 5m, scope: session}\n"
    try Files.writeAtomically(Array(policy.utf8).span, to: home.path + "/policies/test.yaml", mode: 0o644)
    daemon = try DaemonProcess(.system, in: home)
    latchkey = home.path + "/latchkey"
    try FileManager.default.copyItem(atPath: BuiltPrograms.path(of: "latchkey"), toPath: latchkey)
    chmod(latchkey, 0o711)
  }

  /// A command with nothing in its environment but the socket.
  private func bare(_ words: String...) -> [String] {
    ["/usr/bin/env", "-i", "LATCHKEY_SOCKET=\(daemon.socket)", latchkey] + words
  }

  /// Starts a command that leads a session, at a person's terminal where there is one.
  private func start(_ command: [String], at person: Person? = nil, _ more: [SpawnPlan.Descriptor] = []) throws
    -> SpawnedProcess
  {
    var plan = SpawnPlan(arguments: command, asUser: alice.account)
    plan.descriptors = more
    guard let person else { return try Spawn.start(command[0], plan) }
    plan.arguments = ["setsid", "-c", "-w"] + command
    plan.newSession = false
    plan.descriptors += (0...2).map { .init(person.terminal, as: $0) }
    return try Spawn.start("/usr/bin/setsid", plan)
  }

  private func end(of process: SpawnedProcess) throws -> ProcessExit? {
    _ = try Poll.wait([PollEntry(process.pidfd)], until: soon)
    return try process.tryWait()
  }

  @Test func `with nothing in the environment all verbs work, with the passcode typed on the terminal`() throws {
    let set = bare("set", "-s", "test", "-a", "one", "--require", "userPresence")
    let stored = run(set, input: [1, 0, 2], as: alice.account)
    #expect(stored.status == 0, "\(stored.complaint)")
    let person = try Person(owner: alice.account)
    let output = try OwnedDescriptor.pipe()
    // Descriptor 9 becomes the output only behind the terminal's own three.
    let read = ["/bin/sh", "-c", "exec \"$@\" >&9", "sh"] + bare("get", "-s", "test", "-a", "one")
    let process = try start(read, at: person, [.init(output.writing, as: 9)])
    try person.see("Passcode for")
    try person.type("alice-pass\n")
    #expect(try end(of: process) == .exited(0))
    var value = [UInt8](repeating: 9, count: 16)
    var span = value.mutableSpan
    #expect(try Files.read(output.reading, into: &span) == 3)
    #expect(value.prefix(3) == [1, 0, 2])
    #expect(run(bare("list"), as: alice.account).output.contains("one"))
    let refused = run(bare("get", "-s", "test", "-a", "one"), as: alice.account)
    #expect(refused.status == 36)
    #expect(refused.complaint.contains(Reason.noWayToPrompt.nextStep), "\(refused.complaint)")
    #expect(run(bare("delete", "-s", "test", "-a", "one"), as: alice.account).status == 0)
    let missing = run(bare("get", "-s", "test", "-a", "one"), as: alice.account)
    #expect(missing.status == 44 && missing.complaint.contains(Reason.itemNotFound.nextStep))
  }

  @Test func `a full lock from anywhere ends the proofs of every session and asks nothing`() throws {
    #expect(
      run(bare("add", "-s", "test", "-a", "one", "--require", "userPresence"), input: [1], as: alice.account).status
        == 0)
    let get = bare("get", "-s", "test", "-a", "one").joined(separator: " ")
    let script = """
      printf alice-pass | \(get) --passcode-fd 0 >/dev/null || exit 1
      \(get) --no-prompt >/dev/null || exit 2
      echo ready >&9
      read word <&7
      \(get) --no-prompt >/dev/null
      test $? -eq 36
      """
    let people: [Person?] = [try Person(owner: alice.account), nil]
    var sessions: [(process: SpawnedProcess, go: OwnedDescriptor)] = []
    for person in people {
      let (go, told) = (try OwnedDescriptor.pipe(), try OwnedDescriptor.pipe())
      let process = try start(
        ["/bin/sh", "-c", script], at: person,
        [.init(go.reading, as: 7), .init(told.writing, as: 9)])
      try #require(try Poll.wait([PollEntry(told.reading)], until: soon)[0].isReadable, "the session has its proof")
      sessions.append((process, go.writing))
    }
    #expect(run(bare("lock", "--all"), as: alice.account).status == 0)
    guard case .status(let status) = try daemon.connect(as: alice.uid).ask(.status).reply else {
      throw Unexpected.frame
    }
    #expect(status.cached.isEmpty && status.keybag == .beforeFirstUnlock)
    for session in sessions {
      try Files.writeAll(session.go, Array("go\n".utf8).span)
      #expect(try end(of: session.process) == .exited(0))
    }
  }

  @Test(arguments: [(UInt16(0o711), false), (0o755, true)])
  func `nobody attaches to the installed command line while it waits, but to a readable copy`(
    mode: UInt16, attached: Bool
  ) throws {
    chmod(latchkey, mode_t(mode))
    #expect(
      run(bare("add", "-s", "test", "-a", "one", "--require", "userPresence"), input: [1], as: alice.account).status
        == 0)
    let person = try Person(owner: alice.account)
    let process = try start(bare("get", "-s", "test", "-a", "one"), at: person)
    defer { process.killAndWait() }
    try person.see("Passcode for")
    let waiting = alice.processes.filter {
      (try? Files.readAll("/proc/\($0)/comm", limit: 64)) == Array("latchkey\n".utf8)
    }
    let target = try #require(waiting.first)
    let script = """
      import ctypes, sys
      libc = ctypes.CDLL(None)
      libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
      traced = libc.ptrace(16, int(sys.argv[1]), None, None) == 0
      try:
          traced = open("/proc/%s/mem" % sys.argv[1], "rb") is not None or traced
      except OSError:
          pass
      sys.exit(7 if traced else 3)
      """
    #expect(run(["python3", "-c", script, String(target)], as: alice.account).status == (attached ? 7 : 3))
    try person.type("\u{3}")
  }
}
