internal import CLinux

extension Files {
  /// The names in a folder but `.` and `..`, ordered by their bytes (opendir(3), readdir(3)).
  ///
  /// - Parameter limit: The most names there may be.
  /// - Throws: ``Errno``: ENOENT, ENOTDIR, EACCES; EFBIG above `limit`; EINVAL for a name that is not UTF-8.
  public static func names(in path: String, limit: Int = 10_000) throws(Errno) -> [String] {
    try SystemCall.requireNoNUL(path)
    guard let folder = unsafe opendir(path) else { throw Errno.current }
    defer { unsafe _ = closedir(folder) }
    var names: [String] = []
    while let name = try unsafe nextName(of: folder) {
      guard name != ".", name != ".." else { continue }
      guard names.count < limit else { throw .fileTooLarge }
      names.append(name)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func nextName(of folder: OpaquePointer) throws(Errno) -> String? {
    // NAME_MAX bytes and the final NUL.
    var bytes = [CChar](repeating: 0, count: 256)
    guard try SystemCall.run({ unsafe clinux_next_name(folder, &bytes, bytes.count) }) == 1 else { return nil }
    let name = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    guard let text = String(validating: name, as: UTF8.self) else { throw .invalidArgument }
    return text
  }
}
