internal import DialogueWire
internal import LinuxSystem
internal import SecretMemory
internal import TerminalIO

/// A dialogue on a terminal, from taking it over to giving it back.
struct TerminalPrompt {
  private let surface: TerminalSurface
  private let texts: PromptTexts
  private let watch: PromptWatch
  private let input: SecretBytes
  private var editor: LineEditor
  /// The question that is up. Keys typed without one are dropped, but for those that cancel.
  private var question: PromptQuestion?
  /// What a finger may still do.
  private var finger: FingerOffer
  private let fallback: FallbackOffer

  /// Holds the dialogue; the terminal is restored when it returns.
  static func run(on terminal: OwnedDescriptor, _ setup: PromptSetup, watch: PromptWatch) -> PrompterEnd {
    let surface: TerminalSurface
    do { surface = try TerminalSurface(terminal, .exclusive) } catch { return .surfaceUnusable }
    let end: PrompterEnd
    do {
      var prompt = try TerminalPrompt(surface, setup, watch)
      end = prompt.hold()
    } catch { end = .surfaceUnusable }
    surface.restore(end.claim)
    watch.cancel(because: end)
    return end
  }

  private init(_ surface: TerminalSurface, _ setup: PromptSetup, _ watch: PromptWatch) throws(SecretMemoryError) {
    self.surface = surface
    texts = PromptTexts(setup)
    finger = setup.finger
    fallback = setup.fallback
    self.watch = watch
    input = try SecretBytes(count: 64)
    editor = try LineEditor(keys: surface.keys)
  }

  private mutating func hold() -> PrompterEnd {
    let end = introduce() ?? loop()
    // The cursor stands behind a question that has no answer.
    if question != nil { try? surface.write("\n") }
    editor.clear()
    return end
  }

  private func introduce() -> PrompterEnd? {
    if let end = show((texts.introduction + texts.offer).map { $0 + "\n" }.joined()) { return end }
    return watch.reportReady()
  }

  private mutating func loop() -> PrompterEnd {
    while true {
      let happening = watch.next(surface.terminal, .helperToo)
      // First: it may say how it ended, while the daemon has already let go.
      if happening.helper, let end = heed(watch.message()) { return end }
      if happening.daemon, let end = heed(watch.cue()) { return end }
      if let end = happening.end { return end }
      if happening.surface, let end = readKeys() { return end }
    }
  }

  private mutating func heed(_ message: PromptMessage?) -> PrompterEnd? {
    switch message {
    case .question(let question):
      self.question = question
      editor.clear()
      return show(texts.question(question))
    case .info(let text): return show(texts.information(text) + "\n")
    case .error(let text): return show(texts.error(text) + "\n")
    case .done(let verdict):
      if let line = texts.verdict(verdict) { _ = show(line + "\n") }
      return .done
    case nil: return .helperGone
    }
  }

  private mutating func heed(_ cue: PrompterCue?) -> PrompterEnd? {
    switch cue {
    case .say(let style, let text): return interject(texts.cue(style, text))
    // The passcode may have been chosen over it meanwhile.
    case .fingerWanted: return finger == .none ? nil : interject(texts.fingerWanted(finger))
    case .fingerWaits(let holder): return finger == .none ? nil : interject(texts.fingerWaits(holder))
    case .fingerOver(let text):
      finger = .none
      return texts.fingerOver(text).flatMap { interject($0) }
    case .done(let verdict):
      if let line = texts.verdict(verdict) { _ = interject(line, asksAgain: false) }
      return .done
    case nil: return .terminalGone
    }
  }

  /// Shows a line while a question may be up: the question comes again below it, and what was typed so far still counts.
  private mutating func interject(_ line: String, asksAgain: Bool = true) -> PrompterEnd? {
    guard let question else { return show(line + "\n") }
    if !asksAgain { self.question = nil }
    return show("\n" + line + "\n" + (asksAgain ? texts.question(question) : ""))
  }

  private func show(_ text: String) -> PrompterEnd? {
    do { try surface.write(text) } catch { return .terminalGone }
    return nil
  }

  private mutating func readKeys() -> PrompterEnd? {
    let count: Int
    do throws(Errno) {
      count = try input.withMutableSpan { bytes throws(Errno) in try Files.read(surface.terminal, into: &bytes) }
    } catch .wouldBlock { return nil } catch { return .terminalGone }
    defer { wipeInput() }
    guard count > 0 else { return .terminalGone }
    for place in 0..<count {
      if let end = take(input.withSpan { $0[place] }) { return end }
    }
    return nil
  }

  private mutating func take(_ key: UInt8) -> PrompterEnd? {
    guard let question else { return takeUnasked(key) }
    switch editor.take(key) {
    case .cancelled: return .userCancelled
    case .finished: return answer(question)
    case .typed: return question.echo == .on ? echo(key) : nil
    case .erased(let count): return question.echo == .on ? show(String(repeating: "\u{8} \u{8}", count: count)) : nil
    case .ignored: return nil
    }
  }

  /// A key without a question: it cancels, or chooses the passcode where only a finger is asked for and that choice is offered.
  private mutating func takeUnasked(_ key: UInt8) -> PrompterEnd? {
    switch surface.keys.meaning(of: key) {
    case .cancel: return .userCancelled
    case .endOfLine where finger == .alone && fallback != .hidden:
      finger = .none
      return watch.reportPasscodeChosen()
    case .endOfInput where finger == .alone: return .userCancelled
    default: return nil
    }
  }

  /// What was asked to be shown as it is typed is no secret.
  private func echo(_ key: UInt8) -> PrompterEnd? {
    guard key >= 0x20, key != 0x7F else { return nil }
    do throws(Errno) {
      try Files.writeAll(surface.terminal, [key].span)
    } catch .wouldBlock { return nil } catch { return .terminalGone }
    return nil
  }

  private mutating func answer(_ question: PromptQuestion) -> PrompterEnd? {
    let line: TypedLine
    do { line = try editor.finish() } catch { return .surfaceUnusable }
    if case .line(let bytes) = line, bytes.count == 0, finger != .none { return choosePasscode(question) }
    self.question = nil
    return show("\n") ?? watch.answer(question, line)
  }

  /// Enter alone: no answer, but the choice of the passcode over the finger. The question stays up.
  private mutating func choosePasscode(_ question: PromptQuestion) -> PrompterEnd? {
    if let end = show("\n" + texts.question(question)) { return end }
    guard finger == .orPasscode else { return nil }
    finger = .none
    return watch.reportPasscodeChosen()
  }

  private func wipeInput() {
    input.withMutableSpan { bytes in
      for index in bytes.indices { bytes[index] = 0 }
    }
  }
}

extension PrompterEnd {
  /// After these ends another program may already have the terminal.
  fileprivate var claim: TerminalSurface.Claim {
    switch self {
    case .terminalGone, .helperGone: .contested
    case .done, .userCancelled, .deadlinePassed, .surfaceUnusable: .held
    }
  }
}
