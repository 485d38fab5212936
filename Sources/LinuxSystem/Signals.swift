internal import CLinux

/// Signals as something to wait for instead of something that interrupts (signalfd(2)).
public final class Signals: Sendable {
  /// SIGTERM: end in order.
  public static let terminate: Int32 = SIGTERM
  /// SIGINT: end, from the keyboard.
  public static let interrupt: Int32 = SIGINT
  /// SIGHUP: the terminal went away, or read the configuration again.
  public static let hangUp: Int32 = SIGHUP
  /// SIGQUIT: end, from the keyboard.
  public static let quit: Int32 = SIGQUIT
  /// SIGKILL: end at once.
  public static let kill: Int32 = SIGKILL
  /// SIGPIPE: nobody reads.
  public static let pipe: Int32 = SIGPIPE
  /// SIGXFSZ: a file would grow past RLIMIT_FSIZE. Ignored, the write fails with EFBIG.
  public static let fileTooLarge: Int32 = SIGXFSZ
  /// SIGTSTP: stop, from the keyboard.
  public static let stop: Int32 = SIGTSTP
  /// SIGWINCH: the terminal's size changed.
  public static let windowChanged: Int32 = SIGWINCH

  /// Readable (poll) when one of the signals came.
  public let descriptor: OwnedDescriptor
  private let signals: [Int32]

  /// Blocks the signals in the calling thread and in those it starts from now on, and collects them here. To be called
  /// before any other thread starts: one that has them unblocked would still be interrupted.
  ///
  /// - Throws: ``Errno``: EINVAL (no such signal), EMFILE.
  public init(collecting signals: [Int32]) throws(Errno) {
    let number = try SystemCall.run { unsafe clinux_signal_descriptor(signals, signals.count) }
    descriptor = OwnedDescriptor(owning: number)
    self.signals = signals
  }

  /// Lets the signals through again, in the calling thread; to be called in the one that collected them. One that came and
  /// was not asked for takes its effect now.
  ///
  /// - Throws: ``Errno``.
  public func stopCollecting() throws(Errno) {
    try SystemCall.run { unsafe clinux_unblock_signals(signals, signals.count) }
  }

  /// The next signal that came, or `nil` for none; does not wait.
  ///
  /// - Throws: ``Errno``.
  public func next() throws(Errno) -> Int32? {
    do throws(Errno) {
      return try SystemCall.run { clinux_next_signal(descriptor.number) }
    } catch .wouldBlock {
      return nil
    }
  }

  /// Ignores a signal in the whole process. Programs started with ``Spawn`` get the default back.
  ///
  /// - Throws: ``Errno``: EINVAL.
  public static func ignore(_ signal: Int32) throws(Errno) {
    try SystemCall.run { clinux_ignore_signal(signal) }
  }
}
