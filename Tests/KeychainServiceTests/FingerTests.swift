import AccessPolicy
import KeychainModel
import KeychainService
import LatchkeyTesting
import SecretMemory
import Testing

/// What a finger opens, and when it does not.
@Suite struct FingerTests {
  static let fingers = [UInt8](repeating: 1, count: 32)

  /// A keychain with a reader, bound to the passcode "right"; no proof serves twice.
  private func bound(_ script: [ScriptedAnswer] = [.passcode("right")]) -> TestKeychain {
    var policy = ServicePolicy.builtIn
    policy.reuse = Reuse(windowSeconds: 0, scope: .never)
    let test = TestKeychain(policy: policy, enrolment: .enrolled(Self.fingers))
    test.authenticator.setReader(nil)
    test.authenticator.follow([.passcode("right")])
    #expect(test.ask(.unlock(.passcode)).reason == nil)
    test.authenticator.follow(script)
    return test
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let flags: AccessControlFlags
    let answer: ScriptedAnswer
    let reason: Reason?
    var testDescription: String { "\(flags.names) and \(answer)" }
    init(_ flags: AccessControlFlags, _ answer: ScriptedAnswer, _ reason: Reason?) {
      self.flags = flags
      self.answer = answer
      self.reason = reason
    }
  }

  static let finger = ScriptedAnswer.finger(.enrolled)
  static let passcode = ScriptedAnswer.passcode("right")
  static let both = ScriptedAnswer.both("right", .enrolled)
  static let none = ScriptedAnswer.refuse(.userCancelled)

  /// One alternative each: what the item takes, and what it does not.
  static let matrix: [Row] = [
    (.userPresence, [finger, passcode]),
    (.biometryAny, [finger]), (.biometryCurrentSet, [finger]),
    (.devicePasscode, [passcode]),
    ([.biometryAny, .devicePasscode, .or], [finger, passcode]),
    ([.biometryCurrentSet, .devicePasscode, .or], [finger, passcode]),
    ([.biometryAny, .devicePasscode, .and], [both]),
    ([.biometryCurrentSet, .devicePasscode, .and], [both]),
  ].flatMap { (flags: AccessControlFlags, opening: [ScriptedAnswer]) -> [Row] in
    [finger, passcode, both, none].map { answer in
      if answer == none { return Row(flags, answer, .userCancelled) }
      let opens =
        opening.contains(answer) || (answer == both && flags.isDisjoint(with: .and) && opening.count == 2)
      // What nobody asked for is refused by the dialogue; half of a pair leaves the other half to be asked for.
      return Row(flags, answer, opens ? nil : .noMethodAllowed)
    }
  }

  @Test(
    arguments: [
      (.biometryAny, true), (.biometryCurrentSet, true), (.userPresence, false),
      (.devicePasscode, false),
      ([.biometryAny, .devicePasscode, .or], false), ([.biometryAny, .devicePasscode, .and], false),
    ] as [(AccessControlFlags, Bool)])
  func `a refusal says where no passcode would have served`(flags: AccessControlFlags, isFingers: Bool) {
    let test = bound([.refuse(.noMatch), .refuse(.noWayToPrompt), .refuse(.userCancelled)])
    #expect(test.add("a", "v", flags).reason == nil)
    var silent = RequestOptions()
    silent.interaction = .fail
    let answers = [test.read("a", options: silent), test.read("a"), test.read("a"), test.read("a")]
    #expect(answers.map(\.reason) == [.interactionNotAllowed, .noMatch, .noWayToPrompt, .userCancelled])
    for (place, answer) in answers.enumerated() {
      guard case .refused(let refusal) = answer.reply else { continue }
      let isMarked = refusal.detail.hasSuffix(FingerAlone.detail)
      #expect(isMarked == (isFingers && place < 3), "\(refusal)")
    }
  }

  @Test(arguments: matrix) func `each pair of flags and proofs opens or refuses as documented`(row: Row) {
    let test = bound([row.answer, Self.none])
    #expect(test.add("a", "secret", row.flags).reason == nil)
    let answer = test.read("a")
    if row.reason == nil {
      #expect(answer.values == ["secret"])
    } else {
      #expect(answer.values.isEmpty)
      #expect(answer.reason != nil)
    }
  }

