import DialogueWire
import Foundation
import LinuxSystem
import SecretMemory
import TestSupport
import Testing

@testable import latchkey_prompter

/// The prompter as the daemon and the helper see it; the test plays both.
final class Stage {
  var daemon: DialogueChannel?
  var helper: DialogueChannel?
  let process: SpawnedProcess
  static let soon: UInt64 = 30_000_000_000

  static var prompter: String { BuiltPrograms.path(of: "latchkey-prompter") }

  init(
    terminal: OwnedDescriptor?, program: String = Stage.prompter, arguments: [String] = ["latchkey-prompter"],
    asUser: UserAccount? = nil, newSession: Bool = true, helped: Bool = true
  ) throws {
    let (daemon, order) = try DialogueChannel.pair()
    let (helper, questions) = try DialogueChannel.pair()
    var descriptors = [SpawnPlan.Descriptor(order.descriptor, as: 3)]
    if helped { descriptors.append(.init(questions.descriptor, as: 4)) }
    if let terminal { descriptors.append(.init(terminal, as: 5)) }
    var plan = SpawnPlan(arguments: arguments, descriptors: descriptors)
    plan.asUser = asUser
    plan.newSession = newSession
    process = try Spawn.start(program, plan)
    self.daemon = daemon
    self.helper = helped ? helper : nil
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
    case .passcodeChosen: "passcodeChosen"
    case .ended(let why): "\(why)"
    }
  }

  func exit() throws -> ProcessExit {
    try #require(try Poll.wait([PollEntry(process.pidfd)], timeoutMilliseconds: 10_000)[0].isReadable)
    return try process.wait()
  }
}
