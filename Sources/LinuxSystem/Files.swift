internal import CLinux

/// Files and folders. Every descriptor made here is close-on-exec; every path with a NUL in it is refused (EINVAL).
public enum Files {
  /// How a file is opened.
  public struct OpenFlags: OptionSet, Sendable {
    /// The bits, as in fcntl.h.
    public let rawValue: Int32
    /// Wraps bits of fcntl.h.
    public init(rawValue: Int32) { self.rawValue = rawValue }
    /// For reading only.
    public static let reading = OpenFlags(rawValue: O_RDONLY)
    /// For writing only.
    public static let writing = OpenFlags(rawValue: O_WRONLY)
    /// For both.
    public static let readingAndWriting = OpenFlags(rawValue: O_RDWR)
    /// Make it where it is missing.
    public static let creating = OpenFlags(rawValue: O_CREAT)
    /// With `creating`: EEXIST where anything, also a symbolic link, is there.
    public static let onlyNew = OpenFlags(rawValue: O_EXCL)
    /// Write at the end.
    public static let appending = OpenFlags(rawValue: O_APPEND)
    /// A place in the tree only, not the contents (O_PATH).
    public static let pathOnly = OpenFlags(rawValue: clinux_o_path)
    /// A file without a name, in the folder that is given; gone with its last descriptor unless it gets a name (O_TMPFILE).
    public static let nameless = OpenFlags(rawValue: clinux_o_tmpfile)
    /// Only a folder.
    public static let directory = OpenFlags(rawValue: O_DIRECTORY)
    /// Do not wait for the other side of a pipe or for a terminal's carrier.
    public static let nonBlocking = OpenFlags(rawValue: O_NONBLOCK)
    /// Do not let a terminal become this process's own.
    public static let notControlling = OpenFlags(rawValue: O_NOCTTY)
  }

  /// Opens a file, following symbolic links (open(2)).
  ///
  /// - Parameter mode: Permission bits of a new file, less the umask.
  /// - Throws: ``Errno``: ENOENT, EACCES, EEXIST, EISDIR, EMFILE, EINVAL and others of open(2).
  public static func open(_ path: String, _ flags: OpenFlags, mode: UInt16 = 0o600) throws(Errno) -> OwnedDescriptor {
    try SystemCall.open(path, flags.rawValue, mode: UInt32(mode))
  }

  /// Opens a file but no symbolic link at the last component (O_NOFOLLOW).
  ///
  /// - Throws: ``Errno``: ELOOP for a link, else as ``open(_:_:mode:)``.
  public static func openNoFollow(
    _ path: String, _ flags: OpenFlags, mode: UInt16 = 0o600
  ) throws(Errno) -> OwnedDescriptor {
    try SystemCall.open(path, flags.rawValue | O_NOFOLLOW, mode: UInt32(mode))
  }

  /// The facts about an open file (fstat(2)).
  ///
  /// - Throws: ``Errno``: EIO, ENOMEM.
  public static func facts(_ descriptor: OwnedDescriptor) throws(Errno) -> FileFacts {
    var record = stat()
    try SystemCall.run { unsafe fstat(descriptor.number, &record) }
    return FileFacts(record)
  }

  /// How long an open file is and how many names it has, without its times (statx(2)): since Linux 6.13 asking for those
  /// makes the file's next write note a time of its own, which costs more than the write.
  ///
  /// - Throws: ``Errno``: EIO, ENOMEM.
  public static func extent(_ descriptor: OwnedDescriptor) throws(Errno) -> (size: Int64, links: UInt32) {
    var size: Int64 = 0
    var links: UInt32 = 0
    try SystemCall.run { unsafe clinux_extent(descriptor.number, &size, &links) }
    return (size, links)
  }

  /// The facts about the file at a path; a symbolic link is followed (stat(2)).
  ///
  /// - Throws: ``Errno``: ENOENT, EACCES, ENOTDIR, ELOOP.
  public static func facts(_ path: String) throws(Errno) -> FileFacts {
    try facts(path, flags: 0)
  }

