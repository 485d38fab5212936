import DialogueWire
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import latchkey_prompter

/// The built program on a real pseudo-terminal.
@Suite struct TerminalDialogueTests {
  /// A person at a prompt, with a question up.
  private func prompted(_ text: String = "Password: ", seconds: UInt64 = 20) throws -> (Person, TerminalSettings, Stage)
  {
    let person = try Person()
    let before = try person.settings
    let stage = try Stage(terminal: person.terminal)
    try stage.order(seconds: seconds) {
      $0.label = ShownText("work\u{1B}[2J")
      $0.reason = ShownText("push")
    }
    #expect(try stage.report() == "ready")
    try stage.ask(text)
    try person.see("Passcode for alice: ")
    return (person, before, stage)
  }

  @Test func `the frame names everyone, and the typed passcode reaches the helper and no screen`() throws {
    let (person, before, stage) = try prompted()
    #expect(try !person.settings.echoes)
    try person.type("hunter2\r")
    #expect(try stage.answer() == "1: hunter2")
    try stage.helper?.send(PromptMessage.done(.failed(ShownText("the passcode is wrong."))))
    #expect(try stage.report() == "done")
    #expect(try stage.exit() == .exited(0))
    try person.see("Latchkey: the passcode is wrong.\r\n")
    #expect(
      person.screen
        == "Latchkey: \"/usr/bin/git\" asks to open \"example.com\" for alice\r\n"
        + "  item \"work\\u{1B}[2J\", reason \"push\"\r\nPasscode for alice: \r\n"
        + "Latchkey: the passcode is wrong.\r\n")
    #expect(try person.settings == before)
  }

  @Test(arguments: ["\u{3}", "half\u{3}", "\u{1C}", "\u{4}"])
  func `a cancelling key restores the terminal and tells helper and daemon`(keys: String) throws {
    let (person, before, stage) = try prompted()
    try person.type(keys)
    #expect(try stage.answer() == "userCancelled")
    #expect(try stage.report() == "userCancelled")
    #expect(try stage.exit() == .exited(0))
    #expect(try person.settings == before)
    #expect(try person.nextLine(typing: "\n") == "\n")
  }

  @Test func `an empty line is an answer, and the helper judges it`() throws {
    let (person, _, stage) = try prompted()
    try person.type("\r")
    #expect(try stage.answer() == "1: ")
  }

  @Test func `two questions are two answers, and what is typed between them is dropped`() throws {
    let (person, _, stage) = try prompted()
    try person.type("one\rtoo early\r")
    #expect(try stage.answer() == "1: one")
    try stage.helper?.send(PromptMessage.error(ShownText("wrong")))
    try person.see("\"wrong\"")
    try stage.ask(id: 2, echo: .on, "Code:")
    try person.see("\"Code:\" for alice: ")
    try person.type("12a\u{7F}3\r")
    #expect(try stage.answer() == "2: 123")
    try person.see("12a\u{8} \u{8}3\r\n")
    #expect(!person.screen.contains("early") && !person.screen.contains("one"))
  }

  @Test func `the interrupt key works while an answer is being checked`() throws {
    let (person, before, stage) = try prompted()
    try person.type("guess\r")
    #expect(try stage.answer() == "1: guess")
    try person.type("x\u{3}")
    #expect(try stage.report() == "userCancelled")
    #expect(try stage.exit() == .exited(0))
    #expect(try person.settings == before)
  }

  @Test func `512 bytes are refused as too long, not cut`() throws {
    let (person, _, stage) = try prompted()
    // A keyboard takes a few kilobytes at once; the program reads them as they come.
    try person.type(String(repeating: "x", count: 512) + "\r")
    #expect(try stage.answer() == "answerTooLong")
  }

  @Test func `what was typed before the prompt is no answer`() throws {
    let person = try Person()
    try person.type("rm -rf everything\n")
    let stage = try Stage(terminal: person.terminal)
    try stage.order()
    #expect(try stage.report() == "ready")
    try stage.ask()
    try person.see("Passcode for alice: ")
    try person.type("right\r")
    #expect(try stage.answer() == "1: right")
  }

  @Test func `the deadline ends it, restored`() throws {
    let (person, before, stage) = try prompted(seconds: 1)
    try person.type("half")
    #expect(try stage.answer() == "deadlinePassed")
    #expect(try stage.report() == "deadlinePassed")
    #expect(try stage.exit() == .exited(0))
    #expect(try person.settings == before)
    #expect(try person.nextLine(typing: "next\n") == "next\n")
  }

  enum Loss: CaseIterable { case daemon, helper, both, terminateSignal, hangUpSignal, interruptSignal }

  @Test(arguments: Loss.allCases)
  func `losing anyone restores the terminal, and half-typed bytes reach nobody`(loss: Loss) throws {
    let (person, before, stage) = try prompted()
    try person.type("half-typed")
    switch loss {
    case .daemon: stage.daemon = nil
    case .helper: stage.helper = nil
    case .both: (stage.daemon, stage.helper) = (nil, nil)
    case .terminateSignal: try stage.process.kill(Signals.terminate)
    case .hangUpSignal: try stage.process.kill(Signals.hangUp)
    case .interruptSignal: try stage.process.kill(Signals.interrupt)
    }
    #expect(try stage.exit() == .exited(0))
    #expect(try person.settings == before)
    #expect(try person.nextLine(typing: "next\n") == "next\n")
  }

  @Test func `a shell that took the terminal back keeps its own settings`() throws {
    let (person, _, stage) = try prompted()
    var shell = termios()
    try #require(tcgetattr(person.terminal.number, &shell) == 0)
    shell.c_lflag |= tcflag_t(ECHOCTL)
    shell.c_cc.6 = 7
    try #require(tcsetattr(person.terminal.number, TCSANOW, &shell) == 0)
    let taken = try person.settings
    stage.daemon = nil
    #expect(try stage.exit() == .exited(0))
    #expect(try person.settings == taken)
  }

  @Test func `what nobody had read when a shell took the terminal back reaches nobody`() throws {
    let (person, _, stage) = try prompted()
    try stage.process.kill(SIGSTOP)
    try person.type("half-typed")
    var shell = termios()
    try #require(tcgetattr(person.terminal.number, &shell) == 0)
    shell.c_lflag |= tcflag_t(ICANON | ECHO | ECHOCTL)
    try #require(tcsetattr(person.terminal.number, TCSANOW, &shell) == 0)
    stage.daemon = nil
    try stage.process.kill(SIGCONT)
    #expect(try stage.exit() == .exited(0))
    #expect(try person.nextLine(typing: "next\n") == "next\n")
  }

  @Test func `a terminal that hangs up ends it`() throws {
    let stage: Stage
    do {
      let (_, _, prompted) = try prompted()
      stage = prompted
    }
    #expect(try stage.answer() == "terminalGone")
    #expect(try stage.exit() == .exited(0))
  }

  @Test func `it runs as the user whose terminal it is`() throws {
    try #require(Users.effectiveUserID == 0, "needs root")
    let user = try #require(try Users.account("nobody"))
    let person = try Person()
    try #require(fchown(person.terminal.number, user.uid, user.gid) == 0)
    let before = try person.settings
    let copy = try OpenCopy()
    let stage = try Stage(terminal: person.terminal, program: copy.path, asUser: user)
    try stage.order()
    #expect(try stage.report() == "ready")
    #expect(
      try String(contentsOfFile: "/proc/\(stage.process.pid)/status", encoding: .utf8).contains("Uid:\t\(user.uid)\t"))
    try stage.ask()
    try person.see("Passcode for alice: ")
    try person.type("right\r")
    #expect(try stage.answer() == "1: right")
    try stage.helper?.send(PromptMessage.done(.succeeded))
    #expect(try stage.exit() == .exited(0))
    #expect(try person.settings == before)
    withExtendedLifetime(copy) {}
  }
}

/// A root-owned copy of the program that others may run but not read.
final class OpenCopy {
  let path: String
  private let folder: String

  init(mode: mode_t = 0o711) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("latchkey-" + UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try #require(chmod(folder, 0o755) == 0)
    path = folder + "/latchkey-prompter"
    try FileManager.default.copyItem(atPath: Stage.prompter, toPath: path)
    try #require(chmod(path, mode) == 0)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }
}
