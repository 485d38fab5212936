internal import CLinux

/// What stat(2) says about a file.
public struct FileFacts: Hashable, Sendable {
  /// The kinds of file that this program tells apart.
  public enum Kind: Hashable, Sendable { case regular, directory, symbolicLink, socket, characterDevice, pipe, other }

  /// The kind.
  public let kind: Kind
  /// Device number of the file system.
  public let device: UInt64
  /// Inode number.
  public let inode: UInt64
  /// The owner's user id.
  public let owner: UInt32
  /// The owning group's id.
  public let group: UInt32
  /// Permission bits with set-id and sticky bits: 0 to 0o7777.
  public let mode: UInt16
  /// Names of the file; 0 where it was removed.
  public let links: UInt64
  /// Bytes.
  public let size: Int64
  /// For a device file, the number of the device it stands for; else 0.
  public let specialDevice: UInt64

  /// When contents, owner or mode last changed (st_ctim): nanoseconds since 1970, in steps of the kernel's tick.
  public let changeTime: UInt64

  /// Whether anyone but the owner could write it.
  public var isWritableByOthers: Bool { mode & 0o022 != 0 }

  init(_ record: stat) {
    self.kind = Self.kind(of: record.st_mode)
    self.device = UInt64(record.st_dev)
    self.inode = UInt64(record.st_ino)
    self.owner = record.st_uid
    self.group = record.st_gid
    self.mode = UInt16(record.st_mode & 0o7777)
    self.links = UInt64(record.st_nlink)
    self.size = Int64(record.st_size)
    self.specialDevice = UInt64(record.st_rdev)
    self.changeTime = UInt64(clamping: record.st_ctim.tv_sec) * 1_000_000_000 + UInt64(clamping: record.st_ctim.tv_nsec)
  }

  private static func kind(of mode: mode_t) -> Kind {
    switch Int32(mode) & S_IFMT {
    case S_IFREG: .regular
    case S_IFDIR: .directory
    case S_IFLNK: .symbolicLink
    case S_IFSOCK: .socket
    case S_IFCHR: .characterDevice
    case S_IFIFO: .pipe
    default: .other
    }
  }
}