  /// The facts about what is at a path, also where it is a symbolic link (lstat(2)).
  ///
  /// - Throws: ``Errno``: ENOENT, EACCES, ENOTDIR.
  public static func factsNoFollow(_ path: String) throws(Errno) -> FileFacts {
    try facts(path, flags: AT_SYMLINK_NOFOLLOW)
  }

  private static func facts(_ path: String, flags: Int32) throws(Errno) -> FileFacts {
    try SystemCall.requireNoNUL(path)
    var record = stat()
    try SystemCall.run { unsafe fstatat(AT_FDCWD, path, &record, flags) }
    return FileFacts(record)
  }

  /// Makes a folder with exactly these permission bits, whatever the umask.
  ///
  /// - Throws: ``Errno``: EEXIST, ENOENT (no parent), EACCES.
  public static func makeDirectory(_ path: String, mode: UInt16) throws(Errno) {
    try SystemCall.requireNoNUL(path)
    // Narrow first: a folder that is meant to be closed is never open, not even for a moment.
    try SystemCall.run { unsafe mkdir(path, mode_t(mode & 0o700)) }
    try SystemCall.run { unsafe chmod(path, mode_t(mode)) }
  }

  /// Sets the permission bits of an open file.
  ///
  /// - Throws: ``Errno``: EPERM.
  public static func setMode(_ descriptor: OwnedDescriptor, _ mode: UInt16) throws(Errno) {
    try SystemCall.run { fchmod(descriptor.number, mode_t(mode)) }
  }

  /// Removes a file's name; a symbolic link itself, never what it points to.
  ///
  /// - Throws: ``Errno``: ENOENT, EISDIR, EACCES, EPERM.
  public static func unlink(_ path: String) throws(Errno) {
    try SystemCall.requireNoNUL(path)
    try SystemCall.run { unsafe CLinux.unlink(path) }
  }

  /// Removes an empty folder.
  ///
  /// - Throws: ``Errno``: ENOENT, ENOTEMPTY, ENOTDIR, EACCES.
  public static func removeDirectory(_ path: String) throws(Errno) {
    try SystemCall.requireNoNUL(path)
    try SystemCall.run { unsafe rmdir(path) }
  }

  /// Gives a file another name on the same file system, replacing what is there (rename(2)).
  ///
  /// - Throws: ``Errno``: ENOENT, EXDEV, EACCES.
  public static func rename(_ old: String, to new: String) throws(Errno) {
    try SystemCall.requireNoNUL(old)
    try SystemCall.requireNoNUL(new)
    try SystemCall.run { unsafe CLinux.rename(old, new) }
  }

  /// Waits until the contents of an open file or folder are on the disk (fsync(2)).
  ///
  /// - Throws: ``Errno``: EIO, ENOSPC: the contents may be lost.
  public static func sync(_ descriptor: OwnedDescriptor) throws(Errno) {
    try SystemCall.run { fsync(descriptor.number) }
  }

  /// Waits until a folder's own entries are on the disk.
  ///
  /// - Throws: ``Errno``: ENOENT, ENOTDIR, EIO.
  public static func syncDirectory(_ path: String) throws(Errno) {
    try sync(try open(path, [.reading, .directory]))
  }

  /// The text of a symbolic link.
  ///
  /// - Throws: ``Errno``: EINVAL (no link), ENOENT, EACCES; ENAMETOOLONG above 4095 bytes.
  public static func readLink(_ path: String) throws(Errno) -> String {
    try SystemCall.requireNoNUL(path)
    return try LinkText.read(directory: AT_FDCWD, path)
  }
}

/// Reading a symbolic link whole.
enum LinkText {
  static func read(directory: Int32, _ path: String) throws(Errno) -> String {
    var text = [CChar](repeating: 0, count: 4096)
    let count = try SystemCall.run { unsafe readlinkat(directory, path, &text, text.count) }
    guard count < text.count else { throw .nameTooLong }
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
