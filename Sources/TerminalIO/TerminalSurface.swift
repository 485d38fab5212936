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
  private let accessBefore: Terminal.Access

  /// How long the terminal may refuse output (ctrl-S): nanoseconds.
  private static let patience: UInt64 = 2_000_000_000

  /// Takes the terminal over. What was typed before is thrown away: it was not meant as an answer.
  ///
  /// - Parameter access: `.exclusive` lets no other process of the user open it meanwhile, to read what is typed. What was
  ///   opened before stays open.
  /// - Throws: ``Errno``: the terminal hung up or cannot be opened.
  public init(_ passed: OwnedDescriptor, _ access: Terminal.Access = .shared) throws(Errno) {
    accessBefore = try Terminal.access(passed)
    terminal = try Self.open(passed, accessBefore)
    before = try TerminalSettings(of: terminal)
    keys = before.keys
    during = before.readingKeys()
    if access == .exclusive { try Terminal.setAccess(.exclusive, of: terminal) }
    do throws(Errno) { try during.applyNow(to: terminal) } catch {
      try? Terminal.setAccess(accessBefore, of: terminal)
      throw error
    }
  }

  /// Opens it once more. Where another program keeps it for itself, whoever holds it open can still lift that for a moment.
  private static func open(_ passed: OwnedDescriptor, _ access: Terminal.Access) throws(Errno) -> OwnedDescriptor {
    if access == .exclusive { try Terminal.setAccess(.shared, of: passed) }
    defer { if access == .exclusive { try? Terminal.setAccess(.exclusive, of: passed) } }
    return try Files.open(
      "/proc/self/fd/\(passed.number)", [.readingAndWriting, .nonBlocking, .notControlling])
  }

  /// Whose the terminal is taken to be when it is given back.
  public enum Claim: Sendable {
    /// Ours to the end: the old settings come back in any case.
    case held
    /// Perhaps taken by a shell that saw its program end: if the settings are not ours any more, they are its own. What was
    /// typed before is not for it.
    case contested
  }

  /// Gives the terminal back with the settings it had; keys that were typed and not read are thrown away. Others may open it
  /// again, if they could before, in any case: no shell takes that back.
  public func restore(_ claim: Claim) {
    defer { try? Terminal.setAccess(accessBefore, of: terminal) }
    if claim == .contested, (try? TerminalSettings(of: terminal)) != during {
      try? Terminal.discardInput(terminal)
      return
    }
    try? before.applyNow(to: terminal)
  }

  /// Writes a text.
  ///
  /// - Throws: ``Errno``: the terminal hung up, or takes no output.
  public func write(_ text: String) throws(Errno) {
    try Terminal.write(text, to: terminal, until: Clock.boottime + Self.patience)
  }
}
