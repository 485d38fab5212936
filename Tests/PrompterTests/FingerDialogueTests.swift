import DialogueWire
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import latchkey_prompter

/// The built program where a finger is wanted beside the passcode, or in its place.
@Suite struct FingerDialogueTests {
  private func up(
    _ offer: FingerOffer, _ person: Person, helped: Bool = true, fallback: FallbackOffer = .usual
  ) throws -> Stage {
    let stage = try Stage(terminal: person.terminal, helped: helped)
    try stage.order {
      $0.finger = offer
      $0.fallback = fallback
    }
    #expect(try stage.report() == "ready")
    // Before anybody is told to start the reader, the person knows of it; to touch it only when it is this prompt's.
    try person.see("once the reader is ready")
    #expect(!person.unread.contains("Touch the fingerprint reader"))
    try stage.daemon?.send(PrompterCue.fingerWanted)
    try person.see("Touch the fingerprint reader")
    return stage
  }

  @Test func `what the reader says stands above the question, and what was typed so far still counts`() throws {
    let person = try Person()
    let stage = try up(.orPasscode, person)
    try stage.ask()
    try person.see("Passcode for alice: ")
    try person.type("pass")
    try stage.daemon?.send(PrompterCue.say(.error, ShownText("Swipe was too short, try again")))
    try person.see("Swipe was too short, try again")
    try person.see("Passcode for alice: ")
    try stage.daemon?.send(PrompterCue.fingerOver(ShownText("the lid is shut.")))
    try person.see("No finger is taken any more: the lid is shut.")
    try person.see("Passcode for alice: ")
    try person.type("word\n")
    #expect(try stage.answer() == "1: password")
  }

  @Test func `a reader that is somebody else's is told of in words that nobody can forge, and again when it is free`()
    throws
  {
    let person = try Person()
    let stage = try Stage(terminal: person.terminal)
    try stage.order { $0.finger = .orPasscode }
    #expect(try stage.report() == "ready")
    try stage.ask()
    try person.see("Passcode for alice: ")
    var other = HoldingPrompt(
      program: ShownText("/usr/bin/python3"), service: ShownText("x\".\n  Touch the fingerprint reader"),
      site: .named(ShownText("/dev/pts/7")))
    try stage.daemon?.send(PrompterCue.fingerWaits(.ownPrompt(other)))
    try person.see(
      "in use for another prompt: \"/usr/bin/python3\" asks for \"x\\\".\\u{A}  Touch the fingerprint reader\" on"
        + " \"/dev/pts/7\"; a finger shown now is for that.")
    try person.see("Passcode for alice: ")
    other.site = .ownTerminal
    try stage.daemon?.send(PrompterCue.fingerWaits(.ownPrompt(other)))
    try person.see("Touch the fingerprint reader\" on a terminal of its own; a finger shown now is for that.")
    try person.see("Passcode for alice: ")
    try stage.daemon?.send(PrompterCue.fingerWaits(.prompt))
    try person.see("in use for another prompt; a finger shown now is not for this one.")
    try stage.daemon?.send(PrompterCue.fingerWaits(.somebody))
    try person.see("in use; a finger shown now is not for this prompt.")
    try stage.daemon?.send(PrompterCue.fingerWanted)
    try person.see("\n  Touch the fingerprint reader, or type the passcode.")
    try person.type("word\n")
    #expect(try stage.answer() == "1: word")
  }

  @Test func `once the passcode was chosen no finger is asked for any more`() throws {
    let person = try Person()
    let stage = try Stage(terminal: person.terminal)
    try stage.order { $0.finger = .orPasscode }
    #expect(try stage.report() == "ready")
    try stage.ask()
    try person.see("Passcode for alice: ")
    try person.type("\n")
    #expect(try stage.report() == "passcodeChosen")
    try stage.daemon?.send(PrompterCue.fingerWanted)
    try stage.daemon?.send(PrompterCue.say(.info, ShownText("the last")))
    try person.see("the last")
    #expect(!person.screen.contains("Touch"))
  }

