/// Reads one line of keys from a terminal into the caller's own memory, with the usual editing keys.
///
/// The process needs only the terminal's descriptor: it may be in another session, without a terminal of its own.
public struct LineReader: Sendable {
  /// Where the keys come from.
  public var terminal: OwnedDescriptor
  /// When to give up, on the boot-time clock; `nil` waits for ever.
  public var deadline: UInt64?
  /// A descriptor whose being readable or gone ends the wait, or `nil`.
  public var cancelledBy: OwnedDescriptor?
  /// Whether each key is answered by a star on the terminal.
  public var showsStars = false

  /// How it ended. Except for `line` the buffer is wiped.
  public enum Outcome: Hashable, Sendable {
    /// A line of so many bytes, 0 or more.
    case line(count: Int)
    /// The person gave up: ctrl-C, ctrl-\, escape, or ctrl-D on an empty line.
    case cancelled
    /// The terminal went away.
    case hungUp
    /// The deadline passed.
    case timedOut
    /// The other descriptor ended the wait.
    case interrupted
    /// More bytes than the buffer holds. The whole line was taken off the terminal.
    case tooLong
  }

  /// Prepares to read from a terminal.
  public init(terminal: OwnedDescriptor, deadline: UInt64? = nil, cancelledBy: OwnedDescriptor? = nil) {
    self.terminal = terminal
    self.deadline = deadline
    self.cancelledBy = cancelledBy
  }

  /// Shows `prompt`, turns echo off, reads a line, and puts the terminal back on every way out. What was typed before
  /// the prompt and what is typed after the line is thrown away, so that neither answers the wrong question.
  ///
  /// - Throws: ``Errno``: ENOTTY (no terminal), EIO.
  public func read(prompt: String, into buffer: inout MutableSpan<UInt8>) throws(Errno) -> Outcome {
    let before = try TerminalSettings(of: terminal)
    defer { try? before.applyNow(to: terminal) }
    try before.readingKeys().applyNow(to: terminal)
    var line = LineEditor()
    let outcome: Outcome
    do throws(Errno) {
      try Terminal.write(prompt, to: terminal, until: deadline)
      outcome = try readKeys(&line, into: &buffer)
    } catch {
      line.clear(&buffer)
      switch error {
      case .inputOutput: return .hungUp
      case .timedOut: return .timedOut
      default: throw error
      }
    }
    if case .line = outcome {} else { line.clear(&buffer) }
    try? Terminal.write("\n", to: terminal, until: deadline)
    return outcome
  }

  private func readKeys(_ line: inout LineEditor, into buffer: inout MutableSpan<UInt8>) throws(Errno) -> Outcome {
    while true {
      var key: UInt8 = 0
      // The one byte outside the caller's memory.
      defer { key = 0 }
      if let end = try nextKey(&key, until: deadline) { return end }
      if key == LineEditor.Key.escape {
        guard try swallowSequence() else { return .cancelled }
        continue
      }
      switch line.take(key, into: &buffer) {
      case .more(let characters): try showStars(characters)
      case .finished(let outcome): return outcome
      }
    }
  }

  /// The next byte, or why there is none.
  private func nextKey(_ key: inout UInt8, until deadline: UInt64?) throws(Errno) -> Outcome? {
    let entries = [PollEntry(terminal)] + (cancelledBy.map { [PollEntry($0)] } ?? [])
    let results = try Poll.wait(entries, until: deadline)
    if results.count > 1, results[1].isReadable || results[1].isGone { return .interrupted }
    guard results[0].isReadable || results[0].isGone else { return .timedOut }
    return try KeyInput.read(terminal, &key) ? nil : .hungUp
  }

  /// An arrow or function key is an escape followed at once by more; that is no wish to give up. Whether it was one.
  private func swallowSequence() throws(Errno) -> Bool {
    var isSequence = false
    var key: UInt8 = 0
    while try nextKey(&key, until: Clock.boottime + 25_000_000) == nil {
      isSequence = true
      // A letter or a tilde ends it; the bracket and O stand at its start.
      let isLetter = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(key & 0xdf) || key == UInt8(ascii: "~")
      if isLetter && key != UInt8(ascii: "O") { break }
    }
    return isSequence
  }

  private func showStars(_ change: Int) throws(Errno) {
    guard showsStars, change != 0 else { return }
    let text = String(repeating: change > 0 ? "*" : "\u{8} \u{8}", count: abs(change))
    try Terminal.write(text, to: terminal, until: deadline)
  }
}
