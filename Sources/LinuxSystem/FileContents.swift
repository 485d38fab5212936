internal import CLinux

extension Files {
  /// What happens to a file that is there already.
  public enum Existing: Sendable {
    /// It is replaced, in one step.
    case replaced
    /// It stays, and the write fails with EEXIST.
    case kept
  }

  /// Reads a whole file into ordinary memory.
  ///
  /// - Parameter limit: The most bytes it may have, 0 or more.
  /// - Throws: ``Errno``: EFBIG above `limit`, ENOENT, EACCES, EISDIR and others of open(2) and read(2).
  public static func readAll(_ path: String, limit: Int) throws(Errno) -> [UInt8] {
    // A pipe put where a file should be must not make the reader wait for a writer.
    try readAll(try open(path, [.reading, .nonBlocking, .notControlling]), limit: limit)
  }

  /// Reads from an open file's position to its end.
  ///
  /// - Parameter limit: The most bytes there may be, 0 or more.
  /// - Throws: ``Errno``: EFBIG above `limit`, EISDIR, EAGAIN (a pipe or socket that waits), EIO.
  public static func readAll(_ descriptor: OwnedDescriptor, limit: Int) throws(Errno) -> [UInt8] {
    precondition(limit >= 0)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit + 1, 16_384))
    while true {
      let count = try SystemCall.run { unsafe CLinux.read(descriptor.number, &chunk, chunk.count) }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { throw .fileTooLarge }
      bytes.append(contentsOf: chunk.prefix(count))
    }
  }

  /// Reads once, up to the buffer's size. For secrets: the bytes go to the caller's own memory only.
  ///
  /// - Parameter offset: The first place of `buffer` to fill.
  /// - Returns: The bytes read; 0 at the end, and where `offset` leaves no room.
  /// - Throws: ``Errno``: EAGAIN, EISDIR, EIO, EINVAL (`offset` is outside of `buffer`).
  public static func read(
    _ descriptor: OwnedDescriptor, into buffer: inout MutableSpan<UInt8>, at offset: Int = 0
  ) throws(Errno) -> Int {
    guard (0...buffer.count).contains(offset) else { throw .invalidArgument }
    return try unsafe buffer.withUnsafeMutableBytes { whole throws(Errno) in
      let raw = unsafe UnsafeMutableRawBufferPointer(rebasing: whole[offset...])
      return try SystemCall.run { unsafe CLinux.read(descriptor.number, raw.baseAddress, raw.count) }
    }
  }

  /// Reads a part of a file, wherever its position is (pread(2)).
  ///
  /// - Parameters:
  ///   - start: The first byte; 0 or more.
  ///   - count: The most bytes, 0 or more.
  /// - Returns: The bytes; fewer than `count` only where the file ends before.
  /// - Throws: ``Errno``: EISDIR, EIO, ESPIPE (a pipe), EINVAL.
  public static func read(_ descriptor: OwnedDescriptor, from start: Int64, count: Int) throws(Errno) -> [UInt8] {
    guard start >= 0, count >= 0 else { throw .invalidArgument }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      var span = bytes.mutableSpan
      let step = try unsafe span.withUnsafeMutableBytes { whole throws(Errno) in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: whole[filled...])
        return try SystemCall.run {
          unsafe pread(descriptor.number, rest.baseAddress, rest.count, off_t(start) + filled)
        }
      }
      if step == 0 { break }
      filled += step
    }
    return filled == count ? bytes : Array(bytes.prefix(filled))
  }

  /// Writes all bytes (write(2), again until done). A pipe without a reader raises SIGPIPE unless it is ignored.
  ///
  /// - Throws: ``Errno``: ENOSPC, EDQUOT, EIO, EPIPE, EAGAIN. Some bytes may have been written.
  public static func writeAll(_ descriptor: OwnedDescriptor, _ bytes: Span<UInt8>) throws(Errno) {
    try writeAll(descriptor.number, bytes)
  }

  static func writeAll(_ descriptor: Int32, _ bytes: Span<UInt8>) throws(Errno) {
    try unsafe bytes.withUnsafeBytes { raw throws(Errno) in
      var written = 0
      while written < raw.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: raw[written...])
        written += try SystemCall.run { unsafe write(descriptor, rest.baseAddress, rest.count) }
      }
    }
  }

  /// Puts a file in place whole or not at all, and on the disk before it returns: a temporary file beside it, fsync,
  /// rename, fsync of the folder.
  ///
  /// - Parameters:
  ///   - bytes: The contents.
  ///   - path: Where; the folder must exist.
  ///   - mode: The exact permission bits, whatever the umask.
  ///   - existing: What happens to a file that is there.
  /// - Throws: ``Errno``: EEXIST (`.kept`), ENOSPC, EDQUOT, EIO, EACCES, ENOENT (no folder). The old file is then
  ///   untouched and no temporary file stays, except that after a failed sync of the folder the new file may be in
  ///   place already.
  public static func writeAtomically(
    _ bytes: Span<UInt8>, to path: String, mode: UInt16, existing: Existing = .replaced
  ) throws(Errno) {
    let file = try NewFile(for: path, mode: mode)
    try writeAll(file.descriptor, bytes)
    try file.place(existing)
  }

  static func place(_ temporary: String, at path: String, _ existing: Existing) throws(Errno) {
    switch existing {
    case .replaced: try rename(temporary, to: path)
    case .kept:
      do throws(Errno) {
        try SystemCall.run { unsafe clinux_rename_new(temporary, path) }
      } catch .invalidArgument {
        // A file system without that: a second name fails where the first exists, which rename(2) would not.
        try SystemCall.run { unsafe link(temporary, path) }
        try unlink(temporary)
      }
    }
  }

  /// The folder a path lies in: the text up to the last slash.
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

/// Names that nobody can guess.
enum RandomName {
  /// How long a name is.
  static let count = 16

  /// 16 hexadecimal digits from the kernel's generator (getrandom(2)).
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = String(generator.next() as UInt64, radix: 16)
    return String(repeating: "0", count: count - digits.count) + digits
  }
}
