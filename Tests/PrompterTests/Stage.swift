import DialogueWire
import Foundation
import LinuxSystem
import SecretMemory
import Testing

@testable import latchkey_prompter

/// A terminal with a person at it: what is typed on `keyboard` arrives at `terminal`.
final class Person {
  let keyboard: OwnedDescriptor
  let terminal: OwnedDescriptor
  let path: String
  private(set) var screen = ""

  init() throws {
    var ends: (Int32, Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    try #require(openpty(&ends.0, &ends.1, &name, nil, nil) == 0)
    // The programs under test must not hold the keyboard's end, else it never hangs up.
    _ = fcntl(ends.0, F_SETFD, FD_CLOEXEC)
    _ = fcntl(ends.1, F_SETFD, FD_CLOEXEC)
    keyboard = OwnedDescriptor(owning: ends.0)
    terminal = OwnedDescriptor(owning: ends.1)
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func type(_ keys: String) throws { try Files.writeAll(keyboard, Array(keys.utf8).span) }

  /// Reads the screen until it shows a text.
  func see(_ text: String, within seconds: UInt64 = 10) throws {
    let deadline = Clock.boottime + seconds * 1_000_000_000
    while !screen.contains(text) {
      guard try Poll.wait([PollEntry(keyboard)], until: deadline)[0].isReadable else { break }
      var chunk = [UInt8](repeating: 0, count: 1024)
      var span = chunk.mutableSpan
      let count = try Files.read(keyboard, into: &span)
      screen += String(decoding: chunk.prefix(count), as: UTF8.self)
    }
    try #require(screen.contains(text), "the screen shows: \(screen.debugDescription)")
  }

  /// The next line that a program reading the terminal gets, after the person types `keys`.
  func nextLine(typing keys: String) throws -> String {
    try type(keys)
    try #require(try Poll.wait([PollEntry(terminal)], timeoutMilliseconds: 5000)[0].isReadable)
    var chunk = [UInt8](repeating: 0, count: 1024)
    var span = chunk.mutableSpan
    let count = try Files.read(terminal, into: &span)
    return String(decoding: chunk.prefix(count), as: UTF8.self)
  }

  var settings: TerminalSettings { get throws { try TerminalSettings(of: terminal) } }
}

/// The prompter as the daemon and the helper see it; the test plays both.
final class Stage {
  var daemon: DialogueChannel?
  var helper: DialogueChannel?
  let process: SpawnedProcess
  static let soon: UInt64 = 10_000_000_000

  /// The folder of the built programs.
  static var programs: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }

  static var prompter: String { programs.appendingPathComponent("latchkey-prompter").path }

  init(
    terminal: OwnedDescriptor?, program: String = Stage.prompter, arguments: [String] = ["latchkey-prompter"],
    asUser: UserAccount? = nil, newSession: Bool = true
  ) throws {
    let (daemon, order) = try DialogueChannel.pair()
    let (helper, questions) = try DialogueChannel.pair()
    var descriptors = [
      SpawnPlan.Descriptor(order.descriptor, as: 3), SpawnPlan.Descriptor(questions.descriptor, as: 4),
    ]
    if let terminal { descriptors.append(.init(terminal, as: 5)) }
    var plan = SpawnPlan(arguments: arguments, descriptors: descriptors)
    plan.asUser = asUser
    plan.newSession = newSession
    process = try Spawn.start(program, plan)
    self.daemon = daemon
    self.helper = helper
  }

  deinit { process.killAndWait() }

  func order(
    _ surface: PromptSurface = .terminal, seconds: UInt64 = 20, _ change: (inout PromptSetup) -> Void = { _ in }
  ) throws {
    var setup = PromptSetup(
      surface: surface, user: ShownText("alice"), deadline: Clock.boottime + seconds * 1_000_000_000)
    setup.program = ShownText("/usr/bin/git")
    setup.service = ShownText("example.com")
    change(&setup)
    try daemon?.send(setup)
  }

  func ask(id: UInt32 = 1, echo: QuestionEcho = .off, _ text: String = "Password: ") throws {
    try helper?.send(
      PromptMessage.question(PromptQuestion(id: id, echo: echo, purpose: .stack, text: ShownText(text))))
  }

  /// The helper's next word, in plain.
  func answer() throws -> String {
    switch try #require(helper).receive(PromptAnswer.self, until: Clock.boottime + Self.soon) {
    case .answer(let id, let bytes):
      "\(id): " + bytes.withSpan { span in String(decoding: span.indices.map { span[$0] }, as: UTF8.self) }
    case .cancelled(let why): "\(why)"
    }
  }

  func report() throws -> String {
    switch try #require(daemon).receive(PrompterReport.self, until: Clock.boottime + Self.soon) {
    case .ready: "ready"
    case .ended(let why): "\(why)"
    }
  }

  func exit() throws -> ProcessExit {
    try #require(try Poll.wait([PollEntry(process.pidfd)], timeoutMilliseconds: 10_000)[0].isReadable)
    return try process.wait()
  }
}
