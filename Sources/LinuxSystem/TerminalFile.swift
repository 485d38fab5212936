/// The file of an open terminal, which tells it from every other that is open at the same time.
///
/// The device's number alone does not: each devpts counts its terminals from 0 (Documentation/filesystems/devpts.rst), and
/// whoever may make a user namespace mounts one.
public struct TerminalFile: Hashable, Sendable {
  /// The file system it lies in (stat(2), st_dev): one devpts.
  public let fileSystem: UInt64
  /// Its number there (st_ino).
  public let inode: UInt64
  /// The number of the device (st_rdev), as in ``PeerIdentity/terminalDevice``.
  public let device: UInt64

  /// Names a terminal's file.
  public init(fileSystem: UInt64, inode: UInt64, device: UInt64) {
    self.fileSystem = fileSystem
    self.inode = inode
    self.device = device
  }

  /// The file of an open terminal.
  ///
  /// - Throws: ``Errno``: ENOTTY (no terminal).
  public init(of terminal: OwnedDescriptor) throws(Errno) {
    guard Terminal.isTerminal(terminal) else { throw .notTerminal }
    self.init(try Files.facts(terminal))
  }

  private init(_ facts: FileFacts) {
    self.init(fileSystem: facts.device, inode: facts.inode, device: facts.specialDevice)
  }

  /// A path below /dev that leads to this very file here, or `nil`: it has none, as the terminals of another mount namespace's
  /// devpts. The link of a descriptor is no such path: it tells how the one who opened the file reached it (proc(5)).
  ///
  /// - Parameter link: where the file was reached, if that is known.
  public func path(from link: String?) -> String? {
    [link, Self.usualPath(of: device)].compactMap { $0 }.first { path in
      guard path.hasPrefix("/dev/"), let facts = try? Files.factsNoFollow(path) else { return false }
      return TerminalFile(facts) == self
    }
  }

  /// The name that a terminal's file usually has. The numbers are Linux's (Documentation/admin-guide/devices.txt): 136 to
  /// 143 are the slaves of pseudo-terminals, 4 the consoles and, from 64 on, the serial lines.
  public static func usualPath(of device: UInt64) -> String? {
    let major = (device >> 8) & 0xFFF
    let minor = (device & 0xFF) | ((device >> 12) & 0xFFF00)
    switch major {
    case 136...143: return "/dev/pts/\(minor + (major - 136) * 256)"
    case 4: return minor < 64 ? "/dev/tty\(minor)" : "/dev/ttyS\(minor - 64)"
    default: return nil
    }
  }
}

extension Terminal {
  /// A path that leads to the terminal here, or `nil`: see ``TerminalFile/path(from:)``.
  public static func path(_ terminal: OwnedDescriptor) -> String? {
    guard let file = try? TerminalFile(of: terminal) else { return nil }
    return file.path(from: try? Files.readLink("/proc/self/fd/\(terminal.number)"))
  }

  /// Opens the terminal once more for writing that never waits. The flag is not set on `terminal` itself: it would hold for
  /// everybody who shares that description, such as the person's shell.
  ///
  /// - Throws: ``Errno``: EBUSY (it is exclusive, and this is not root), EACCES, EIO (it hung up).
  public static func reopenForWriting(_ terminal: OwnedDescriptor) throws(Errno) -> OwnedDescriptor {
    try Files.open("/proc/self/fd/\(terminal.number)", [.writing, .nonBlocking, .notControlling])
  }
}
