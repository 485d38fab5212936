import Testing
import PAMModel
import SecretMemory

@testable import DialogueWire

/// One message of every shape, as bytes, with the decoder that belongs to it.
struct Sample: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  let reencode: @Sendable ([UInt8]) throws(DialogueError) -> [UInt8]
  var testDescription: String { name }

  init<Message: DialogueMessage>(_ name: String, _ message: Message) {
    self.name = name
    bytes = try! encoded(message)
    reencode = { (bytes) throws(DialogueError) in try encoded(try decoded(bytes, as: Message.self)) }
  }
}

func encoded<Message: DialogueMessage>(_ message: Message) throws(DialogueError) -> [UInt8] {
  let packet = try Packet(message)
  return packet.buffer.withSpan { span in (0..<packet.count).map { span[$0] } }
}

func decoded<Message: DialogueMessage>(_ bytes: [UInt8], as type: Message.Type) throws(DialogueError) -> Message {
  try Packet(buffer: secret(bytes), count: bytes.count).decode(type)
}

func secret(_ bytes: [UInt8]) -> SecretBytes { try! SecretBytes(copying: bytes.span) }
func secret(_ text: String) -> SecretBytes { secret(Array(text.utf8)) }

let order = DerivationOrder(salt: Array(1...16), operations: 3, memoryBytes: 268_435_456)

func request(_ answers: AnswerSource, _ change: (inout HelperRequest) -> Void = { _ in }) -> HelperRequest {
  var request = HelperRequest(
    stack: .passcode, pamDirectory: "/etc/latchkey/pam.d", user: "alice", uid: 1001, answers: answers)
  change(&request)
  return request
}

func setup(_ surface: PromptSurface, _ change: (inout PromptSetup) -> Void = { _ in }) -> PromptSetup {
  var setup = PromptSetup(surface: surface, user: ShownText("alice"), deadline: 99)
  change(&setup)
  return setup
}

func failure(_ stage: HelperStage, _ cause: HelperFailureCause, _ result: PAMResult) -> HelperFailure {
  var failure = HelperFailure(stage: stage, cause: cause, result: result)
  failure.missCount = 3
  failure.delayMicroseconds = 2_000_000
  failure.moduleText = ShownText("The account is locked")
  return failure
}

let requestSamples: [Sample] = [
  Sample("request, prompter", request(.prompter)),
  Sample(
    "request, everything",
    request(.prompter) {
      $0.terminalName = "/dev/pts/3"
      $0.remoteHost = "host.example"
      $0.deadline = 1 << 60
      $0.tries = 10
      $0.derivation = order
      $0.derivationStart = .onTurn
    }),
  Sample("request, supplied", request(.supplied(secret("correct horse")))),
  Sample("request, no answers", request(.none)),
  Sample("turn, now", DerivationTurn.now),
  Sample("turn, later", DerivationTurn.later),
  Sample("follow up, old passcode", HelperFollowUp.askOldPasscode(order)),
  Sample("follow up, again", HelperFollowUp.stretchAgain(order)),
  Sample("follow up, finish", HelperFollowUp.finish(.succeeded)),
  Sample("follow up, failed", HelperFollowUp.finish(.failed(ShownText("The passcode has expired.")))),
]

let eventSamples: [Sample] = [
  Sample("event, started", HelperEvent.started),
  Sample("event, asking", HelperEvent.asking(.off)),
  Sample("event, message", HelperEvent.message(.error, ShownText("Place your finger"))),
  Sample("event, miss", HelperEvent.miss(HelperMiss(count: 2, delayMicroseconds: 1_900_000))),
  Sample(
    "event, proved", HelperEvent.result(.proved(HelperProof(user: "alice", questionCount: 1, stretched: nil)))),
  Sample(
    "event, proved with a key",
    HelperEvent.result(
      .proved(HelperProof(user: "alice", questionCount: 1, stretched: secret(Array(repeating: 7, count: 32)))))),
  Sample(
    "event, failed", HelperEvent.result(.failed(failure(.authenticate, .refusedByStack, .authenticationError)))),
  Sample("event, failed oddly", HelperEvent.result(.failed(failure(.account, .refusedByStack, .unknown(-7))))),
  Sample("event, stretched", HelperEvent.stretched(secret(Array(repeating: 9, count: 32)))),
  Sample("event, cancelled", HelperEvent.cancelled(.cancelledByUser)),
  Sample("event, answered", HelperEvent.answered),
]

