internal import DialogueWire
internal import LinuxSystem
internal import SecretMemory
internal import TerminalIO

/// A dialogue through pinentry: this process speaks the Assuan protocol and hands the answer on to the helper.
struct PinentryPrompt {
  private let pinentry: PinentryProcess
  private let plan: PinentryPlan
  private let texts: PromptTexts
  private let watch: PromptWatch
  private var reader: AssuanReader
  /// What modules said since the last question.
  private var notes: [String] = []
  private var error: String?
  /// What a finger may still do.
  private var finger: FingerOffer

  /// What a command came to.
  private enum Reply {
    case okay(TypedLine)
    case failure(AssuanFailure)
    case end(PrompterEnd)
  }

  /// Holds the dialogue; pinentry has ended when it returns.
  static func run(_ plan: PinentryPlan, _ setup: PromptSetup, watch: PromptWatch) -> PrompterEnd {
    var end = PrompterEnd.surfaceUnusable
    if let pinentry = try? PinentryProcess(plan) {
      if var prompt = try? PinentryPrompt(pinentry, plan, setup, watch) { end = prompt.hold() }
      pinentry.end()
    }
    watch.cancel(because: end)
    return end
  }

  private init(
    _ pinentry: PinentryProcess, _ plan: PinentryPlan, _ setup: PromptSetup, _ watch: PromptWatch
  ) throws(SecretMemoryError) {
    self.pinentry = pinentry
    self.plan = plan
    texts = PromptTexts(setup)
    finger = setup.finger
    self.watch = watch
    reader = try AssuanReader()
  }

  private mutating func hold() -> PrompterEnd {
    if let end = greet() ?? watch.reportReady() { return end }
    if finger == .alone { return askForFinger() }
    while true {
      let happening = watch.next(nil, .helperToo)
      if happening.helper, let end = heed(watch.message()) { return end }
      if happening.daemon, let end = heed(watch.cue()) { return end }
      if let end = happening.end { return end }
    }
  }

  /// Waits for the greeting and names terminal and language; an option that a pinentry does not know is no fault.
  private mutating func greet() -> PrompterEnd? {
    guard case .okay = reply() else { return .surfaceUnusable }
    let options = [
      ("ttyname", "GPG_TTY"), ("ttytype", "TERM"), ("lc-ctype", "LC_ALL"), ("lc-messages", "LC_ALL"),
    ]
    for (option, variable) in options {
      guard let value = plan.environment[variable], !value.isEmpty else { continue }
      if case .end(let end) = command("OPTION", "\(option)=\(value)") { return end }
    }
    return nil
  }

  private mutating func heed(_ message: PromptMessage?) -> PrompterEnd? {
    switch message {
    case .question(let question): return ask(question)
    case .info(let text): notes.append(texts.information(text))
    case .error(let text): error = texts.error(text)
    case .done: return .done
    case nil: return .helperGone
    }
    return nil
  }

  /// What comes while a window is up is kept for the next one: Assuan cannot change a window's words.
  private mutating func heed(_ cue: PrompterCue?) -> PrompterEnd? {
    switch cue {
    case .say(.info, let text): notes.append(texts.cue(.info, text))
    case .say(.error, let text): error = texts.cue(.error, text)
    case .fingerOver(let text):
      finger = .none
      error = texts.fingerOver(text)
    case .done: return .done
    case nil: return .terminalGone
    }
    return nil
  }

  /// A window without a question, because the finger goes to the reader: one button cancels, another chooses the passcode where
  /// that is offered.
  private mutating func askForFinger() -> PrompterEnd {
    let fallback = texts.fallbackButton
    var words = [("SETTITLE", "Latchkey"), ("SETDESC", texts.introduction.joined(separator: "\n"))]
    words.append(("SETOK", fallback ?? texts.cancelButton ?? "Cancel"))
    if fallback != nil, let title = texts.cancelButton { words.append(("SETCANCEL", title)) }
    for (verb, argument) in words {
      if case .end(let end) = command(verb, argument) { return end }
    }
    switch fallback == nil ? command("CONFIRM", "--one-button") : command("CONFIRM") {
    case .okay where fallback != nil: return watch.reportPasscodeChosen() ?? awaitEnd()
    case .okay, .failure(.cancelled): return .userCancelled
    case .failure(.timedOut): return .deadlinePassed
    case .failure(.unusable): return .surfaceUnusable
    case .end(let end): return end
    }
  }

  /// Waits for what the daemon makes of the choice.
  private mutating func awaitEnd() -> PrompterEnd {
    while true {
      let happening = watch.next(nil, .helperToo)
      if happening.daemon, let end = heed(watch.cue()) { return end }
      if let end = happening.end { return end }
    }
  }

  private mutating func ask(_ question: PromptQuestion) -> PrompterEnd? {
    var words = [("SETTITLE", "Latchkey")]
    words.append(("SETDESC", (texts.introduction + notes).joined(separator: "\n")))
    words.append(("SETPROMPT", texts.question(question)))
    if let title = texts.cancelButton { words.append(("SETCANCEL", title)) }
    if let error { words.append(("SETERROR", error)) }
    notes = []
    error = nil
    for (verb, argument) in words {
      if case .end(let end) = command(verb, argument) { return end }
    }
    switch command("GETPIN") {
    case .okay(let line):
      if case .line(let bytes) = line, bytes.count == 0, finger != .none { return choosePasscode(question) }
      return watch.answer(question, line)
    case .failure(.cancelled): return .userCancelled
    case .failure(.timedOut): return .deadlinePassed
    case .failure(.unusable): return .surfaceUnusable
    case .end(let end): return end
    }
  }

  /// An empty answer: no answer, but the choice of the passcode over the finger. The question comes again.
  private mutating func choosePasscode(_ question: PromptQuestion) -> PrompterEnd? {
    if finger == .orPasscode {
      finger = .none
      if let end = watch.reportPasscodeChosen() { return end }
    }
    return ask(question)
  }

  private mutating func command(_ verb: String, _ argument: String = "") -> Reply {
    guard pinentry.send(AssuanText.command(verb, argument)) else { return .end(.terminalGone) }
    return reply()
  }

  /// Waits for the line that ends a reply, and for nothing longer than daemon, helper and deadline allow.
  private mutating func reply() -> Reply {
    guard var pin = try? PinData() else { return .end(.surfaceUnusable) }
    while true {
      switch reader.next(addingTo: &pin) {
      case .okay: return (try? pin.finish()).map(Reply.okay) ?? .end(.surfaceUnusable)
      case .error(let failure): return .failure(failure)
      case .foreign: return .end(.surfaceUnusable)
      case .data, .remark: continue
      case nil: break
      }
      let happening = watch.next(pinentry.connection, .surfaceFirst)
      if let end = happening.end { return .end(end) }
      if happening.helper { return .end(.helperGone) }
      if happening.daemon, let end = heed(watch.cue()) { return .end(end) }
      if happening.surface, !reader.fill(from: pinentry.connection) { return .end(.terminalGone) }
    }
  }
}
