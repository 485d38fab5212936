internal import LinuxSystem

/// A terminal's settings before a prompter took it over: they come back also when the prompter could not do it itself.
struct SavedTerminal {
  private let terminal: OwnedDescriptor
  private let before: TerminalSettings
  private let accessBefore: Terminal.Access

  /// Remembers the settings.
  ///
  /// - Throws: ``Errno``: EIO (it hung up).
  init(_ terminal: OwnedDescriptor) throws(Errno) {
    self.terminal = terminal
    before = try TerminalSettings(of: terminal)
    accessBefore = try Terminal.access(terminal)
  }

  /// Puts them back and throws away what was typed, where the terminal is still as the prompter had it: other settings
  /// are somebody else's by now. Whether others may open it is put back in any case.
  func restore() {
    defer { try? Terminal.setAccess(accessBefore, of: terminal) }
    guard (try? TerminalSettings(of: terminal)) == before.readingKeys() else { return }
    try? before.applyNow(to: terminal)
  }

  /// Says that the prompt is over, on a line of its own, where the one that drew it could not: its words may still stand there
  /// while the reader and the keys are another's already. After ``restore()``, which lets the terminal be opened.
  ///
  /// It never waits longer than a moment: a terminal that was stopped (ctrl-S) takes nothing, and whoever shares it could stop
  /// it between a look and a write. So it is written to through a description of our own that does not block.
  func tellEnd() {
    guard let own = try? Terminal.reopenForWriting(terminal) else { return }
    try? Terminal.write(Self.ending, to: own, until: Clock.boottime + Self.patience)
  }

  /// What is said.
  static let ending = "\r\nLatchkey: this prompt has ended; a finger shown or a passcode typed now is not for it.\r\n"
  /// How long a terminal may take to take it: nanoseconds.
  private static let patience: UInt64 = 50_000_000
}
