import CLinux
import Testing

@testable import LinuxSystem

/// A terminal of the test's own: what is written to `keyboard` is typed on `terminal`.
private struct TestTerminal {
  let keyboard: OwnedDescriptor
  let terminal: OwnedDescriptor

  init() throws {
    var ends: (Int32, Int32) = (-1, -1)
    try #require(openpty(&ends.0, &ends.1, nil, nil, nil) == 0)
    keyboard = OwnedDescriptor(owning: ends.0)
    terminal = OwnedDescriptor(owning: ends.1)
  }

  func type(_ keys: String) throws { try Files.writeAll(keyboard, Array(keys.utf8).span) }

  /// Reads a line while `keys` are typed as soon as the prompt is out. Also what the person saw.
  func read(
    _ keys: String, capacity: Int = 64, _ edit: (inout LineReader) -> Void = { _ in }
  ) throws -> (outcome: LineReader.Outcome, buffer: [UInt8], seen: String) {
    var reader = LineReader(terminal: terminal, deadline: Clock.boottime + 5_000_000_000)
    edit(&reader)
    let keyboard = keyboard
    let (seenReading, seenWriting) = try OwnedDescriptor.pipe()
    try Threads.start {
      let prompt = (try? receive(keyboard, atLeast: 4)) ?? []
      try? Files.writeAll(keyboard, Array(keys.utf8).span)
      try? Files.writeAll(seenWriting, prompt.span)
    }
    var buffer = [UInt8](repeating: 0xee, count: capacity)
    var span = buffer.mutableSpan
    let outcome = try reader.read(prompt: "PIN:", into: &span)
    var seen = try receive(seenReading, atLeast: 4)
    // A terminal hands its output over in pieces, a little later.
    while seen.last != UInt8(ascii: "\n"),
      try Poll.wait([PollEntry(keyboard)], timeoutMilliseconds: 300)[0].isReadable
    {
      seen += try receive(keyboard, atLeast: 1)
    }
    return (outcome, buffer, String(decoding: seen, as: UTF8.self))
  }

  var echoes: Bool { get throws { try TerminalSettings(of: terminal).echoes } }
}

@Test(arguments: [
  ("secret\r", "secret"), ("secret\n", "secret"), ("\r", ""), ("ab\u{7f}c\r", "ac"), ("ab\u{8}\u{8}\u{8}c\r", "c"),
  ("wrong\u{15}right\r", "right"), ("aé\u{7f}b\r", "ab"), ("é€😀\u{7f}\u{7f}\r", "é"), ("a\u{1b}[Ab\r", "ab"),
  ("a\u{1b}[3~b\r", "ab"), ("a\u{1b}OPb\r", "ab"), ("a\u{4}b\r", "ab"), ("a\u{1}\u{16}b\tc\r", "ab\tc"),
  ("caf\u{e9}\r", "café"),
])
func `a line is read with its editing keys and never shown`(keys: String, line: String) throws {
  let terminal = try TestTerminal()
  let (outcome, buffer, seen) = try terminal.read(keys)
  #expect(outcome == .line(count: line.utf8.count))
  #expect(String(decoding: buffer.prefix(line.utf8.count), as: UTF8.self) == line)
  #expect(seen == "PIN:\r\n")
  #expect(try terminal.echoes)
}

@Test(arguments: ["\u{3}", "ab\u{3}", "ab\u{1c}", "\u{4}", "ab\u{1b}"])
func `a person can give up, and nothing typed stays in memory`(keys: String) throws {
  let terminal = try TestTerminal()
  let (outcome, buffer, _) = try terminal.read(keys)
  #expect(outcome == .cancelled)
  #expect(buffer.allSatisfy { $0 == 0 })
  #expect(try terminal.echoes)
}

@Test(arguments: [(7, LineReader.Outcome.line(count: 7)), (8, .line(count: 8)), (9, .tooLong), (200, .tooLong)])
func `a line may fill the buffer and not pass it`(count: Int, expected: LineReader.Outcome) throws {
  let terminal = try TestTerminal()
  let (outcome, buffer, _) = try terminal.read(String(repeating: "x", count: count) + "\r", capacity: 8)
  #expect(outcome == expected)
  #expect(
    buffer == Array(repeating: expected == .tooLong ? 0 : UInt8(ascii: "x"), count: min(count, 8))
      + (count < 8 ? [0xee] : []))
}

@Test func `an overlong line that is erased can be typed again`() throws {
  let terminal = try TestTerminal()
  let (outcome, buffer, _) = try terminal.read("123456789\u{7f}abc\r", capacity: 8)
  #expect(outcome == .line(count: 3))
  #expect(buffer.prefix(3) == Array("abc".utf8)[...])
}