  @Test func `where neither can be asked for the passcode's reason is told, whatever comes first`() {
    let test = bound([])
    test.authenticator.removePasscode()
    test.authenticator.setReader(Refusal(.biometryNotAvailable))
    for alternatives in [[MethodSet.passcode, .biometry], [.biometry, .passcode]] {
      let asked = KeychainRequest.context(.canEvaluate(alternatives: alternatives.map(\.rawValue)))
      #expect(test.ask(asked).reason == .passcodeNotSet)
    }
  }

  @Test(arguments: [EnrolmentState.nothingEnrolled, .unavailable(Refusal(.enrolmentUnreadable))])
  func `without a set that is known no finger is asked for`(state: EnrolmentState) {
    let test = bound([.finger(.enrolled)])
    _ = test.add("a", "secret", .biometryAny)
    _ = test.add("b", "secret", .userPresence)
    test.enrolment.set(state)
    let prompts = test.authenticator.prompts
    #expect(test.read("a").reason == (state == .nothingEnrolled ? .biometryNotEnrolled : .enrolmentUnreadable))
    #expect(test.authenticator.prompts == prompts)
    #expect(test.read("b").reason == .noMethodAllowed, "the mock was not asked for a finger")
    test.authenticator.follow([.passcode("right")])
    #expect(test.read("b").values == ["secret"])
  }