  @Test func `enter alone chooses the passcode, and the question comes again within 300 ms`() throws {
    let person = try Person()
    let shown = try quickest(below: 300) {
      let stage = try up(.orPasscode, person)
      try stage.ask()
      try person.see("Passcode for alice: ")
      return try milliseconds {
        try person.type("\n")
        try person.see("Passcode for alice: ")
      }
    }
    #expect(shown < 300)
  }

  @Test func `the choice of the passcode is told once, and a further empty answer is one`() throws {
    let person = try Person()
    let stage = try up(.orPasscode, person)
    try stage.ask()
    try person.see("Passcode for alice: ")
    try person.type("\n")
    try person.see("Passcode for alice: ")
    #expect(try stage.report() == "passcodeChosen")
    try person.type("secret\n")
    #expect(try stage.answer() == "1: secret")
    // With no finger in the way an empty answer is one.
    try stage.ask(id: 2)
    try person.see("Passcode for alice: ")
    try person.type("\n")
    #expect(try stage.answer() == "2: ")
  }

  @Test func `where both are wanted enter alone answers nothing`() throws {
    let person = try Person()
    let stage = try up(.andPasscode, person)
    try stage.ask()
    try person.see("Passcode for alice: ")
    try person.type("\n")
    try person.see("Passcode for alice: ")
    try person.type("secret\n")
    #expect(try stage.answer() == "1: secret")
  }

  @Test func `a finger that wins takes what is half typed with it and gives the terminal back`() throws {
    let person = try Person()
    let before = try person.settings
    let stage = try up(.orPasscode, person)
    try stage.ask()
    try person.see("Passcode for alice: ")
    try person.type("half-typ")
    try stage.daemon?.send(PrompterCue.done(.succeeded))
    #expect(try stage.report() == "done")
    #expect(try person.settings == before)
    #expect(try person.nextLine(typing: "ls\n") == "ls\n")
    #expect(try stage.exit() == .exited(0))
  }

  @Test func `a finger alone needs no helper: keys are dropped, enter chooses the passcode, control-C cancels`() throws
  {
    let person = try Person()
    let stage = try up(.alone, person, helped: false)
    try person.type("abc")
    try stage.daemon?.send(PrompterCue.say(.info, ShownText("Place your finger on the reader")))
    try person.see("Place your finger on the reader")
    try person.type("\n")
    #expect(try stage.report() == "passcodeChosen")
    try stage.daemon?.send(PrompterCue.done(.failed(ShownText("use the fingerprint"))))
    try person.see("Latchkey: use the fingerprint")
    #expect(try stage.report() == "done")
    let second = try up(.alone, person, helped: false)
    try person.type("\u{3}")
    #expect(try second.report() == "userCancelled")
  }

  @Test func `without a fallback enter chooses nothing, and the prompt does not speak of it`() throws {
    let person = try Person()
    let stage = try up(.alone, person, helped: false, fallback: .hidden)
    try person.see(".")
    #expect(!person.screen.contains("Enter"))
    try person.type("\n\n")
    try stage.daemon?.send(PrompterCue.say(.info, ShownText("Place your finger on the reader")))
    try person.see("Place your finger on the reader")
    try person.type("\u{3}")
    #expect(try stage.report() == "userCancelled")
  }

  @Test func `a fallback that has a name is offered by it`() throws {
    let person = try Person()
    let stage = try up(.alone, person, helped: false, fallback: .named(ShownText("Use \u{1B}[2JPIN")))
    try person.see(#"or press Enter for "Use \u{1B}[2JPIN"."#)
    try person.type("\n")
    #expect(try stage.report() == "passcodeChosen")
  }

  @Test(arguments: [(FingerOffer.none, false), (.orPasscode, false), (.andPasscode, false), (.alone, true)])
  func `an offer that does not fit the helper at hand is refused`(offer: FingerOffer, helped: Bool) throws {
    let person = try Person()
    let stage = try Stage(terminal: person.terminal, helped: helped)
    try stage.order { $0.finger = offer }
    #expect(try stage.report() == "surfaceUnusable")
  }

  @Test func `a daemon that goes away ends a prompt for a finger`() throws {
    let person = try Person()
    let before = try person.settings
    let stage = try up(.alone, person, helped: false)
    stage.daemon = nil
    #expect(try stage.exit() == .exited(0))
    #expect(try person.settings == before)
  }
}
