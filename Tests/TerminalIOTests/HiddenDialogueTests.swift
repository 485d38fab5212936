import Foundation
import LinuxSystem
import SecretMemory
import TestSupport
import Testing

@testable import TerminalIO

extension Person {
  /// Types answers from another thread, each once its question is up; what the screen showed by then comes back from the
  /// returned closure, which waits for that thread.
  fileprivate func answer(_ answers: [(question: String, keys: String)]) throws -> () throws -> String {
    let (reading, writing) = try OwnedDescriptor.pipe()
    nonisolated(unsafe) let person = self
    try Threads.start {
      for (question, keys) in answers {
        guard (try? person.see(question)) != nil else { break }
        try? person.type(keys)
      }
      try? Files.writeAll(writing, Array(person.screen.utf8).span)
    }
    return { String(decoding: try Files.readAll(reading, limit: 65_536), as: UTF8.self) }
  }
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
    try person.see("\r\n")
    #expect(person.screen == "Value: \r\n")
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
    nonisolated(unsafe) let watcher = person
    try Threads.start {
      try? watcher.see("Value: ")
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
