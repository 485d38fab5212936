import DialogueWire
import Foundation
import LinuxSystem
import PAMModel
import SecretMemory

@testable import PAMSession

/// The built helper, started as the daemon starts it, with both far ends of its channels in our hands.
final class HelperRun {
  let daemon: DialogueChannel
  let prompter: DialogueChannel?
  let process: SpawnedProcess

  init(_ request: HelperRequest?, prompted: Bool = true) throws {
    let (daemon, far) = try DialogueChannel.pair()
    var descriptors = [SpawnPlan.Descriptor(far.descriptor, as: 3)]
    var prompter: DialogueChannel?
    if prompted {
      let (near, other) = try DialogueChannel.pair()
      prompter = near
      descriptors.append(.init(other.descriptor, as: 4))
    }
    self.daemon = daemon
    self.prompter = prompter
    process = try Spawn.start(
      Self.program,
      SpawnPlan(
        arguments: ["latchkey-pam-helper"], environment: ["LANG": "C.UTF-8", "LD_DEBUG_CANARY": "x"],
        descriptors: descriptors))
    if let request { try daemon.send(request) }
  }

  deinit { process.killAndWait() }

  /// Soon enough that a test which waits for nothing fails, late enough for a busy machine.
  var soon: UInt64 { Clock.boottime + 60_000_000_000 }

  func event() throws -> HelperEvent { try daemon.receive(until: soon) }
  func prompt() throws -> PromptMessage { try prompter!.receive(until: soon) }
  func answer(_ text: String) throws {
    guard case .question(let question) = try prompt() else { throw Unexpected.message }
    try prompter!.send(PromptAnswer.answer(id: question.id, secret(text)))
  }

  /// Answers the next question, whatever is shown before it.
  func reply(_ text: String) throws {
    while true {
      guard case .question(let question) = try prompt() else { continue }
      return try prompter!.send(PromptAnswer.answer(id: question.id, secret(text)))
    }
  }

  /// Everything up to the result.
  func outcome() throws -> (before: [HelperEvent], outcome: HelperOutcome) {
    var before: [HelperEvent] = []
    while true {
      let event = try event()
      if case .result(let outcome) = event { return (before, outcome) }
      before.append(event)
    }
  }

  /// Everything up to the word that the passcode is there.
  func expectAnswered() throws {
    while true {
      switch try event() {
      case .answered: return
      case .started, .asking, .miss, .message: continue
      case .result, .stretched, .cancelled: throw Unexpected.message
      }
    }
  }

  func failure() throws -> HelperFailure {
    guard case .failed(let failure) = try outcome().outcome else { throw Unexpected.success }
    return failure
  }

  func proof() throws -> HelperProof {
    guard case .proved(let proof) = try outcome().outcome else { throw Unexpected.failure }
    return proof
  }

  enum Unexpected: Error { case message, success, failure }

  /// Built beside the tests.
  static let program: String = {
    let own = try! ThisProcess.executablePath()
    for place in [own] + CommandLine.arguments {
      var folder = place.split(separator: "/").dropLast()
      while !folder.isEmpty {
        let path = "/" + folder.joined(separator: "/") + "/latchkey-pam-helper"
        if (try? Files.facts(path))?.kind == .regular { return path }
        folder = folder.dropLast()
      }
    }
    fatalError("latchkey-pam-helper was not built")
  }()
}

func helperRequest(
  _ folder: StackFolder, _ answers: AnswerSource, user: String = "root", uid: UInt32 = 0, tries: UInt8 = 1,
  derivation: DerivationOrder? = nil, seconds: UInt64 = 120
) -> HelperRequest {
  var request = HelperRequest(stack: .passcode, pamDirectory: folder.path, user: user, uid: uid, answers: answers)
  request.tries = tries
  request.derivation = derivation
  request.deadline = Clock.boottime + seconds * 1_000_000_000
  return request
}
