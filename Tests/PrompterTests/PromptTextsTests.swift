import DialogueWire
import Testing

@testable import latchkey_prompter

@Suite struct PromptTextsTests {
  private func setup(_ change: (inout PromptSetup) -> Void = { _ in }) -> PromptTexts {
    var setup = PromptSetup(surface: .terminal, user: ShownText("alice"), deadline: 0)
    change(&setup)
    return PromptTexts(setup)
  }

  @Test func `the introduction names program, service, account, item and reason`() {
    let texts = setup {
      $0.program = ShownText("/usr/bin/git")
      $0.service = ShownText("example.com")
      $0.label = ShownText("work \u{1B}token")
      $0.reason = ShownText("push")
    }
    #expect(
      texts.introduction == [
        "Latchkey: \"/usr/bin/git\" asks to open \"example.com\" for alice",
        "  item \"work \\u{1B}token\", reason \"push\"",
      ])
  }

  @Test func `what is not known is not made up`() {
    #expect(setup().introduction == ["Latchkey: an unknown program asks to open the keychain for alice"])
  }

  @Test func `the introduction says what the answer does`() {
    let wholeKeychain = setup { $0.purpose = ShownText("make a recovery key") }
    #expect(wholeKeychain.introduction == ["Latchkey: an unknown program asks to make a recovery key for alice"])
    let oneService = setup {
      $0.purpose = ShownText("loosen the policy of")
      $0.service = ShownText("mail\" for root")
    }
    #expect(
      oneService.introduction == [
        "Latchkey: an unknown program asks to loosen the policy of \"mail\\\" for root\" for alice"
      ])
  }

  @Test(arguments: [
    (FallbackOffer.usual, "  Touch the fingerprint reader, or press Enter to choose the passcode."),
    (.hidden, "  Touch the fingerprint reader."),
    (.named(ShownText("My PIN")), "  Touch the fingerprint reader, or press Enter for \"My PIN\"."),
  ]) func `a prompt for a finger alone says what Enter does`(fallback: FallbackOffer, line: String) {
    let texts = setup {
      $0.finger = .alone
      $0.fallback = fallback
    }
    #expect(texts.fingerWanted(.alone) == line)
    #expect(!(texts.introduction + texts.offer).joined().contains("Touch"))
    #expect(texts.offer.joined().contains("Enter") == (fallback != .hidden))
    let window = setup {
      $0.surface = .pinentry(PinentryPlan(program: "/p", environment: [:]))
      $0.finger = .alone
      $0.fallback = fallback
    }
    #expect(window.fingerWanted(.alone) == "  Touch the fingerprint reader.", "a window has a button for it")
    let beside = setup {
      $0.finger = .orPasscode
      $0.fallback = fallback
    }
    #expect(beside.fingerWanted(.orPasscode) == "  Touch the fingerprint reader, or type the passcode.")
  }

  @Test func `an odd account name is quoted`() {
    let texts = setup { $0.user = ShownText("al ice") }
    #expect(texts.introduction[0].hasSuffix("for \"al ice\""))
  }

  @Test(arguments: [
    ("Password: ", QuestionEcho.off, QuestionPurpose.stack, "Passcode for alice: "),
    ("", .off, .stack, "Passcode for alice: "),
    ("Password: ", .on, .stack, "\"Password: \" for alice: "),
    ("One-time code:", .off, .stack, "\"One-time code:\" for alice: "),
    ("\u{1B}[2J", .off, .stack, "\"\\u{1B}[2J\" for alice: "),
    ("", .off, .oldPasscode, "Passcode from before it was changed, for alice: "),
  ])
  func `a question names the account`(text: String, echo: QuestionEcho, purpose: QuestionPurpose, line: String) {
    let question = PromptQuestion(id: 1, echo: echo, purpose: purpose, text: ShownText(text))
    #expect(setup().question(question) == line)
  }

  @Test func `a success says nothing and a failure its sentence`() {
    #expect(setup().verdict(.succeeded) == nil)
    #expect(setup().verdict(.failed(.none)) == nil)
    #expect(setup().verdict(.failed(ShownText("the passcode is wrong."))) == "Latchkey: the passcode is wrong.")
  }
}
