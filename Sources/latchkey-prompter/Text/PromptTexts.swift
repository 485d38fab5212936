internal import DialogueWire
internal import TerminalIO

/// The words around a prompt. Whatever others chose stands escaped and in quotes.
struct PromptTexts {
  private let setup: PromptSetup

  init(_ setup: PromptSetup) { self.setup = setup }

  /// Who wants what, in one or two lines without the last line's end.
  var introduction: [String] {
    let program = setup.program.isEmpty ? "an unknown program" : quoted(setup.program)
    let first = "Latchkey: \(program) asks to \(purpose) for \(user)"
    var details: [String] = []
    if !setup.label.isEmpty { details.append("item \(quoted(setup.label))") }
    if !setup.reason.isEmpty { details.append("reason \(quoted(setup.reason))") }
    var lines = details.isEmpty ? [first] : [first, "  " + details.joined(separator: ", ")]
    if !setup.remark.isEmpty { lines.append("  note: " + UntrustedText(setup.remark.bytes).sentence) }
    return lines
  }

  /// What a finger may do, said before the reader is started: it may be somebody else's still.
  var offer: [String] {
    switch setup.finger {
    case .none: []
    case .alone:
      ["  A finger is wanted once the reader is ready" + (fallbackByKey.map { "; press Enter \($0)." } ?? ".")]
    case .orPasscode: ["  A finger is taken once the reader is ready, the passcode at any time."]
    case .andPasscode: ["  A finger is wanted once the reader is ready, and the passcode."]
    }
  }

  /// That the reader is this prompt's, as a line.
  func fingerWanted(_ offer: FingerOffer) -> String {
    let touch = "  Touch the fingerprint reader"
    return switch offer {
    case .none: touch + "."
    case .alone: touch + (fallbackByKey.map { ", or press Enter \($0)." } ?? ".")
    case .orPasscode: touch + ", or type the passcode."
    case .andPasscode: touch + ", and type the passcode."
    }
  }

  /// That the reader is not this prompt's, as a line.
  func fingerWaits(_ holder: FingerHolder) -> String {
    let beginning = "  The fingerprint reader is in use"
    switch holder {
    case .somebody: return beginning + "; a finger shown now is not for this prompt."
    case .prompt: return beginning + " for another prompt; a finger shown now is not for this one."
    case .ownPrompt(let prompt):
      var words = beginning + " for another prompt: "
      words += prompt.program.isEmpty ? "an unknown program" : quoted(prompt.program)
      words += " asks for " + (prompt.service.isEmpty ? "the keychain" : quoted(prompt.service))
      switch prompt.site {
      case .named(let name): words += " on " + quoted(name)
      case .ownTerminal: words += " on a terminal of its own"
      case .nameless: break
      }
      return words + "; a finger shown now is for that."
    }
  }

  /// What Enter does where a finger alone is asked for; `nil` where it does nothing, and in a window, which has a button for it.
  private var fallbackByKey: String? {
    guard setup.surface == .terminal else { return nil }
    return switch setup.fallback {
    case .usual: "to choose the passcode"
    case .hidden: nil
    case .named(let title): "for \(quoted(title))"
    }
  }

  /// What the button is called that chooses the passcode over a finger; `nil` for none.
  var fallbackButton: String? {
    switch setup.fallback {
    case .usual: "Choose the passcode"
    case .hidden: nil
    case .named(let title): quoted(title)
    }
  }

  /// What the button is called that dismisses; `nil` for pinentry's own word.
  var cancelButton: String? { setup.cancelTitle.isEmpty ? nil : quoted(setup.cancelTitle) }

  /// What the reader's module says, as a line.
  func cue(_ style: MessageStyle, _ text: ShownText) -> String {
    style == .error ? error(text) : "  " + UntrustedText(text.bytes).sentence
  }

  /// Why no finger is taken any more, as a line; `nil` where nothing need be said.
  func fingerOver(_ text: ShownText) -> String? {
    text.isEmpty ? nil : "  No finger is taken any more: " + UntrustedText(text.bytes).sentence
  }

  /// The line a question is asked with, ending in a space.
  func question(_ question: PromptQuestion) -> String {
    switch question.purpose {
    case .oldPasscode: "Passcode from before it was changed, for \(user): "
    case .stack where Self.asksForPasscode(question): "Passcode for \(user): "
    case .stack: "\(quoted(question.text)) for \(user): "
    }
  }

  /// What a module or the helper says, as a line.
  func information(_ text: ShownText) -> String { "  note: \(quoted(text))" }

  /// What went wrong, as a line.
  func error(_ text: ShownText) -> String { "  \(quoted(text))" }

  /// How it ended, as a line; `nil` where nothing need be said.
  func verdict(_ verdict: PromptVerdict) -> String? {
    guard case .failed(let text) = verdict, !text.isEmpty else { return nil }
    return "Latchkey: " + UntrustedText(text.bytes).sentence
  }

  /// What the answer does. Only the daemon chooses the words in front of the service.
  private var purpose: String {
    let words = setup.purpose.isEmpty ? "open" : UntrustedText(setup.purpose.bytes).sentence
    if !setup.service.isEmpty { return "\(words) \(quoted(setup.service))" }
    return setup.purpose.isEmpty ? "open the keychain" : words
  }

  /// The account as it is: plain where its name is plain, else quoted.
  private var user: String {
    let isPlain = !setup.user.isEmpty && setup.user.bytes.allSatisfy(Self.isPlainNameByte)
    return isPlain ? UntrustedText(setup.user.bytes).sentence : quoted(setup.user)
  }

  private func quoted(_ text: ShownText) -> String { UntrustedText(text.bytes).quoted }

  /// Whether the words are pam_unix's own, or none: then ours are better, because they name the account.
  private static func asksForPasscode(_ question: PromptQuestion) -> Bool {
    let words = question.text.bytes.filter { $0 != UInt8(ascii: " ") }
    return question.echo == .off && (words.isEmpty || words == Array("Password:".utf8))
  }

  private static func isPlainNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }
}

extension ShownText {
  var isEmpty: Bool { bytes.isEmpty }
}
