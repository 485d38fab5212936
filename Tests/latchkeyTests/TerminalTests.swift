import KeychainModel
import LinuxSystem
import TestSupport
import Testing

@testable import latchkey

/// The built program on a terminal of its own, with a person at it.
private struct Sitting {
  let person: Person
  let child: SpawnedProcess
  let before: TerminalSettings

  init(_ daemon: MemoryDaemon, _ words: [String], input: String? = nil, output: String? = nil) throws {
    person = try Person()
    before = try person.settings
    // The first terminal that a session leader opens becomes its controlling one.
    let streams = "<\(input ?? person.path) >\(output ?? person.path) 2>\(person.path)"
    let script = "exec <\(person.path); exec \(streams); exec \"$@\""
    let plan = SpawnPlan(
      arguments: ["sh", "-c", script, "sh", BuiltPrograms.path(of: "latchkey")] + words,
      environment: ["LATCHKEY_SOCKET": daemon.folder.path("socket")])
    child = try Spawn.start("/bin/sh", plan)
  }

  /// How it ended; the terminal must be as it was.
  func end() throws -> ProcessExit {
    #expect(try Poll.wait([PollEntry(child.pidfd)], timeoutMilliseconds: 10_000)[0].isReadable)
    person.readOn()
    #expect(try person.settings == before)
    return try child.wait()
  }
}

@Suite struct TerminalTests {
  private let add = ["add", "-s", "a", "-a", "b"]

  @Test func `a value is asked for twice and never shown`() throws {
    let daemon = try MemoryDaemon()
    let sitting = try Sitting(daemon, add)
    try sitting.person.see("Value: ")
    try sitting.person.type("sekret\r")
    try sitting.person.see("Value, again: ")
    try sitting.person.type("sekret\r")
    #expect(try sitting.end() == .exited(0))
    #expect(!sitting.person.screen.contains("sekret"))
    #expect(daemon.latchkey("get", "-s", "a", "-a", "b").output == "sekret")
  }

  @Test func `answers that differ store nothing`() throws {
    let daemon = try MemoryDaemon()
    let sitting = try Sitting(daemon, add)
    try sitting.person.see("Value: ")
    try sitting.person.type("one\r")
    try sitting.person.see("again: ")
    try sitting.person.type("two\r")
    #expect(try sitting.end() == .exited(206))
    try sitting.person.see("the two answers differ")
    #expect(daemon.requests.isEmpty)
  }

  @Test(arguments: ["\u{3}", "half\u{3}", "\u{4}"]) func `a person may cancel`(keys: String) throws {
    let daemon = try MemoryDaemon()
    let sitting = try Sitting(daemon, add)
    try sitting.person.see("Value: ")
    try sitting.person.type(keys)
    #expect(try sitting.end() == .exited(128))
    #expect(daemon.requests.isEmpty)
  }

  @Test func `a signal ends the program once the terminal is back`() throws {
    let daemon = try MemoryDaemon()
    let sitting = try Sitting(daemon, add)
    try sitting.person.see("Value: ")
    try sitting.person.type("half")
    try sitting.child.kill(Signals.terminate)
    #expect(try sitting.end() == .signalled(Signals.terminate))
    // What was half typed does not reach the next program.
    #expect(try sitting.person.nextLine(typing: "next\n") == "next\n")
  }

  @Test func `a question reaches the terminal though the output goes elsewhere`() throws {
    let daemon = try MemoryDaemon()
    let sitting = try Sitting(daemon, add + ["--json"], output: daemon.folder.path("out"))
    try sitting.person.see("Value: ")
    try sitting.person.type("v\r")
    try sitting.person.see("again: ")
    try sitting.person.type("v\r")
    #expect(try sitting.end() == .exited(0))
    let written = String(decoding: try Files.readAll(daemon.folder.path("out"), limit: 10_000), as: UTF8.self)
    #expect(try json(written)["added"] != nil)
  }

  @Test func `a newline follows a value on a terminal and nowhere else`() throws {
    let daemon = try MemoryDaemon()
    #expect(daemon.latchkey("add", "-s", "a", "-a", "b", input: Array("plain".utf8)).status == 0)
    let sitting = try Sitting(daemon, ["get", "-s", "a", "-a", "b"])
    try sitting.person.see("plain\r\n")
    #expect(try sitting.end() == .exited(0))
    #expect(daemon.latchkey("get", "-s", "a", "-a", "b").output == "plain")
  }

  @Test func `with --no-prompt nothing is asked`() throws {
    let sitting = try Sitting(try MemoryDaemon(), add + ["--no-prompt"])
    #expect(try sitting.end() == .exited(2))
    try sitting.person.see("the value comes from standard input")
  }
}
