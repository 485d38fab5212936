public import LinuxSystem

/// The person's terminal while it is ours: it shows nothing that is typed and hands over each key at once.
///
/// A process that leads a session of its own, so that the terminal is not its controlling one, may read, write and set
/// modes whatever process group is in the foreground (measured). For the terminal's own programs the kernel's job control
/// holds as ever. In both cases no key becomes a signal.
public final class TerminalSurface: Sendable {
  /// An open file of our own: it does not block, and what is set on it does not touch the client's.
  public let terminal: OwnedDescriptor
  /// The keys with a meaning of their own.
  public let keys: TerminalKeys
  private let before: TerminalSettings
  private let during: TerminalSettings

  /// How long the terminal may refuse output (ctrl-S): nanoseconds.
  private static let patience: UInt64 = 2_000_000_000

  /// Takes the terminal over. What was typed before is thrown away: it was not meant as an answer.
  ///
  /// - Throws: ``Errno``: the terminal hung up or cannot be opened.
  public init(_ passed: OwnedDescriptor) throws(Errno) {
    let path = "/proc/self/fd/\(passed.number)"
    terminal = try Files.open(path, [.readingAndWriting, .nonBlocking, .notControlling])
    before = try TerminalSettings(of: terminal)
    keys = before.keys
    during = before.readingKeys()
    try during.applyNow(to: terminal)
  }

  /// Whose the terminal is taken to be when it is given back.
  public enum Claim: Sendable {
    /// Ours to the end: the old settings come back in any case.
    case held
    /// Perhaps taken by a shell that saw its program end: if the settings are not ours any more, they are its own.
    case contested
  }

  /// Gives the terminal back with the settings it had; keys that were typed and not read are thrown away.
  public func restore(_ claim: Claim) {
    if claim == .contested, (try? TerminalSettings(of: terminal)) != during { return }
    try? before.applyNow(to: terminal)
  }

  /// Writes a text.
  ///
  /// - Throws: ``Errno``: the terminal hung up, or takes no output.
  public func write(_ text: String) throws(Errno) {
    try Terminal.write(text, to: terminal, until: Clock.boottime + Self.patience)
  }
}
