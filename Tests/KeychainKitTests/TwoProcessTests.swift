import Foundation
import LinuxSystem
import TestSupport
import Testing

/// One program observes, others of the same user write.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct TwoProcessTests {
  let account = TestAccount(password: "right horse", home: .made)
  let daemon: SystemDaemon
  let observer: KeychainKitProgram
  let writer: KeychainKitProgram

  init() throws {
    daemon = try SystemDaemon()
    observer = try KeychainKitProgram(account, socket: daemon.socket)
    writer = try KeychainKitProgram(account, socket: daemon.socket)
  }

  /// Has the observer watch a key, and reads what it says at the beginning.
  private func beginWatching() throws {
    #expect(try observer.ask("observe token") == "seen nothing")
    try watch(sees: "nothing")
  }

  /// The watch's beginning is a report of its own, on a thread of its own: before or after the answer.
  private func watch(sees value: String) throws {
    try observer.say("watch token")
    #expect(Set([try observer.line(), try observer.line()]) == ["done", "seen \(value)"])
  }

  @Test func `what another program writes reaches who asked for it, and only then`() throws {
    #expect(try observer.ask("observe token") == "seen nothing")
    #expect(try writer.ask("set token one") == "done")
    #expect(observer.isSilent(for: 0.5))
    try watch(sees: "one")
    for value in ["two", "three"] {
      #expect(try writer.ask("set token \(value)") == "done")
      #expect(try observer.line() == "seen \(value)")
    }
    #expect(try writer.ask("remove token") == "done")
    #expect(try observer.line() == "seen nothing")
    #expect(observer.isSilent(for: 0.3))
  }

  @Test func `the command line's writes, locks and unlocks reach it as well`() throws {
    try beginWatching()
    let commandLine = daemon.commandLine(of: account)
    #expect(commandLine.run("add", "-s", "kit", "-a", "token", input: Array("one".utf8)).status == 0)
    try observer.waitFor("seen one")
    #expect(commandLine.run(["unlock"], passcode: "right horse").status == 0)
    #expect(commandLine.run("lock").status == 0)
    try observer.waitFor("seen nothing")
    #expect(commandLine.run(["unlock"], passcode: "right horse").status == 0)
    try observer.waitFor("seen one")
  }

  @Test func `another user's writes reach it not`() throws {
    try beginWatching()
    let stranger = TestAccount(password: nil, home: .made)
    let other = try KeychainKitProgram(stranger, socket: daemon.socket)
    #expect(try other.ask("set token theirs") == "done")
    #expect(observer.isSilent(for: 0.5))
  }

  @Test func `a daemon that is killed and starts anew makes a report, and later writes are told`() throws {
    try beginWatching()
    #expect(try writer.ask("set token one") == "done")
    try observer.waitFor("seen one")
    daemon.crash()
    try daemon.start()
    try observer.waitFor("seen one")
    #expect(try writer.ask("set token two") == "done")
    try observer.waitFor("seen two")
  }

  @Test func `an observer that stands still holds up no writer and sees the last value`() throws {
    try beginWatching()
    #expect(try writer.ask("set token 0") == "done")
    try observer.waitFor("seen 0")
    kill(observer.process.pid, SIGSTOP)
    let begun = Clock.boottime
    #expect(try writer.ask("fill token 300", within: 30) == "done")
    let stopped = Clock.boottime - begun
    kill(observer.process.pid, SIGCONT)
    try observer.waitFor("seen 300")
    let again = Clock.boottime
    #expect(try writer.ask("fill token 300", within: 30) == "done")
    // With the observer running it may only take longer: it reads too. A tenth more than twice is noise.
    #expect(Double(stopped) < 2.2 * Double(Clock.boottime - again) + 1e9)
  }

  @Test func `seventeen observers: the last is refused, and nobody's reads and writes fail`() throws {
    try beginWatching()
    let more = try (0..<16).map { _ in
      let program = try KeychainKitProgram(account, socket: daemon.socket)
      _ = try program.ask("observe token")
      try program.say("watch token")
      try program.waitFor("done")
      return program
    }
    #expect(try writer.ask("set token one") == "done")
    try observer.waitFor("seen one")
    for program in more {
      try program.say("get token")
      try program.waitFor("value one", within: 20)
    }
  }
}
