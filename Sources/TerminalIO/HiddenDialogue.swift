public import LinuxSystem
public import SecretMemory

/// Asks for lines that are not shown, on a terminal of this program's own, and gives the terminal back on every way out:
/// keys that cancel come back as an answer, and so does a signal that ends the program: it takes its effect once the
/// terminal has been given back.
///
/// Between two questions the terminal stays ours, so that nothing typed meanwhile is shown or answers the wrong one.
public final class HiddenDialogue {
  private let surface: TerminalSurface
  private let signals: Signals
  private let input: SecretBytes

  /// The signals that end a program at its terminal.
  private static let endings = [Signals.interrupt, Signals.terminate, Signals.hangUp, Signals.quit]

  /// Takes the terminal over. Only while no other thread runs: the signals are collected in this one.
  ///
  /// - Throws: ``HiddenDialogueError``.
  public init(on terminal: OwnedDescriptor) throws(HiddenDialogueError) {
    do { input = try SecretBytes(count: 64) } catch { throw .memory(error) }
    do throws(Errno) {
      let signals = try Signals(collecting: Self.endings)
      do throws(Errno) { surface = try TerminalSurface(terminal) } catch {
        try? signals.stopCollecting()
        throw error
      }
      self.signals = signals
    } catch { throw .terminal(error) }
  }

  deinit {
    surface.restore(.held)
    try? signals.stopCollecting()
  }

  /// Shows a question and reads one line.
  ///
  /// - Parameter maximumCount: the longest line that is taken, in bytes.
  /// - Throws: ``HiddenDialogueError``.
  public func ask(_ question: String, maximumCount: Int) throws(HiddenDialogueError) -> HiddenAnswer {
    do throws(Errno) {
      try Terminal.discardInput(surface.terminal)
      try surface.write(question)
    } catch { throw .terminal(error) }
    let answer: HiddenAnswer
    do throws(SecretMemoryError) {
      var editor = try LineEditor(keys: surface.keys, maximumCount: maximumCount)
      answer = try read(&editor)
      editor.clear()
    } catch { throw .memory(error) }
    try? surface.write("\n")
    return answer
  }

  /// Shows a line.
  public func say(_ line: String) { try? surface.write(line + "\n") }

  private func read(_ editor: inout LineEditor) throws(SecretMemoryError) -> HiddenAnswer {
    while true {
      guard let events = try? Poll.wait([PollEntry(surface.terminal), PollEntry(signals.descriptor)], until: nil) else {
        return .gone
      }
      if events[1].isReadable { return .cancelled }
      guard events[0].isReadable, let count = readKeys() else { return .gone }
      defer { input.withMutableSpan { keys in for index in keys.indices { keys[index] = 0 } } }
      for place in 0..<count {
        // What was typed behind the line answers nothing.
        if let answer = try take(input.withSpan { $0[place] }, &editor) { return answer }
      }
    }
  }

  /// How many keys there were, or `nil` where the terminal hung up.
  private func readKeys() -> Int? {
    do throws(Errno) {
      let count = try input.withMutableSpan { keys throws(Errno) in try Files.read(surface.terminal, into: &keys) }
      return count > 0 ? count : nil
    } catch .wouldBlock { return 0 } catch { return nil }
  }

  private func take(_ key: UInt8, _ editor: inout LineEditor) throws(SecretMemoryError) -> HiddenAnswer? {
    switch editor.take(key) {
    case .typed, .erased, .ignored: return nil
    case .cancelled: return .cancelled
    case .finished:
      switch try editor.finish() {
      case .line(let line): return .line(line)
      case .overlong: return .overlong
      }
    }
  }
}

/// What a person answered to a hidden question.
public enum HiddenAnswer: Sendable {
  /// A line, 0 bytes or more.
  case line(SecretBytes)
  /// More bytes than may be sent; they are gone.
  case overlong
  /// The person, or a signal that waits for the end of the dialogue, wants no more of it.
  case cancelled
  /// The terminal hung up.
  case gone
}

/// Why nothing could be asked.
public enum HiddenDialogueError: Error, Equatable, Sendable {
  /// The terminal failed.
  case terminal(Errno)
  /// No locked memory.
  case memory(SecretMemoryError)
}
