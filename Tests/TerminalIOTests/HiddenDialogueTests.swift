import Foundation
import LinuxSystem
import SecretMemory
import Testing

@testable import TerminalIO

/// A terminal of the test's own: what is written to `keyboard` is typed on `terminal`.
private final class Person: Sendable {
  let keyboard: OwnedDescriptor
  let terminal: OwnedDescriptor

  init() throws {
    var ends: (Int32, Int32) = (-1, -1)
    try #require(openpty(&ends.0, &ends.1, nil, nil, nil) == 0)
    keyboard = OwnedDescriptor(owning: ends.0)
    terminal = OwnedDescriptor(owning: ends.1)
  }

  func type(_ keys: String) throws { try Files.writeAll(keyboard, Array(keys.utf8).span) }

  /// Reads the screen until it ends in a text.
  func see(_ text: String) throws -> String {
    var screen = ""
    let deadline = Clock.boottime + 5_000_000_000
    while !screen.hasSuffix(text) {
      guard try Poll.wait([PollEntry(keyboard)], until: deadline)[0].isReadable else { break }
      var chunk = [UInt8](repeating: 0, count: 1024)
      var span = chunk.mutableSpan
      let count = try Files.read(keyboard, into: &span)
      screen += String(decoding: chunk.prefix(count), as: UTF8.self)
    }
    return screen
  }

  /// Types answers, each once its question is up; what the screen showed comes back from the returned closure.
  func answer(_ answers: [(question: String, keys: String)]) throws -> () throws -> String {
    let (reading, writing) = try OwnedDescriptor.pipe()
    try Threads.start { [self] in
      var screen = ""
      for (question, keys) in answers {
        screen += (try? see(question)) ?? ""
        try? type(keys)
      }
      try? Files.writeAll(writing, Array(screen.utf8).span)
    }
    return { String(decoding: try Files.readAll(reading, limit: 65_536), as: UTF8.self) }
  }

  var settings: TerminalSettings { get throws { try TerminalSettings(of: terminal) } }
}

private func text(_ answer: HiddenAnswer) -> String {
  switch answer {
  case .line(let line): line.withSpan { span in String(decoding: span.indices.map { span[$0] }, as: UTF8.self) }
  case .overlong: "<overlong>"
  case .cancelled: "<cancelled>"
  case .gone: "<gone>"
  }
}

@Suite(.serialized) struct HiddenDialogueTests {
  @Test(arguments: [
    ("secret\r", "secret"), ("\r", ""), ("ab\u{7f}c\r", "ac"), ("caf\u{e9}\r", "café"), ("\u{3}", "<cancelled>"),
    ("ab\u{1c}", "<cancelled>"), ("\u{4}", "<cancelled>"), ("12345678\r", "12345678"), ("123456789\r", "<overlong>"),
  ])
  func `a line is read and never shown, and the terminal comes back`(keys: String, answer: String) throws {
    let person = try Person()
    let before = try person.settings
    let screen = try person.answer([("Value: ", keys)])
    do {
      let dialogue = try HiddenDialogue(on: person.terminal)
      #expect(text(try dialogue.ask("Value: ", maximumCount: 8)) == answer)
    }
    #expect(try screen() == "Value: ")
    #expect(try person.settings == before)
    #expect(try person.see("\r\n") == "\r\n")
  }

  @Test func `what was typed too early answers nothing`() throws {
    let person = try Person()
    let screen = try person.answer([("One: ", "first\rearly\r"), ("Two: ", "second\r")])
    let dialogue = try HiddenDialogue(on: person.terminal)
    #expect(text(try dialogue.ask("One: ", maximumCount: 64)) == "first")
    #expect(text(try dialogue.ask("Two: ", maximumCount: 64)) == "second")
    #expect(try screen() == "One: \r\nTwo: ")
  }

  @Test func `a signal ends the question and takes its effect once the terminal is back`() throws {
    signal(SIGHUP) { _ in signalCame = 1 }
    defer { signal(SIGHUP, SIG_DFL) }
    let person = try Person()
    let before = try person.settings
    // The signal is for this very thread; the program has no other.
    let thread = pthread_self()
    let signalled = ThreadName(thread)
    try Threads.start {
      _ = try? person.see("Value: ")
      pthread_kill(signalled.thread, SIGHUP)
    }
    do {
      let dialogue = try HiddenDialogue(on: person.terminal)
      #expect(text(try dialogue.ask("Value: ", maximumCount: 8)) == "<cancelled>")
      #expect(signalCame == 0)
    }
    #expect(signalCame == 1)
    #expect(try person.settings == before)
  }

  @Test func `a terminal that hangs up ends the question`() throws {
    let person = try Person()
    let terminal = person.terminal
    let dialogue = try HiddenDialogue(on: terminal)
    var keyboard: OwnedDescriptor? = try OwnedDescriptor.duplicating(person.keyboard.number)
    _ = consume person
    keyboard = nil
    _ = keyboard
    let answer = try? dialogue.ask("Value: ", maximumCount: 8)
    #expect(answer == nil || text(answer!) == "<gone>")
  }

  @Test func `what is no terminal is refused`() throws {
    let null = try Files.open("/dev/null", .readingAndWriting)
    #expect(throws: HiddenDialogueError.terminal(.notTerminal)) { try HiddenDialogue(on: null) }
  }
}

nonisolated(unsafe) private var signalCame: sig_atomic_t = 0

private final class ThreadName: @unchecked Sendable {
  let thread: pthread_t
  init(_ thread: pthread_t) { self.thread = thread }
}