@Test func `stars stand for characters and go with them`() throws {
  let terminal = try TestTerminal()
  let (_, _, seen) = try terminal.read("aé\u{7f}\r") { $0.showsStars = true }
  #expect(seen == "PIN:**\u{8} \u{8}\r\n")
}

@Test func `what was typed before the prompt and after the line answers nothing`() throws {
  let terminal = try TestTerminal()
  try terminal.type("early\r")
  // Its echo must not be taken for the prompt.
  #expect(try receive(terminal.keyboard, atLeast: 7) == Array("early\r\n".utf8))
  #expect(try eventually { try Poll.wait([PollEntry(terminal.terminal)], timeoutMilliseconds: 0)[0].isReadable })
  let (outcome, buffer, _) = try terminal.read("right\rlate\r")
  #expect(outcome == .line(count: 5) && buffer.prefix(5) == Array("right".utf8)[...])
  #expect(try Poll.wait([PollEntry(terminal.terminal)], timeoutMilliseconds: 50)[0].events == [])
}

@Test func `a deadline, another descriptor and a hang-up end the wait, with echo put back`() throws {
  let terminal = try TestTerminal()
  #expect(try terminal.read("ab") { $0.deadline = Clock.boottime + 200_000_000 }.outcome == .timedOut)
  #expect(try terminal.echoes)
  let (reading, writing) = try OwnedDescriptor.pipe()
  try Files.writeAll(writing, [1].span)
  let cancelled = try terminal.read("ab") { $0.cancelledBy = reading }
  #expect(cancelled.outcome == .interrupted && cancelled.buffer.allSatisfy { $0 == 0 })
  #expect(try terminal.echoes)

  var other: TestTerminal? = try TestTerminal()
  let line = LineReader(terminal: other!.terminal, deadline: Clock.boottime + 5_000_000_000)
  other = nil  // Closes the keyboard's side.
  var buffer: [UInt8] = [1, 2, 3]
  var span = buffer.mutableSpan
  let outcome = try? line.read(prompt: "PIN:", into: &span)
  #expect(outcome == .hungUp || outcome == nil)
}

@Test func `a terminal that is stopped does not hold the prompt for ever`() throws {
  let terminal = try TestTerminal()
  #expect(tcflow(terminal.terminal.number, TCOOFF) == 0)
  let before = Clock.boottime
  #expect(throws: Errno.timedOut) {
    try Terminal.write(String(repeating: "x", count: 10_000), to: terminal.terminal, until: before + 100_000_000)
  }
  #expect(Clock.boottime - before < 5_000_000_000)
  tcflow(terminal.terminal.number, TCOON)
}

@Test func `a terminal is told from other files, with its device and owner`() throws {
  let terminal = try TestTerminal()
  let null = try Files.open("/dev/null", .readingAndWriting)
  #expect(Terminal.isTerminal(terminal.terminal) && !Terminal.isTerminal(null))
  #expect(try Terminal.owner(terminal.terminal) == Users.realUserID)
  #expect(throws: Errno.notTerminal) { try Terminal.device(null) }
  #expect(throws: Errno.notTerminal) { try Terminal.owner(null) }
  #expect(throws: Errno.notTerminal) { try TerminalSettings(of: null) }
  var buffer: [UInt8] = [0]
  #expect(throws: Errno.notTerminal) {
    var span = buffer.mutableSpan
    _ = try LineReader(terminal: null).read(prompt: "x", into: &span)
  }
}

@Test func `a process's terminal has the same number in its status as in the file system`() throws {
  let terminal = try TestTerminal()
  let path = try Files.readLink("/proc/self/fd/\(terminal.terminal.number)")
  // A session leader without a terminal takes the first that it opens.
  let child = try Spawn.start(
    "/bin/sh", SpawnPlan(arguments: ["sh", "-c", "exec <\(path); exec sleep 1000"]))
  defer { child.killAndWait() }
  let device = try Terminal.device(terminal.terminal)
  #expect(try eventually { try ProcessStatus.read(child.pid).terminalDevice == device })
}

@Test func `settings are the same only with the same modes and keys`() throws {
  let terminal = try TestTerminal()
  let before = try TerminalSettings(of: terminal.terminal)
  try before.readingKeys().applyNow(to: terminal.terminal)
  let during = try TerminalSettings(of: terminal.terminal)
  #expect(during != before && during == before.readingKeys() && !during.echoes)
  try before.applyNow(to: terminal.terminal)
  #expect(try TerminalSettings(of: terminal.terminal) == before)
}

@Test func `the user's own keys are read`() throws {
  let terminal = try TestTerminal()
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
