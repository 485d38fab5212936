import CLinux
import Foundation
import TestSupport
import Testing

@testable import LinuxSystem

@Test func `a terminal that is stopped does not hold the prompt for ever`() throws {
  let terminal = try Person()
  #expect(tcflow(terminal.terminal.number, TCOOFF) == 0)
  let before = Clock.boottime
  #expect(throws: Errno.timedOut) {
    try Terminal.write(String(repeating: "x", count: 10_000), to: terminal.terminal, until: before + 100_000_000)
  }
  #expect(Clock.boottime - before < 20_000_000_000)
  tcflow(terminal.terminal.number, TCOON)
}

@Test func `a terminal is told from other files, with its device and owner`() throws {
  let terminal = try Person()
  let null = try Files.open("/dev/null", .readingAndWriting)
  #expect(Terminal.isTerminal(terminal.terminal) && !Terminal.isTerminal(null))
  #expect(try Terminal.owner(terminal.terminal) == Users.realUserID)
  #expect(throws: Errno.notTerminal) { try Terminal.device(null) }
  #expect(throws: Errno.notTerminal) { try Terminal.owner(null) }
  #expect(throws: Errno.notTerminal) { try TerminalSettings(of: null) }
}

@Test func `a terminal is known by its own name`() {
  #expect(TerminalFile.usualPath(of: 136 << 8) == "/dev/pts/0")
  #expect(TerminalFile.usualPath(of: 136 << 8 | 7) == "/dev/pts/7")
  #expect(TerminalFile.usualPath(of: 137 << 8 | 1) == "/dev/pts/257")
  #expect(TerminalFile.usualPath(of: 4 << 8 | 1) == "/dev/tty1")
  #expect(TerminalFile.usualPath(of: 4 << 8 | 64) == "/dev/ttyS0")
  #expect(TerminalFile.usualPath(of: 5 << 8) == nil)
}

@Test func `a terminal is the same by every descriptor, and no other is`() throws {
  let (one, other) = (try Person(), try Person())
  let file = try TerminalFile(of: one.terminal)
  #expect(try TerminalFile(of: Files.open(one.path, [.readingAndWriting, .notControlling])) == file)
  #expect(try TerminalFile(of: other.terminal) != file)
  #expect(Terminal.path(one.terminal) == one.path)
  // Another's name, or one that is none below /dev, is not taken for its own.
  #expect(file.path(from: other.path) == one.path)
  #expect(file.path(from: "/proc/self/fd/\(one.terminal.number)") == one.path)
  #expect(throws: Errno.notTerminal) { try TerminalFile(of: Files.open("/dev/null", .reading)) }
}

@Test(.enabled(if: isRoot, "mounts a devpts"))
func `a terminal of another devpts is another one, and has no name here, whatever its number`() throws {
  let own = try Person()
  let terminals = try ForeignTerminals()
  let file = try TerminalFile(of: own.terminal)
  let root = try #require(try Users.account(0))
  let twin = try terminals.person(number: Int(file.device & 0xFF), owner: root)
  #expect(try Terminal.device(twin.terminal) == file.device)
  #expect(try TerminalFile(of: twin.terminal) != file)
  #expect(try Files.readLink("/proc/self/fd/\(twin.terminal.number)") == own.path)
  #expect(Terminal.path(twin.terminal) == nil)
}

@Test func `a terminal that is opened once more takes what it can and never waits, and the others still do`() throws {
  let person = try Person()
  let own = try Terminal.reopenForWriting(person.terminal)
  #expect(tcflow(person.terminal.number, TCOOFF) == 0)
  #expect(throws: Errno.wouldBlock) { try Files.writeAll(own, Array("x".utf8).span) }
  tcflow(person.terminal.number, TCOON)
  try Files.writeAll(own, Array("y".utf8).span)
  try person.see("y")
  #expect(fcntl(person.terminal.number, F_GETFL) & O_NONBLOCK == 0)
}

@Test func `a process's terminal has the same number in its status as in the file system`() throws {
  let terminal = try Person()
  let path = try Files.readLink("/proc/self/fd/\(terminal.terminal.number)")
  // A session leader without a terminal takes the first that it opens.
  let child = try Spawn.start(
    "/bin/sh", SpawnPlan(arguments: ["sh", "-c", "exec <\(path); exec sleep 1000"]))
  defer { child.killAndWait() }
  let device = try Terminal.device(terminal.terminal)
  #expect(try eventually { try ProcessStatus.read(child.pid).terminalDevice == device })
}

@Test func `settings are the same only with the same modes and keys`() throws {
  let terminal = try Person()
  let before = try TerminalSettings(of: terminal.terminal)
  try before.readingKeys().applyNow(to: terminal.terminal)
  let during = try TerminalSettings(of: terminal.terminal)
  #expect(during != before && during == before.readingKeys() && !during.echoes)
  try before.applyNow(to: terminal.terminal)
  #expect(try TerminalSettings(of: terminal.terminal) == before)
}

@Test func `the user's own keys are read`() throws {
  let terminal = try Person()
  #expect(try TerminalSettings(of: terminal.terminal).keys == TerminalKeys())
  var record = termios()
  try #require(tcgetattr(terminal.terminal.number, &record) == 0)
  withUnsafeMutableBytes(of: &record.c_cc) { controls in
    controls[Int(VINTR)] = 0x18
    controls[Int(VKILL)] = 0
  }
  try #require(tcsetattr(terminal.terminal.number, TCSANOW, &record) == 0)
  let keys = try TerminalSettings(of: terminal.terminal).keys
  #expect(keys.interrupt == 0x18 && keys.kill == 0 && keys.endOfInput == 0x04)
}
