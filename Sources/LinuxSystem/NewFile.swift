/// A file that is written beside its place and put there whole, or not at all.
///
/// It goes away with this object unless it was placed.
public final class NewFile {
  /// What to write to.
  public let descriptor: OwnedDescriptor
  private let path: String
  private let temporary: String
  private let mode: UInt16
  private var isPlaced = false

  /// Makes an empty file of mode 0600 beside `path`; nothing is at `path` yet.
  ///
  /// - Parameter mode: The exact permission bits it has from the time it is placed, whatever the umask.
  /// - Throws: ``Errno``: ENOENT (no folder), EACCES, ENOSPC, EINVAL.
  public init(for path: String, mode: UInt16) throws(Errno) {
    self.path = path
    self.mode = mode
    temporary = path + "." + RandomName.make() + ".tmp"
    descriptor = try Files.openNoFollow(temporary, [.writing, .creating, .onlyNew], mode: mode & 0o600)
  }

  deinit {
    if !isPlaced { try? Files.unlink(temporary) }
  }

  /// Puts the file at its place, on the disk before it returns: fsync, rename, fsync of the folder. Once only.
  ///
  /// - Throws: ``Errno``: EEXIST (`.kept`), ENOSPC, EDQUOT, EIO, EACCES. The old file is then untouched, except that after
  ///   a failed sync of the folder the new one may be in place already.
  public func place(_ existing: Files.Existing) throws(Errno) {
    try Files.setMode(descriptor, mode)
    try Files.sync(descriptor)
    try Files.place(temporary, at: path, existing)
    isPlaced = true
    try Files.syncDirectory(Files.parent(of: path))
  }

  /// Removes what writers of `path` left beside it when they were killed. Only where no other writer can be at work: the
  /// caller holds the lock of the folder.
  ///
  /// - Throws: ``Errno``: EACCES, EIO, ENOENT (no folder).
  public static func removeLeftovers(of path: String) throws(Errno) {
    let folder = Files.parent(of: path)
    let slash = path.lastIndex(of: "/")
    let start = path[(slash.map { path.index(after: $0) } ?? path.startIndex)...] + "."
    for name in try Files.names(in: folder) where name.hasPrefix(start) && name.hasSuffix(".tmp") {
      let middle = name.dropFirst(start.count).dropLast(4)
      guard middle.count == RandomName.count, middle.allSatisfy(\.isHexDigit) else { continue }
      try Files.unlink(folder + "/" + name)
    }
  }
}
