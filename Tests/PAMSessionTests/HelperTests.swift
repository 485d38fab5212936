import DialogueWire
import Foundation
import LinuxSystem
import PAMModel
import SecretMemory
import TestSupport
import Testing

@testable import PAMSession

/// The helper program from its start to its end, with a fast module that knows root's passcode as "right".
@Suite(.enabled(if: isRoot, "the helper serves root's account here"))
struct HelperTests {
  let folder = StackFolder()
  static let cheap = DerivationOrder(salt: Array(1...16), operations: 2, memoryBytes: 67_108_864)

  init() { write("auth required \(matrix)") }

  private var matrix: String { folder.matrix(user: "root", password: "right") }
  private func write(_ auth: String) {
    folder.write("latchkey-passcode", auth + "\naccount required pam_permit.so\n")
  }
  private func key(_ passcode: String, _ order: DerivationOrder) throws -> SecretBytes {
    try PasscodeStretching.stretch(
      secret(passcode),
      parameters: StretchingParameters(salt: order.salt, operations: order.operations, memoryBytes: order.memoryBytes))
  }

  @Test func `a right answer is proven, and finish ends prompter and helper`() throws {
    let run = try HelperRun(helperRequest(folder, .prompter))
    try run.answer("right")
    let (before, outcome) = try run.outcome()
    guard case .started? = before.first, case .asking(.off)? = before.last, before.count == 2 else {
      Issue.record("started, asking expected")
      return
    }
    guard case .proved(let proof) = outcome else { return #expect(Bool(false), "no proof") }
    #expect(proof.user == "root")
    #expect(proof.questionCount == 1)
    #expect(proof.stretched == nil)
    try run.daemon.send(HelperFollowUp.finish(.succeeded))
    guard case .done(.succeeded) = try run.prompt() else { return #expect(Bool(false), "not told") }
    #expect(try run.process.wait() == .exited(0))
  }

  @Test func `the key is derived beside PAM, again and from the old passcode, three times at most`() throws {
    let run = try HelperRun(helperRequest(folder, .prompter, derivation: Self.cheap))
    try run.answer("right")
    let stretched = try #require(try run.proof().stretched)
    #expect(stretched.equals(try key("right", Self.cheap)))
    let other = DerivationOrder(salt: Array(2...17), operations: 2, memoryBytes: 67_108_864)
    try run.daemon.send(HelperFollowUp.stretchAgain(other))
    guard case .stretched(let again) = try run.event() else { return #expect(Bool(false), "no key") }
    #expect(again.equals(try key("right", other)))
    try run.daemon.send(HelperFollowUp.askOldPasscode(Self.cheap))
    guard case .question(let question) = try run.prompt() else { return #expect(Bool(false), "not asked") }
    #expect(question.purpose == .oldPasscode)
    #expect(question.echo == .off)
    try run.prompter!.send(PromptAnswer.answer(id: question.id, secret("old")))
    guard case .stretched(let old) = try run.event() else { return #expect(Bool(false), "no key") }
    #expect(old.equals(try key("old", Self.cheap)))
    try run.daemon.send(HelperFollowUp.stretchAgain(Self.cheap))
    guard case .stretched(let third) = try run.event() else { return #expect(Bool(false), "no key") }
    #expect(third.equals(try key("right", Self.cheap)))
    try run.daemon.send(HelperFollowUp.stretchAgain(other))
    #expect(throws: DialogueError.ended) { try run.event() }
  }

  @Test func `a helper that asks for its turn derives beside PAM when it is given`() throws {
    let run = try HelperRun(turnRequest())
    try run.answer("right")
    try run.expectAnswered()
    try run.daemon.send(DerivationTurn.now)
    #expect(try #require(try run.proof().stretched).equals(try key("right", Self.cheap)))
  }

  @Test func `PAM has no answer before the daemon's word, and a turn put off leaves the key for later`() throws {
    let run = try HelperRun(turnRequest())
    try run.answer("right")
    try run.expectAnswered()
    #expect(throws: DialogueError.deadlinePassed) {
      let early: HelperEvent = try run.daemon.receive(until: Clock.boottime + 200_000_000)
      Issue.record("\(early)")
    }
    try run.daemon.send(DerivationTurn.later)
    #expect(try run.proof().stretched == nil)
    try run.daemon.send(HelperFollowUp.stretchAgain(Self.cheap))
    guard case .stretched(let key) = try run.event() else { return #expect(Bool(false), "no key") }
    #expect(key.equals(try self.key("right", Self.cheap)))
  }

  @Test func `what was derived of a wrong answer is no key of a later one`() throws {
    let run = try HelperRun(turnRequest(tries: 3))
    for (answer, turn) in [("wrong", DerivationTurn.now), ("worse", .later), ("right", .later)] {
      try run.reply(answer)
      try run.expectAnswered()
      try run.daemon.send(turn)
    }
    let proof = try run.proof()
    #expect(proof.questionCount == 1 && proof.stretched == nil)
  }

  @Test func `the word of a daemon that is no turn ends the helper`() throws {
    let run = try HelperRun(turnRequest())
    try run.answer("right")
    try run.expectAnswered()
    try run.daemon.send(HelperFollowUp.finish(.succeeded))
    #expect(throws: DialogueError.ended) { try run.event() }
  }

  private func turnRequest(tries: UInt8 = 1) -> HelperRequest {
    var request = helperRequest(folder, .prompter, tries: tries, derivation: Self.cheap)
    request.derivationStart = .onTurn
    return request
  }

  @Test func `wrong answers are told one by one and the right one still counts`() throws {
    let run = try HelperRun(helperRequest(folder, .prompter, tries: 3, derivation: Self.cheap))
    for left in ["2 tries left", "1 try left"] {
      try run.answer("wrong")
      var text = ""
      while !text.contains("left") {
        if case .error(let shown) = try run.prompt() { text = String(decoding: shown.bytes, as: UTF8.self) }
      }
      #expect(text.contains(left))
    }
    try run.answer("right")
    let (before, outcome) = try run.outcome()
    let misses = before.compactMap { if case .miss(let miss) = $0 { miss.count } else { nil } }
    #expect(misses == [1, 2])
    guard case .proved(let proof) = outcome else { return #expect(Bool(false), "no proof") }
    #expect(try #require(proof.stretched).equals(try key("right", Self.cheap)), "not one of a wrong answer")
  }

  @Test func `the fourth answer counts though pam_unix ends its transaction at the third`() throws {
    let account = TestAccount(password: "right")
    folder.write("latchkey-passcode", UnixAccountTests.unix)
    let run = try HelperRun(helperRequest(folder, .prompter, user: account.name, uid: account.uid, tries: 5))
    for answer in ["wrong", "wrong", "wrong", "right"] { try run.reply(answer) }
    let (before, outcome) = try run.outcome()
    let misses = before.compactMap { if case .miss(let miss) = $0 { miss.count } else { nil } }
    #expect(misses == [1, 2, 3])
    guard case .proved = outcome else { return #expect(Bool(false), "\(outcome)") }
  }

  @Test func `the last of three wrong answers to pam_unix is a miss too`() throws {
    let account = TestAccount(password: "right")
    folder.write("latchkey-passcode", UnixAccountTests.unix)
    let run = try HelperRun(helperRequest(folder, .prompter, user: account.name, uid: account.uid, tries: 3))
    for _ in 0..<3 { try run.reply("wrong") }
    #expect(try run.failure().missCount == 3)
  }

  @Test(arguments: [1, 2, 10] as [UInt8])
  func `no more answers are taken than there are tries`(tries: UInt8) throws {
    let run = try HelperRun(helperRequest(folder, .prompter, tries: tries))
    for _ in 0..<tries { try run.reply("wrong") }
    let failure = try run.failure()
    #expect(failure.stage == .authenticate)
    #expect(failure.cause == .refusedByStack)
    #expect(failure.result == .authenticationError)
    #expect(failure.missCount == tries)
    #expect(try run.process.wait() == .exited(0))
  }

  @Test func `a supplied passcode answers one hidden question`() throws {
    let good = try HelperRun(helperRequest(folder, .supplied(secret("right")), derivation: Self.cheap), prompted: false)
    #expect(try #require(try good.proof().stretched).equals(try key("right", Self.cheap)))
    let bad = try HelperRun(helperRequest(folder, .supplied(secret("wrong"))), prompted: false)
    #expect(try bad.failure().result == .authenticationError)
    write("auth required \(matrix)\nauth required \(matrix)")
    let second = try HelperRun(helperRequest(folder, .supplied(secret("right"))), prompted: false)
    #expect(try second.failure().cause == .unexpectedQuestion)
    let unasked = try HelperRun(helperRequest(folder, .none))
    #expect(try unasked.failure().cause == .unexpectedQuestion)
  }

  @Test func `a stack that asks twice gives presence and no key`() throws {
    write("auth required \(matrix)\nauth required \(matrix)")
    let run = try HelperRun(helperRequest(folder, .prompter, derivation: Self.cheap))
    try run.answer("right")
    while true {
      guard case .question(let question) = try run.prompt() else { continue }
      try run.prompter!.send(PromptAnswer.answer(id: question.id, secret("right")))
      break
    }
    let proof = try run.proof()
    #expect(proof.questionCount == 2)
    #expect(proof.stretched == nil)
  }

  @Test func `an information line, an error line and a question reach the prompter in order and as such`() throws {
    let account = TestAccount(password: nil)
    folder.write("hello", "Hello")
    folder.write("closed", "Not now")
    folder.write(
      "latchkey-passcode",
      """
      auth optional pam_echo.so file=\(folder.path)/hello
      auth optional pam_nologin.so file=\(folder.path)/closed
      auth required \(folder.matrix(user: account.name, password: "right"))
      account required pam_permit.so

      """)
    let run = try HelperRun(helperRequest(folder, .prompter, user: account.name, uid: account.uid))
    guard case .info(let hello) = try run.prompt(), case .error(let closed) = try run.prompt() else {
      return #expect(Bool(false), "an information and an error expected")
    }
    #expect(hello == ShownText("Hello"))
    #expect(closed == ShownText("Not now"))
    try run.answer("right")
    #expect(try run.proof().user == account.name)
  }

  @Test func `a success without a question says so`() throws {
    // Nobody knows the module, and it is demanded: only when it runs does it show that it asks nothing.
    guard case .found(let permit) = ModuleFolder.place(of: "pam_permit.so") else {
      Issue.record("pam_permit was not found")
      return
    }
    let module = folder.path + "/pam_nobody_knows.so"
    try FileManager.default.copyItem(atPath: permit, toPath: module)
    write("auth required \(module)")
    let proof = try HelperRun(helperRequest(folder, .prompter, derivation: Self.cheap)).proof()
    #expect(proof.questionCount == 0)
    #expect(proof.stretched == nil)
  }

  @Test func `an empty answer never reaches PAM`() throws {
    let run = try HelperRun(helperRequest(folder, .prompter, tries: 3))
    try run.answer("")
    #expect(try run.failure().cause == .emptyAnswer)
  }

  @Test(arguments: [
    (PromptCancellation.userCancelled, HelperFailureCause.cancelledByUser), (.terminalGone, .terminalGone),
    (.deadlinePassed, .deadlinePassed), (.answerTooLong, .answerTooLong),
  ])
  func `a cancelled question ends it with its reason`(why: PromptCancellation, cause: HelperFailureCause) throws {
    let run = try HelperRun(helperRequest(folder, .prompter, tries: 3))
    _ = try run.prompt()
    try run.prompter!.send(PromptAnswer.cancelled(why))
    #expect(try run.failure().cause == cause)
  }

  @Test func `an answer to another question is refused`() throws {
    let run = try HelperRun(helperRequest(folder, .prompter))
    guard case .question(let question) = try run.prompt() else { return #expect(Bool(false), "not asked") }
    try run.prompter!.send(PromptAnswer.answer(id: question.id + 1, secret("right")))
    #expect(try run.failure().cause == .prompterFailed)
  }

  @Test func `the deadline ends it`() throws {
    let run = try HelperRun(helperRequest(folder, .prompter, seconds: 1))
    let cause = try run.failure().cause
    #expect(cause == .deadlinePassed)
  }

  @Test func `the daemon's end ends it while a module runs`() throws {
    write("auth required pam_exec.so quiet /bin/sleep 30\nauth required \(matrix)")
    let run = try HelperRun(helperRequest(folder, .prompter))
    guard case .started = try run.event() else { return #expect(Bool(false), "not started") }
    UnixSocket.shutDown(run.daemon.descriptor)
    let taken = milliseconds { _ = try? run.process.wait() }
    #expect(try run.process.wait() == .exited(1))
    #expect(taken < 10_000, "a third of what the module sleeps")
  }

  @Test func `a missing stack is a refusal and never the stack other`() throws {
    try FileManager.default.removeItem(atPath: folder.path + "/latchkey-passcode")
    folder.write("other", "auth required pam_permit.so\naccount required pam_permit.so\n")
    #expect(try HelperRun(helperRequest(folder, .prompter)).failure().cause == .stackMissing)
  }

  @Test(arguments: [
    ("auth required pam_permit.so", HelperFailureCause.stackCannotFail),
    ("auth sufficient pam_deny.so\nauth required pam_permit.so", .stackCannotFail), ("", .stackCannotFail),
    ("auth optional pam_unix.so", .stackCannotFail), ("@include common-auth", .stackUnusable),
    ("nonsense", .stackUnusable),
  ])
  func `an unfit stack is refused before PAM runs`(text: String, cause: HelperFailureCause) throws {
    write(text)
    let failure = try HelperRun(helperRequest(folder, .prompter)).failure()
    #expect(failure.stage == .start)
    #expect(failure.cause == cause)
  }

  @Test func `another uid, an unknown account and odd parameters are refused`() throws {
    #expect(try HelperRun(helperRequest(folder, .prompter, uid: 1)).failure().cause == .requestRefused)
    #expect(try HelperRun(helperRequest(folder, .prompter, user: "lkp-none")).failure().cause == .requestRefused)
    let weak = DerivationOrder(salt: Array(1...16), operations: 1, memoryBytes: 8192)
    #expect(try HelperRun(helperRequest(folder, .prompter, derivation: weak)).failure().cause == .requestRefused)
    let noPrompter = try HelperRun(helperRequest(folder, .prompter), prompted: false)
    #expect(try noPrompter.failure().cause == .requestRefused)
    let needless = try HelperRun(helperRequest(folder, .supplied(secret("right"))), prompted: true)
    #expect(try needless.failure().cause == .requestRefused)
  }
}