let promptSamples: [Sample] = [
  Sample(
    "question",
    PromptMessage.question(PromptQuestion(id: 1, echo: .on, purpose: .stack, text: ShownText("Code: ")))),
  Sample("info", PromptMessage.info(ShownText("hello"))),
  Sample("error", PromptMessage.error(ShownText([0xFF, 0x1B, 0]))),
  Sample("done", PromptMessage.done(.succeeded)),
  Sample("done, failed", PromptMessage.done(.failed(ShownText("Wrong passcode.")))),
  Sample("answer", PromptAnswer.answer(id: 1, secret("pässwörd"))),
  Sample("empty answer", PromptAnswer.answer(id: 2, secret(""))),
  Sample("cancelled", PromptAnswer.cancelled(.terminalGone)),
  Sample("setup, terminal", setup(.terminal) { $0.language = "de_DE.UTF-8" }),
  Sample(
    "setup, pinentry",
    setup(.pinentry(PinentryPlan(program: "/usr/bin/pinentry", environment: ["DISPLAY": ":0", "LANG": "C"]))) {
      $0.program = ShownText("/usr/bin/mail")
      $0.service = ShownText("com.example.mail")
      $0.purpose = ShownText("open")
      $0.label = ShownText("Mail")
      $0.reason = ShownText("to read mail")
    }),
  Sample("ready", PrompterReport.ready),
  Sample("ended", PrompterReport.ended(.userCancelled)),
  Sample("passcode chosen", PrompterReport.passcodeChosen),
  Sample("cue", PrompterCue.say(.error, ShownText("Swipe was too short, try again"))),
  Sample("finger over", PrompterCue.fingerOver(ShownText("the lid is shut."))),
  Sample("finger wanted", PrompterCue.fingerWanted),
  Sample("finger waits for a program", PrompterCue.fingerWaits(.somebody)),
  Sample("finger waits for another user", PrompterCue.fingerWaits(.prompt)),
  Sample(
    "finger waits for a prompt",
    PrompterCue.fingerWaits(
      .ownPrompt(
        HoldingPrompt(
          program: ShownText("/usr/bin/mail"), service: ShownText("com.example.mail"),
          site: .named(ShownText("/dev/pts/3")))))),
  Sample(
    "finger waits for a prompt of a terminal of its own",
    PrompterCue.fingerWaits(
      .ownPrompt(HoldingPrompt(program: ShownText("/usr/bin/mail"), service: .none, site: .ownTerminal)))),
  Sample(
    "finger waits for a window",
    PrompterCue.fingerWaits(
      .ownPrompt(HoldingPrompt(program: .none, service: ShownText("com.example.mail"), site: .nameless)))),
  Sample("done by the daemon", PrompterCue.done(.failed(ShownText("no")))),
  Sample(
    "setup with a finger",
    setup(.terminal) {
      $0.finger = .orPasscode; $0.remark = ShownText("first")
    }),
  Sample(
    "setup without a fallback",
    setup(.terminal) {
      $0.finger = .alone
      $0.fallback = .hidden
    }),
  Sample(
    "setup with titles",
    setup(.terminal) {
      $0.finger = .alone
      $0.fallback = .named(ShownText("Use PIN"))
      $0.cancelTitle = ShownText("Not now")
    }),
]

let allSamples = requestSamples + eventSamples + promptSamples
