internal import LinuxSystem

/// A line on standard error that counts, where that is a terminal.
struct Progress {
  private let word: String
  private let isShown: Bool
  private var last: UInt64
  private var isUp = false

  init(_ word: String) {
    self.word = word
    isShown = Terminal.isTerminal(StandardStreams.error)
    // What is over at once needs no count.
    last = Clock.monotonic
  }

  /// Shows a count, at most ten times a second.
  mutating func show(_ count: UInt64) {
    guard isShown, Clock.monotonic - last > 100_000_000 else { return }
    last = Clock.monotonic
    isUp = true
    try? StandardStreams.write("\r\(word) \(ItemCount(count).text)", to: StandardStreams.error)
  }

  /// Takes the line away, at the end and where a prompt may come up.
  mutating func clear() {
    guard isUp else { return }
    isUp = false
    try? StandardStreams.write("\r\u{1B}[K", to: StandardStreams.error)
  }
}
