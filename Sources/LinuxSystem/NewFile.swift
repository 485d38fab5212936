internal import CLinux

/// A file that is written beside its place and put there whole, or not at all.
///
/// It goes away with this object unless it was placed. Where the file system lets it, it has no name before that, so that
/// nothing stays however the process ends; else it has a name beside its place (`temporaryName`), and a lock (flock(2)) that
/// tells whether its writer lives.
public final class NewFile {
  /// What to write to.
  public let descriptor: OwnedDescriptor
  /// Its name until it is placed; `nil` where it has none.
  public let temporaryName: String?
  private let path: String
  private let mode: UInt16
  private var isPlaced = false

  /// How a file is kept before it is placed.
  enum Keeping { case nameless, named }

  /// Makes an empty file of mode 0600 in the folder of `path`; nothing is at `path` yet.
  ///
  /// - Parameter mode: The exact permission bits it has from the time it is placed, whatever the umask.
  /// - Throws: ``Errno``: ENOENT (no folder), EACCES, ENOSPC, EINVAL.
  public convenience init(for path: String, mode: UInt16) throws(Errno) {
    try self.init(for: path, mode: mode, .nameless)
  }

  init(for path: String, mode: UInt16, _ keeping: Keeping) throws(Errno) {
    try SystemCall.requireNoNUL(path)
    self.path = path
    self.mode = mode
    if keeping == .nameless, let file = Self.nameless(in: Files.parent(of: path), mode & 0o600) {
      (descriptor, temporaryName) = (file, nil)
      return
    }
    let name = Self.temporaryName(for: path)
    descriptor = try Files.openNoFollow(name, [.writing, .creating, .onlyNew], mode: mode & 0o600)
    temporaryName = name
    // Nobody else knows the name yet. A file system without locks keeps what is left over.
    _ = try? SystemCall.run { flock(descriptor.number, LOCK_EX | LOCK_NB) }
  }

  deinit {
    if !isPlaced, let temporaryName { try? Files.unlink(temporaryName) }
  }

  /// Puts the file at its place, on the disk before it returns: fsync, rename, fsync of the folder. Once only.
  ///
  /// - Throws: ``Errno``: EEXIST (`.kept`), ENOSPC, EDQUOT, EIO, EACCES. The old file is then untouched, except that after
  ///   a failed sync of the folder the new one may be in place already.
  public func place(_ existing: Files.Existing) throws(Errno) {
    try Files.setMode(descriptor, mode)
    try Files.sync(descriptor)
    if let temporaryName {
      try Files.place(temporaryName, at: path, existing)
    } else {
      try name(existing)
    }
    isPlaced = true
    try Files.syncDirectory(Files.parent(of: path))
  }

  /// Gives a file without a name its place. No call replaces a name by such a file, so that it has another for a moment.
  private func name(_ existing: Files.Existing) throws(Errno) {
    do throws(Errno) { return try link(to: path) } catch {
      guard error == .fileExists, existing == .replaced else { throw error }
    }
    let temporary = Self.temporaryName(for: path)
    try link(to: temporary)
    do throws(Errno) { try Files.rename(temporary, to: path) } catch {
      try? Files.unlink(temporary)
      throw error
    }
  }

  /// By its place among the process's descriptors: by the descriptor itself only root may (linkat(2), AT_EMPTY_PATH).
  private func link(to name: String) throws(Errno) {
    try SystemCall.run { unsafe linkat(AT_FDCWD, Self.place(of: descriptor), AT_FDCWD, name, AT_SYMLINK_FOLLOW) }
  }

  private static func place(of descriptor: OwnedDescriptor) -> String { "/proc/self/fd/\(descriptor.number)" }

  /// `nil` where the file system has no such files (EOPNOTSUPP, EISDIR) or they could get no name (no /proc).
  private static func nameless(in folder: String, _ mode: UInt16) -> OwnedDescriptor? {
    guard let file = try? Files.open(folder, [.writing, .nameless], mode: mode),
      (try? Files.facts(place(of: file))) != nil
    else { return nil }
    return file
  }

  private static func temporaryName(for path: String) -> String { path + "." + RandomName.make() + ".tmp" }

  /// Removes what writers of `path` left beside it when they were killed. Only where no other writer can be at work: the
  /// caller holds the lock of the folder.
  ///
  /// - Throws: ``Errno``: EACCES, EIO, ENOENT (no folder).
  public static func removeLeftovers(of path: String) throws(Errno) {
    for name in try temporaries(of: path) { try Files.unlink(name) }
  }

  /// Removes what writers of `path` that live no more left beside it; that of a living one stays.
  ///
  /// - Throws: ``Errno``: EACCES, EIO, ENOENT (no folder).
  public static func removeAbandoned(of path: String) throws(Errno) {
    for name in try temporaries(of: path) {
      guard let file = try? Files.openNoFollow(name, [.writing, .nonBlocking]),
        (try? SystemCall.run { flock(file.number, LOCK_EX | LOCK_NB) }) != nil
      else { continue }
      try Files.unlink(name)
    }
  }

  private static func temporaries(of path: String) throws(Errno) -> [String] {
    let folder = Files.parent(of: path)
    let slash = path.lastIndex(of: "/")
    let start = path[(slash.map { path.index(after: $0) } ?? path.startIndex)...] + "."
    return try Files.names(in: folder).filter { name in
      guard name.hasPrefix(start), name.hasSuffix(".tmp") else { return false }
      let middle = name.dropFirst(start.count).dropLast(4)
      return middle.count == RandomName.count && middle.allSatisfy(\.isHexDigit)
    }.map { "\(folder)/\($0)" }
  }
}
