/// Where a process's login session comes from.
public enum PeerOrigin: Hashable, Sendable {
  /// Somebody sits at this machine.
  case local
  /// It came over the network.
  case remote
  /// It could not be told. To be treated as remote.
  case unknown

  /// Weighs the facts: one sign of a remote session is enough, local needs logind's word, all else is unknown.
  static func judge(_ facts: OriginFacts) -> PeerOrigin {
    if facts.hasNetworkAncestor || facts.session == .remote { return .remote }
    return facts.session == .local && facts.sawAllAncestors ? .local : .unknown
  }

  /// Weighs what logind said of a process's session, with its ancestors.
  ///
  /// - Parameter pid: The process, which must be known to live (see ``PeerProcess``).
  public static func weigh(pid: Int32, _ word: SessionWord) -> PeerOrigin {
    let ancestors = Ancestors.read(of: pid)
    return judge(
      OriginFacts(
        session: LoginRecord.Place(word), hasNetworkAncestor: ancestors.found.contains { $0.isNetworkServer },
        sawAllAncestors: ancestors.areAll))
  }

  /// Looks at a process's session as logind recorded it and at its ancestors.
  ///
  /// - Parameters:
  ///   - pid: The process, which must be known to live (see ``PeerProcess``).
  ///   - uid: Its user: a session of another user says nothing about it.
  ///   - sessionsFolder: Where logind keeps its sessions.
  public static func read(pid: Int32, uid: UInt32, sessionsFolder: String = "/run/systemd/sessions") -> PeerOrigin {
    let ancestors = Ancestors.read(of: pid)
    return judge(
      OriginFacts(
        session: LoginRecord.read(pid: pid, uid: uid, folder: sessionsFolder),
        hasNetworkAncestor: ancestors.found.contains { $0.isNetworkServer }, sawAllAncestors: ancestors.areAll))
  }
}

/// What logind says of the session of a user's process.
public enum SessionWord: Hashable, Sendable {
  /// It is the user's, at this machine.
  case local
  /// It came over the network, whoever's it is.
  case remote
  /// There is none, or it is somebody else's.
  case none
}

/// What is known about where a session comes from.
struct OriginFacts: Hashable {
  /// What logind recorded.
  var session: LoginRecord.Place
  /// Whether a root-owned remote login server is among the ancestors.
  var hasNetworkAncestor: Bool
  /// Whether the ancestors could be followed to the first process.
  var sawAllAncestors: Bool
}

/// A login session as logind records it (sd-login(3)).
enum LoginRecord {
  /// What its record says.
  enum Place: Hashable {
    case local, remote, unknown

    init(_ word: SessionWord) {
      switch word {
      case .local: self = .local
      case .remote: self = .remote
      case .none: self = .unknown
      }
    }
  }

  static func read(pid: Int32, uid: UInt32, folder: String) -> Place {
    guard let id = name(pid: pid, uid: uid), let text = try? Files.readAll(folder + "/" + id, limit: 16_384) else {
      return .unknown
    }
    return parse(text, uid: uid)
  }

  /// Reads the record of a session: `NAME=value` lines, the same user, and a word about the network.
  static func parse(_ text: [UInt8], uid: UInt32) -> Place {
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    guard lines.contains("UID=\(uid)") else { return .unknown }
    if lines.contains("REMOTE=0") { return lines.contains("REMOTE=1") ? .unknown : .local }
    return lines.contains("REMOTE=1") ? .remote : .unknown
  }

  private static func name(pid: Int32, uid: UInt32) -> String? {
    if let text = try? Files.readAll("/proc/\(pid)/sessionid", limit: 32), let name = auditName(text) { return name }
    return (try? Files.readAll("/proc/\(pid)/cgroup", limit: 16_384)).flatMap { scopeName($0, uid: uid) }
  }

  /// The audit session, which logind uses as the name; the highest number means none.
  static func auditName(_ text: [UInt8]) -> String? {
    guard let number = UInt32(String(decoding: text, as: UTF8.self).split(separator: "\n").first ?? ""), number != .max
    else { return nil }
    return String(number)
  }

  /// The session whose scope the process is in. Only the place where logind makes them counts: below its own service
  /// manager a user may make groups of any name.
  static func scopeName(_ text: [UInt8], uid: UInt32) -> String? {
    let head = "/user.slice/user-\(uid).slice/session-"
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, fields[2].hasPrefix(head) else { continue }
      guard fields[2].hasSuffix(".scope") else { continue }
      let name = fields[2].dropFirst(head.count).dropLast(".scope".count)
      if !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) { return String(name) }
    }
    return nil
  }
}

/// A process's ancestors, nearest first.
struct Ancestors {
  /// The most that are followed.
  static let limit = 128

  /// One of them.
  struct Ancestor: Hashable {
    var name: String
    var isOwnedByRoot: Bool
    /// A name is the process's own word, but only root's processes count here, and the sign makes us stricter, never
    /// laxer.
    var isNetworkServer: Bool {
      isOwnedByRoot && ["sshd", "sshd-session", "dropbear", "in.telnetd", "mosh-server"].contains(name)
    }
  }

  var found: [Ancestor]
  var areAll: Bool

  static func read(of pid: Int32) -> Ancestors {
    var found: [Ancestor] = []
    var next = pid
    while next > 0, found.count < limit {
      guard let status = try? ProcessStatus.read(next), let owner = try? Files.facts("/proc/\(next)").owner else {
        return Ancestors(found: found, areAll: false)
      }
      found.append(Ancestor(name: status.name, isOwnedByRoot: owner == 0))
      next = status.parent
    }
    return Ancestors(found: found, areAll: next == 0)
  }
}