  @Test func `five misses in a row lock biometry, a match before that forgets them, a passcode unlocks`() {
    let test = bound([.finger(.other)])
    _ = test.add("a", "secret", .biometryAny)
    _ = test.add("b", "secret", .userPresence)
    for _ in 0..<4 { #expect(test.read("a").reason == .noMatch) }
    test.authenticator.follow([.finger(.enrolled)])
    #expect(test.read("a").values == ["secret"])
    test.authenticator.follow([.finger(.other)])
    for _ in 0..<4 { #expect(test.read("a").reason == .noMatch) }
    #expect(test.read("a").reason == .biometryLockout)
    let prompts = test.authenticator.prompts
    test.authenticator.follow([.finger(.enrolled)])
    #expect(test.read("a").reason == .biometryLockout)
    #expect(test.authenticator.prompts == prompts, "a locked finger is not asked for")
    test.authenticator.follow([.passcode("right")])
    #expect(test.read("b").values == ["secret"])
    test.authenticator.follow([.finger(.enrolled)])
    #expect(test.read("a").values == ["secret"])
  }

  @Test func `where wrong passcodes have to wait, a finger still opens`() {
    let test = bound([.passcode("wrong")])
    _ = test.add("a", "secret", .userPresence)
    for _ in 0..<5 { _ = test.read("a") }
    test.authenticator.follow([.finger(.enrolled)])
    #expect(test.read("a").values == ["secret"])
    _ = test.add("b", "secret", .devicePasscode)
    #expect(test.read("b").reason == .tooManyAttempts)
  }

  @Test func `after a lock a finger opens the keybag for 48 hours from the passcode, and not longer`() {
    let test = bound([.finger(.enrolled)])
    _ = test.add("a", "secret", .biometryAny)
    for seconds in [0, 172_798] as [UInt32] {
      test.clock.advance(seconds: seconds)
      _ = test.ask(.lock)
      #expect(test.read("a").values == ["secret"])
    }
    test.clock.advance(seconds: 2)
    _ = test.ask(.lock)
    test.authenticator.follow([.both("right", .enrolled)])
    #expect(test.read("a").values == ["secret"])
    #expect(test.authenticator.remark == .biometryNotCached)
  }

  @Test func `the keychain is unlocked by a finger after a lock, and by the passcode alone after a full one`() {
    let test = bound([.finger(.enrolled)])
    _ = test.ask(.lock)
    #expect(test.ask(.unlock(.passcode)).reason == nil)
    test.authenticator.follow([.refuse(.userCancelled)])
    #expect(test.ask(.unlock(.passcode)).reason == nil, "it is open: nothing is asked")
    _ = test.ask(.lockAll)
    test.authenticator.follow([.finger(.enrolled)])
    #expect(test.ask(.unlock(.passcode)).reason == .noMethodAllowed)
  }

  @Test
  func `where only the names of fingers are known the passcode comes first after each lock, and the prompt says why`() {
    let test = bound([.both("right", .enrolled)])
    _ = test.add("a", "secret", .biometryAny)
    test.enrolment.set(.named([UInt8](repeating: 1, count: 32), Refusal(.enrolmentUnreadable)))
    for _ in 0..<2 {
      _ = test.ask(.lock)
      // The passcode that leaves nothing behind for fingers, and opens with the finger.
      test.authenticator.follow([.both("right", .enrolled)])
      #expect(test.read("a").values == ["secret"])
      #expect(test.authenticator.requirement?.alternatives == [[.passcode, .biometry]])
      #expect(test.authenticator.remark == .biometryNotCached)
    }
    _ = test.ask(.lock)
    test.authenticator.follow([.finger(.enrolled), Self.none])
    #expect(test.read("a").values.isEmpty)
    #expect(test.ask(.status).status?.keybag == .locked)
  }

  @Test func `a finger enrolled while the prompt is up opens no keybag, and forgets no miss`() {
    let test = bound([.finger(.other)])
    _ = test.add("a", "secret", .biometryAny)
    #expect(test.read("a").reason == .noMatch)
    _ = test.ask(.lock)
    test.authenticator.follow([.finger(.enrolled), Self.none])
    let enrolment = test.enrolment
    test.authenticator.meanwhile { enrolment.set(.enrolled([UInt8](repeating: 2, count: 32))) }
    #expect(test.read("a").reason == .userCancelled)
    #expect(test.authenticator.remark == .biometryNotCached, "the passcode is asked for first")
    let status = test.ask(.status).status
    #expect(status?.keybag == .locked)
    #expect(status?.notes.contains { $0.contains("1 in a row") } == true)
  }

  @Test func `once the passcode was changed elsewhere no finger opens the keybag`() {
    let test = bound([.finger(.enrolled)])
    _ = test.add("a", "secret", .biometryAny)
    _ = test.ask(.lock)
    test.authenticator.changePasscodeElsewhere()
    test.authenticator.follow([.both("right", .enrolled)])
    #expect(test.read("a").values == ["secret"])
    #expect(test.authenticator.remark == .biometryNotCached)
  }

  @Test(arguments: [ScriptedAnswer.finger(.enrolled), .passcode("right")])
  func `a full lock while a prompt is up makes what it takes worthless`(answer: ScriptedAnswer) {
    let test = bound([answer])
    _ = test.add("a", "secret", .userPresence)
    _ = test.ask(.lock)
    let keychain = test.keychain
    test.authenticator.meanwhile { keychain.lock(.everything) }
    #expect(test.read("a").reason == .systemCancelled)
    #expect(test.cache.entries().isEmpty)
    let status = test.ask(.status).status
    #expect(status?.keybag == .beforeFirstUnlock)
    test.authenticator.follow([.passcode("right")])
    #expect(test.read("a").values == ["secret"], "the next prompt is one after the lock")
  }

  @Test func `a full lock ends a prompt that nobody answers`() {
    let test = bound([.never])
    _ = test.add("a", "secret", .biometryAny)
    let keychain = test.keychain
    test.authenticator.meanwhile { keychain.lock(.everything) }
    #expect(test.read("a").reason == .systemCancelled)
  }

  @Test func `a full lock, and other fingers than those of the passcode's time, want the passcode first`() {
    let test = bound([.finger(.enrolled)])
    _ = test.add("a", "secret", .userPresence)
    _ = test.ask(.lockAll)
    #expect(test.read("a").reason == .noMethodAllowed)
    #expect(test.authenticator.remark == .biometryNotCached)
    test.authenticator.follow([.passcode("right")])
    #expect(test.read("a").values == ["secret"])
    test.enrolment.set(.enrolled([UInt8](repeating: 2, count: 32)))
    _ = test.ask(.lock)
    test.authenticator.follow([.finger(.enrolled)])
    #expect(test.read("a").reason == .noMethodAllowed)
  }
}
