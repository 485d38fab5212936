import DialogueWire
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import latchkey_prompter

/// How the program may be started, and that nobody of its user can look into it.
@Suite struct StartTests {
  @Test func `an argument, a shared session and missing channels are refused`() throws {
    let person = try Person()
    #expect(try Stage(terminal: person.terminal, arguments: ["latchkey-prompter", "x"]).exit() == .exited(12))
    #expect(try Stage(terminal: person.terminal, newSession: false).exit() == .exited(13))
    let bare = try Spawn.start(Stage.prompter, SpawnPlan(arguments: ["latchkey-prompter"]))
    #expect(try bare.wait() == .exited(14))
  }

  @Test func `a descriptor 5 that is no terminal is refused`() throws {
    #expect(try Stage(terminal: try Files.open("/dev/null", .readingAndWriting)).exit() == .exited(14))
  }

  @Test func `no order and a wrong order end it`() throws {
    let silent = try Stage(terminal: nil)
    silent.daemon = nil
    #expect(try silent.exit() == .exited(3))
    let wrong = try Stage(terminal: nil)
    try wrong.daemon?.send(PrompterReport.ready)
    #expect(try wrong.exit() == .exited(3))
  }

  @Test func `a terminal order without a terminal is answered`() throws {
    let stage = try Stage(terminal: nil)
    try stage.order()
    #expect(try stage.report() == "surfaceUnusable")
  }

  /// Runs a program under a tracer from its first instruction; prints its exit status.
  private static let tracing = """
    import ctypes, os, sys
    libc = ctypes.CDLL(None, use_errno=True)
    pid = os.fork()
    if pid == 0:
        os.setsid()
        libc.ptrace(0, 0, 0, 0)
        os.execv(sys.argv[1], ["latchkey-prompter"])
    while True:
        _, status = os.waitpid(pid, 0)
        if os.WIFEXITED(status): break
        libc.ptrace(7, pid, 0, 0)
    print(os.WEXITSTATUS(status))
    """

  /// Tries to attach to a process and to read its memory; prints what succeeded.
  private static let attaching = """
    import ctypes, os, sys
    libc = ctypes.CDLL(None, use_errno=True)
    pid = int(sys.argv[1])
    won = []
    if libc.ptrace(16, pid, 0, 0) == 0: won.append("attach")
    for name in ("mem", "environ", "fd/3"):
        try:
            open("/proc/%d/%s" % (pid, name), "rb").close()
            won.append(name)
        except OSError: pass
    print(" ".join(won))
    """

  private func python(_ script: String, _ argument: String, asUser user: UserAccount? = nil) throws -> String {
    let (reading, writing) = try OwnedDescriptor.pipe()
    let plan = SpawnPlan(
      arguments: ["python3", "-c", script, argument], descriptors: [.init(writing, as: 1)], asUser: user)
    let process = try Spawn.start("/usr/bin/python3", plan)
    #expect(try process.wait() == .exited(0))
    var chunk = [UInt8](repeating: 0, count: 256)
    var span = chunk.mutableSpan
    let count = try Files.read(reading, into: &span)
    return String(decoding: chunk.prefix(count), as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  @Test func `it takes the signals of a crash back from the runtime, which would let its memory be read`() throws {
    // Without SWIFT_BACKTRACE=enable=no, which the daemon starts it with.
    let person = try Person()
    let stage = try Stage(terminal: person.terminal)
    try stage.order()
    #expect(try stage.report() == "ready")
    #expect(try CaughtSignals(of: stage.process.pid).ofACrash == [])
    #expect(kill(stage.process.pid, SIGSEGV) == 0)
    #expect(try stage.exit() == .signalled(SIGSEGV))
  }

  @Test func `under a tracer it refuses to start`() throws {
    #expect(try python(Self.tracing, Stage.prompter) == "11")
  }

  @Test func `a process of the same user can neither attach nor read its memory`() throws {
    try #require(Users.effectiveUserID == 0, "needs root")
    let user = try #require(try Users.account("nobody"))
    let copy = try OpenCopy()
    let person = try Person()
    try #require(fchown(person.terminal.number, user.uid, user.gid) == 0)
    let stage = try Stage(terminal: person.terminal, program: copy.path, asUser: user)
    try stage.order()
    #expect(try stage.report() == "ready")
    #expect(try python(Self.attaching, String(stage.process.pid), asUser: user) == "")
    // The same attack on a program that does not hide itself succeeds, so the check above can fail.
    let open = try Spawn.start("/bin/sleep", SpawnPlan(arguments: ["sleep", "60"], asUser: user))
    defer { open.killAndWait() }
    #expect(try python(Self.attaching, String(open.pid), asUser: user).contains("attach"))
    withExtendedLifetime(copy) {}
  }
}
