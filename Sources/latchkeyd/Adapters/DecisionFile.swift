internal import LinuxSystem

/// The two files of a decision log: the one that is written, and the one before it.
struct DecisionFile {
  /// The file that is written.
  let path: String
  /// Most bytes of each of the two.
  let maximumBytes: Int64

  private var file: OwnedDescriptor?
  /// Whether the last line may be cut off.
  private var isTorn = false

  init(path: String, maximumBytes: Int64) {
    self.path = path
    self.maximumBytes = maximumBytes
  }

  /// The file before the one that is written.
  var olderPath: String { path + ".1" }

  /// Appends a line in one write; begins a new file where this one would grow too large.
  ///
  /// - Throws: ``Errno``: ENOSPC, EDQUOT, EROFS, EACCES, ELOOP (a symbolic link stands there), EIO. The next line then begins on a
  ///   line of its own.
  mutating func append(_ line: [UInt8]) throws(Errno) {
    var (file, size) = try opened()
    let bytes = isTorn ? [UInt8(ascii: "\n")] + line : line
    if size + Int64(bytes.count) > maximumBytes { file = try begun() }
    do throws(Errno) {
      try Files.writeAll(file, bytes.span)
      isTorn = false
    } catch {
      isTorn = true
      throw error
    }
  }

  /// Both files for reading, the newer first.
  ///
  /// - Throws: ``Errno``: as of open(2); a missing file is none.
  func readable() throws(Errno) -> [OwnedDescriptor] {
    var files: [OwnedDescriptor] = []
    for path in [path, olderPath] {
      do throws(Errno) {
        files.append(try Files.openNoFollow(path, [.reading, .nonBlocking]))
      } catch .noSuchFile {
        continue
      }
    }
    return files
  }

  /// The file and its size, made anew where somebody took it away.
  private mutating func opened() throws(Errno) -> (OwnedDescriptor, size: Int64) {
    if let file {
      let extent = try Files.extent(file)
      if extent.links > 0 { return (file, extent.size) }
    }
    let flags: Files.OpenFlags = [.readingAndWriting, .appending, .creating, .nonBlocking, .notControlling]
    let fresh = try Files.openNoFollow(path, flags, mode: 0o600)
    let facts = try Files.facts(fresh)
    guard facts.kind == .regular else { throw .invalidArgument }
    guard facts.owner == Users.effectiveUserID else { throw .notPermitted }
    if facts.mode != 0o600 { try Files.setMode(fresh, 0o600) }
    if facts.size > 0 {
      isTorn = try Files.read(fresh, from: facts.size - 1, count: 1) != [UInt8(ascii: "\n")]
    } else {
      isTorn = false
    }
    file = fresh
    return (fresh, facts.size)
  }

  /// A new file; the one so far takes the older one's place.
  private mutating func begun() throws(Errno) -> OwnedDescriptor {
    try Files.rename(path, to: olderPath)
    file = nil
    return try opened().0
  }
}
