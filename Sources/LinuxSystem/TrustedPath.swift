/// Whether a path can be changed only by those who are trusted: every folder on the way, every symbolic link and the
/// file itself belong to them, and nobody else may write there.
public enum TrustedPath {
  /// The answer.
  public enum Verdict: Hashable, Sendable {
    /// Nobody else can change what is there. These are the file's facts.
    case trusted(FileFacts)
    /// Somebody else can, or it cannot be told; by the first component that is so.
    case refused(component: String, Reason)
  }

  /// What is wrong with a component.
  public enum Reason: Hashable, Sendable {
    /// It belongs to somebody else.
    case owner(UInt32)
    /// The group or everybody may write it. A sticky bit does not help: in such a folder a name can still be made
    /// before ours.
    case writable(mode: UInt16)
    /// The path does not start with a slash.
    case notAbsolute
    /// More than 40 symbolic links.
    case tooManyLinks
    /// It cannot be looked at, or is not there.
    case unreadable(Errno)
  }

  /// Follows a path from the root folder.
  ///
  /// - Parameters:
  ///   - path: An absolute path; `..` and symbolic links are followed, their folders checked as well.
  ///   - owners: The user ids that are trusted.
  public static func check(_ path: String, owners: Set<UInt32> = [0]) -> Verdict {
    guard path.hasPrefix("/") else { return .refused(component: path, .notAbsolute) }
    var walk = TrustedWalk(path: path, owners: owners)
    while true {
      if let verdict = walk.step() { return verdict }
    }
  }
}

private struct TrustedWalk {
  private var pending: [String]
  private var done: [String] = []
  private var links = 0
  private let owners: Set<UInt32>
  private var started = false

  init(path: String, owners: Set<UInt32>) {
    pending = Self.split(path).reversed()
    self.owners = owners
  }

  /// Looks at one component; the verdict once there is one.
  mutating func step() -> TrustedPath.Verdict? {
    if started, let name = pending.popLast() {
      guard name != "." else { return nil }
      guard name != ".." else {
        // What was walked holds no link any more, so the last name's folder is its parent.
        _ = done.popLast()
        return pending.isEmpty ? look() : nil
      }
      done.append(name)
    } else if started {
      return look()
    }
    started = true
    return look()
  }

  private var place: String { "/" + done.joined(separator: "/") }

  private mutating func look() -> TrustedPath.Verdict? {
    do throws(Errno) {
      let facts = try Files.factsNoFollow(place)
      if let reason = objection(facts) { return .refused(component: place, reason) }
      if facts.kind == .symbolicLink { return try follow() }
      return pending.isEmpty ? .trusted(facts) : nil
    } catch {
      return .refused(component: place, .unreadable(error))
    }
  }

  private func objection(_ facts: FileFacts) -> TrustedPath.Reason? {
    guard owners.contains(facts.owner) else { return .owner(facts.owner) }
    // A link has no permission bits of its own; who may replace it is decided by its folder.
    guard facts.kind != .symbolicLink, facts.isWritableByOthers else { return nil }
    return .writable(mode: facts.mode)
  }

  private mutating func follow() throws(Errno) -> TrustedPath.Verdict? {
    links += 1
    guard links <= 40 else { return .refused(component: place, .tooManyLinks) }
    let target = try Files.readLink(place)
    done = target.hasPrefix("/") ? [] : Array(done.dropLast())
    pending += Self.split(target).reversed()
    return nil
  }

  private static func split(_ path: String) -> [String] { path.split(separator: "/").map(String.init) }
}
