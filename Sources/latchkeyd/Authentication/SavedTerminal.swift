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
}
