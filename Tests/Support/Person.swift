import Foundation
import LinuxSystem

/// A terminal with a person at it: what is typed on `keyboard` arrives at `terminal`.
public final class Person {
  /// What the person holds: keys go in, the screen comes out.
  public let keyboard: OwnedDescriptor
  /// What programs hold.
  public let terminal: OwnedDescriptor
  /// The terminal's name.
  public let path: String
  /// Everything shown so far.
  public private(set) var screen = ""

  /// Why the person gives up.
  public struct NotSeen: Error, CustomStringConvertible {
    /// What was waited for.
    public let text: String
    /// What was there instead.
    public let screen: String
    /// Both.
    public var description: String {
      "waited for \(text.debugDescription), the screen shows \(screen.debugDescription)"
    }
  }

  /// Sits down at a new terminal, which becomes the property of `owner`.
  public init(owner: UserAccount? = nil) throws {
    var ends: (Int32, Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    guard openpty(&ends.0, &ends.1, &name, nil, nil) == 0 else { throw POSIXError(.ENXIO) }
    // The programs under test must not hold the keyboard's end, else it never hangs up.
    _ = fcntl(ends.0, F_SETFD, FD_CLOEXEC)
    _ = fcntl(ends.1, F_SETFD, FD_CLOEXEC)
    keyboard = OwnedDescriptor(owning: ends.0)
    terminal = OwnedDescriptor(owning: ends.1)
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if let owner { chown(path, owner.uid, owner.gid) }
  }

  /// Sits down at a terminal that is there.
  init(keyboard: OwnedDescriptor, terminal: OwnedDescriptor, path: String) {
    self.keyboard = keyboard
    self.terminal = terminal
    self.path = path
  }

  /// Types keys.
  public func type(_ keys: String) throws { try Files.writeAll(keyboard, Array(keys.utf8).span) }

  /// Reads the screen until it shows a text behind what was waited for before.
  public func see(_ text: String, within seconds: UInt64 = 30) throws {
    let deadline = Clock.boottime + seconds * 1_000_000_000
    while !unread.contains(text) {
      guard try Poll.wait([PollEntry(keyboard)], until: deadline)[0].isReadable else { break }
      guard readOn() > 0 else { break }
    }
    guard let found = unread.range(of: text) else { throw NotSeen(text: text, screen: screen) }
    unread = String(unread[found.upperBound...])
  }

  /// What was shown behind the last text that was waited for.
  public private(set) var unread = ""

  /// Takes in what is on the screen by now; answers how many bytes were new.
  @discardableResult
  public func readOn() -> Int {
    guard (try? Poll.wait([PollEntry(keyboard)], timeoutMilliseconds: 0))?.first?.isReadable == true else { return 0 }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    var span = chunk.mutableSpan
    guard let count = try? Files.read(keyboard, into: &span), count > 0 else { return 0 }
    let text = String(decoding: chunk.prefix(count), as: UTF8.self)
    screen += text
    unread += text
    return count
  }

  /// The next line that a program reading the terminal gets, after the person types `keys`.
  public func nextLine(typing keys: String) throws -> String {
    try type(keys)
    guard try Poll.wait([PollEntry(terminal)], timeoutMilliseconds: 5000)[0].isReadable else { return "" }
    var chunk = [UInt8](repeating: 0, count: 1024)
    var span = chunk.mutableSpan
    let count = try Files.read(terminal, into: &span)
    return String(decoding: chunk.prefix(count), as: UTF8.self)
  }

  /// How the terminal is set.
  public var settings: TerminalSettings { get throws { try TerminalSettings(of: terminal) } }
}

/// The folder of the built programs: that of the test's own program.
public enum BuiltPrograms {
  /// The folder.
  public static var folder: String {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
  }

  /// A program in it.
  public static func path(of name: String) -> String { folder + "/" + name }
}
