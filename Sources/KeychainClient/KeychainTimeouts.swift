/// How long a client waits, in milliseconds.
public struct KeychainTimeouts: Hashable, Sendable {
  /// For an answer while no prompt is up: 4500, so that a mute daemon is told in under 5 seconds.
  public var reply: UInt64
  /// For an answer from the moment a prompt is wanted: a policy's longest deadline (600 s), and a minute.
  public var prompt: UInt64
  /// For a daemon to start: 5000.
  public var start: UInt64

  /// Makes timeouts; by default those above.
  public init(reply: UInt64 = 4500, prompt: UInt64 = 660_000, start: UInt64 = 5000) {
    self.reply = reply
    self.prompt = prompt
    self.start = start
  }

  /// How long one system call may block: long enough for a busy machine, short enough for ``reply``.
  static let blockMilliseconds: UInt32 = 2000
}
