internal import KeychainModel
internal import LinuxSystem

/// The folder that a store lies in: nobody but the daemon looks into it.
struct StoreFolder {
  let path: String

  /// Makes the folder, mode 0700, with whatever is missing above it; closes one that was open to others.
  ///
  /// - Throws: `storeForeign` where it belongs to somebody else, `storeDamaged` where it is no folder, `storeReadOnly`,
  ///   `diskFull`, `ioFailed`.
  func prepare() throws(Refusal) {
    let owner: UInt32
    do throws(Errno) {
      owner = try Self.makeOrClose(path)
    } catch {
      throw Self.refusal(error, path)
    }
    guard owner == Users.effectiveUserID else {
      throw Refusal(.storeForeign, detail: "\(path) belongs to the user id \(owner)")
    }
  }

  /// Makes sure of the folder and answers whose it is; another user's is left as it is.
  private static func makeOrClose(_ path: String) throws(Errno) -> UInt32 {
    try make(path)
    let folder = try Files.openNoFollow(path, [.reading, .directory])
    let facts = try Files.facts(folder)
    if facts.owner == Users.effectiveUserID, facts.mode & 0o077 != 0 { try Files.setMode(folder, 0o700) }
    return facts.owner
  }

  private static func make(_ path: String) throws(Errno) {
    do throws(Errno) {
      try Files.makeDirectory(path, mode: 0o700)
    } catch .fileExists {
      return
    } catch .noSuchFile {
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { throw .noSuchFile }
      try make(String(path[..<slash]))
      try Files.makeDirectory(path, mode: 0o700)
    }
  }

  /// What a failed call on a file of the store means.
  static func refusal(_ error: Errno, _ path: String) -> Refusal {
    let detail = "\(path): \(error)"
    return switch error {
    case .accessDenied, .notPermitted, .readOnlyFileSystem: Refusal(.storeReadOnly, detail: detail)
    case .noSpace, .quotaExceeded: Refusal(.diskFull, detail: detail)
    case .symbolicLink, .notDirectory: Refusal(.storeDamaged, detail: "\(path) is not a folder")
    default: Refusal(.ioFailed, detail: detail)
    }
  }
}
