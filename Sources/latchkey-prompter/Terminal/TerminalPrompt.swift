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

  /// Holds the dialogue; the terminal is restored when it returns.
  static func run(on terminal: OwnedDescriptor, texts: PromptTexts, watch: PromptWatch) -> PrompterEnd {
    let surface: TerminalSurface
    do { surface = try TerminalSurface(terminal) } catch { return .surfaceUnusable }
    let end: PrompterEnd
    do {
      var prompt = try TerminalPrompt(surface, texts, watch)
      end = prompt.hold()
    } catch { end = .surfaceUnusable }
    surface.restore(end.claim)
    watch.cancel(because: end)
    return end
  }

  private init(_ surface: TerminalSurface, _ texts: PromptTexts, _ watch: PromptWatch) throws(SecretMemoryError) {
    self.surface = surface
    self.texts = texts
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
    if let end = show(texts.introduction.map { $0 + "\n" }.joined()) { return end }
    return watch.reportReady()
  }

  private mutating func loop() -> PrompterEnd {
    while true {
      let happening = watch.next(surface.terminal, .helperToo)
      // First: it may say how it ended, while the daemon has already let go.
      if happening.helper, let end = heed(watch.message()) { return end }
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
    guard let question else { return surface.keys.meaning(of: key) == .cancel ? .userCancelled : nil }
    switch editor.take(key) {
    case .cancelled: return .userCancelled
    case .finished: return answer(question)
    case .typed: return question.echo == .on ? echo(key) : nil
    case .erased(let count): return question.echo == .on ? show(String(repeating: "\u{8} \u{8}", count: count)) : nil
    case .ignored: return nil
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
    self.question = nil
    return show("\n") ?? watch.answer(question, line)
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
