internal import LinuxSystem

/// A line on standard error that counts, where that is a terminal.
struct Progress {
  private let word: String
  private let isShown: Bool
  private var last: UInt64 = 0

  init(_ word: String) {
    self.word = word
    isShown = Terminal.isTerminal(StandardStreams.error)
  }

  /// Shows a count, at most ten times a second.
  mutating func show(_ count: UInt64) {
    guard isShown, Clock.monotonic - last > 100_000_000 else { return }
    last = Clock.monotonic
    try? StandardStreams.write("\r\(word) \(ItemCount(count).text)", to: StandardStreams.error)
  }

  /// Takes the line away.
  func end() {
    guard isShown, last > 0 else { return }
    try? StandardStreams.write("\r\u{1B}[K", to: StandardStreams.error)
  }
}
