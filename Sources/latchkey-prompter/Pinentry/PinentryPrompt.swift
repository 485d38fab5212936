internal import DialogueWire
internal import LinuxSystem
internal import SecretMemory
internal import TerminalIO

/// A dialogue through pinentry: this process speaks the Assuan protocol and hands the answer on to the helper.
struct PinentryPrompt {
  private var pinentry: PinentryProcess
  private let plan: PinentryPlan
  private let texts: PromptTexts
  private let watch: PromptWatch
  private var reader: AssuanReader
  /// What modules said since the last question.
  private var notes: [String] = []
  private var error: String?
  /// What a finger may still do.
  private var finger: FingerOffer
  /// Whose the reader is, and what the window that is up says of that.
  private var holder = ReaderHolder.notTold
  private var shownHolder = ReaderHolder.notTold

  /// How long the first window waits for word of the reader: nanoseconds.
  private static let readerTime: UInt64 = 1_000_000_000

  /// Whose the reader is.
  private enum ReaderHolder: Equatable {
    case notTold
    case ours
    case theirs(FingerHolder)
  }

  /// What a window asks for.
  private enum Window { case passcode, finger }

  /// What a command came to.
  private enum Reply {
    case okay(TypedLine)
    case failure(AssuanFailure)
    /// The window says of the reader what is not true any more.
    case stale
    case end(PrompterEnd)
  }

  /// Holds the dialogue; pinentry has ended when it returns.
  static func run(_ plan: PinentryPlan, _ setup: PromptSetup, watch: PromptWatch) -> PrompterEnd {
    var end = PrompterEnd.surfaceUnusable
    if let pinentry = try? PinentryProcess(plan) {
      if var prompt = try? PinentryPrompt(pinentry, plan, setup, watch) {
        end = prompt.hold()
        prompt.pinentry.end()
      } else {
        pinentry.end()
      }
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

  /// What comes while a window is up is kept for the next one: Assuan cannot change a window's words. One that tells to touch the
  /// reader, which is not this prompt's any more, is replaced.
  private mutating func heed(_ cue: PrompterCue?) -> PrompterEnd? {
    switch cue {
    case .say(.info, let text): notes.append(texts.cue(.info, text))
    case .say(.error, let text): error = texts.cue(.error, text)
    case .fingerWanted: holder = .ours
    case .fingerWaits(let other): holder = .theirs(other)
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
    if let end = awaitReader() { return end }
    let fallback = texts.fallbackButton
    var words = [("SETTITLE", "Latchkey"), ("SETDESC", describe())]
    words.append(("SETOK", fallback ?? texts.cancelButton ?? "Cancel"))
    if fallback != nil, let title = texts.cancelButton { words.append(("SETCANCEL", title)) }
    for (verb, argument) in words {
      if case .end(let end) = command(verb, argument) { return end }
    }
    switch window(.finger, "CONFIRM", fallback == nil ? "--one-button" : "") {
    case .stale: return renew() ?? askForFinger()
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
    if let end = awaitReader() { return end }
    var words = [("SETTITLE", "Latchkey")]
    words.append(("SETDESC", describe()))
    words.append(("SETPROMPT", texts.question(question)))
    if let title = texts.cancelButton { words.append(("SETCANCEL", title)) }
    if let error { words.append(("SETERROR", error)) }
    error = nil
    for (verb, argument) in words {
      if case .end(let end) = command(verb, argument) { return end }
    }
    switch window(.passcode, "GETPIN") {
    case .stale: return renew() ?? ask(question)
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

  /// The words of a window about to come up.
  private mutating func describe() -> String {
    shownHolder = holderOfInterest
    defer { notes = [] }
    return (texts.introduction + offer + notes).joined(separator: "\n")
  }

  private var offer: [String] {
    if finger == .none { return [] }
    return switch holder {
    case .notTold: texts.offer
    case .ours: [texts.fingerWanted(finger)]
    case .theirs(let other): [texts.fingerWaits(other)]
    }
  }

  /// Waits a moment for word of the reader, so that the window can tell of it.
  private mutating func awaitReader() -> PrompterEnd? {
    let moment = Clock.boottime + Self.readerTime
    while finger != .none, holder == .notTold, Clock.boottime < moment {
      let happening = watch.next(nil, .surfaceFirst, until: moment)
      if let end = happening.end { return end }
      if happening.helper { return .helperGone }
      if happening.daemon, let end = heed(watch.cue()) { return end }
    }
    return nil
  }

  /// Puts another pinentry in the place of the one that is up.
  private mutating func renew() -> PrompterEnd? {
    pinentry.end()
    do {
      reader = try AssuanReader()
      pinentry = try PinentryProcess(plan)
    } catch { return .surfaceUnusable }
    return greet()
  }

  /// Whether the window that is up misleads; one with a question that only has something to add stays, for what is half typed.
  private func isStale(_ window: Window) -> Bool {
    switch window {
    case .finger: shownHolder != holderOfInterest
    case .passcode: shownHolder == .ours && holderOfInterest != .ours
    }
  }

  /// Whose the reader is, while a finger is wanted.
  private var holderOfInterest: ReaderHolder { finger == .none ? .notTold : holder }

  private mutating func window(_ window: Window, _ verb: String, _ argument: String = "") -> Reply {
    guard pinentry.send(AssuanText.command(verb, argument)) else { return .end(.terminalGone) }
    return reply(in: window)
  }

  private mutating func command(_ verb: String, _ argument: String = "") -> Reply {
    guard pinentry.send(AssuanText.command(verb, argument)) else { return .end(.terminalGone) }
    return reply()
  }

  /// Waits for the line that ends a reply, and for nothing longer than daemon, helper and deadline allow.
  private mutating func reply(in window: Window? = nil) -> Reply {
    guard var pin = try? PinData() else { return .end(.surfaceUnusable) }
    while true {
      switch reader.next(addingTo: &pin) {
      case .okay: return (try? pin.finish()).map(Reply.okay) ?? .end(.surfaceUnusable)
      case .error(let failure): return .failure(failure)
      case .foreign: return .end(.surfaceUnusable)
      case .data, .remark: continue
      case nil: break
      }
      if let window, isStale(window) { return .stale }
      let happening = watch.next(pinentry.connection, .surfaceFirst)
      if let end = happening.end { return .end(end) }
      if happening.helper { return .end(.helperGone) }
      if happening.daemon, let end = heed(watch.cue()) { return .end(end) }
      if happening.surface, !reader.fill(from: pinentry.connection) { return .end(.terminalGone) }
    }
  }
}
