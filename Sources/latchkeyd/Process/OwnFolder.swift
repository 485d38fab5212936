internal import LinuxSystem

/// A folder that this daemon alone may change, made where it is missing.
struct OwnFolder {
  /// The path: absolute, without `..`.
  let path: String
  /// Its permission bits: 0700, or 0755 where others find a socket in it.
  let mode: UInt16
  /// Who it must belong to.
  let owner: UInt32

  /// Walks down to the folder. On the way every folder and link belongs to root or the owner; the folder itself is no link.
  ///
  /// - Throws: ``StartFailure``: the first component that is not so.
  func prepare() throws(StartFailure) {
    var place = ""
    let names = path.split(separator: "/")
    for (index, name) in names.enumerated() {
      place += "/" + name
      let isLast = index == names.count - 1
      do throws(Errno) {
        try check(try factsMaking(place), place, isLast: isLast)
      } catch { throw .unavailable("\(place): \(error)") }
    }
    try narrow()
  }

  private func factsMaking(_ place: String) throws(Errno) -> FileFacts {
    do throws(Errno) {
      return try Files.factsNoFollow(place)
    } catch .noSuchFile {
      do throws(Errno) { try Files.makeDirectory(place, mode: mode) } catch .fileExists {}
      return try Files.factsNoFollow(place)
    }
  }

  private func check(_ facts: FileFacts, _ place: String, isLast: Bool) throws(Errno) {
    guard facts.owner == owner || (facts.owner == 0 && !isLast) else { throw .notPermitted }
    switch facts.kind {
    case .directory: return
    case .symbolicLink where !isLast: return
    case .symbolicLink: throw .symbolicLink
    default: throw .notDirectory
    }
  }

  /// Others may have put things into a folder they could write to: it is refused. One they could only read is shut.
  private func narrow() throws(StartFailure) {
    do throws(Errno) {
      let folder = try Files.openNoFollow(path, [.reading, .directory])
      let facts = try Files.facts(folder)
      guard facts.owner == owner, !facts.isWritableByOthers else { throw Errno.notPermitted }
      if facts.mode & 0o077 & ~mode != 0 { try Files.setMode(folder, mode) }
    } catch { throw .unavailable("\(path) must belong to this daemon alone: \(error)") }
  }
}
