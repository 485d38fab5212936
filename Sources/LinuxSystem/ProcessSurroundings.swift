/// What surrounds this process and would make it fail later or be watched: looked at when a daemon starts.
public struct ProcessSurroundings: Hashable, Sendable {
  /// A system call filter (prctl(2) PR_SET_SECCOMP).
  public enum Seccomp: Hashable, Sendable {
    case none, strict, filter
    /// The kernel does not say (a kernel without it).
    case unknown
  }

  /// Whether a namespace is the one of the first process.
  public enum Namespace: Hashable, Sendable {
    /// It is.
    case initial
    /// It is another one.
    case foreign
    /// The first process may not be looked at.
    case unknown
  }

  /// The process that traces this one, or `nil` for none.
  public let tracer: Int32?
  /// Whether programs started from here gain no privileges: set-group-id helpers of PAM then fail.
  public let noNewPrivileges: Bool
  /// A system call filter.
  public let seccomp: Seccomp
  /// The user namespace.
  public let userNamespace: Namespace
  /// The mount namespace.
  public let mountNamespace: Namespace

  /// Looks around.
  ///
  /// - Throws: ``Errno``: /proc cannot be read, or has another form (EBADMSG).
  public static func current() throws(Errno) -> ProcessSurroundings {
    let status = try Files.readAll("/proc/self/status", limit: 65_536)
    return try parse(status: status, userNamespace: userNamespace(), mountNamespace: comparedToFirst("mnt"))
  }

  /// Reads the text of /proc/self/status.
  static func parse(
    status: [UInt8], userNamespace: Namespace, mountNamespace: Namespace
  ) throws(Errno) -> ProcessSurroundings {
    let tracer: Int32 = try ProcessText.number("TracerPid", in: status)
    let privileges: Int32 = try ProcessText.number("NoNewPrivs", in: status)
    return ProcessSurroundings(
      tracer: tracer == 0 ? nil : tracer, noNewPrivileges: privileges != 0, seccomp: seccomp(in: status),
      userNamespace: userNamespace, mountNamespace: mountNamespace)
  }

  private static func seccomp(in status: [UInt8]) -> Seccomp {
    switch ProcessText.value("Seccomp", in: status) {
    case "0": .none
    case "1": .strict
    case "2": .filter
    default: .unknown
    }
  }

  /// The first process tells where it may be asked. Else: only the initial namespace maps every id to itself.
  private static func userNamespace() -> Namespace {
    let compared = comparedToFirst("user")
    guard compared == .unknown else { return compared }
    guard let map = try? Files.readAll("/proc/self/uid_map", limit: 4096) else { return .unknown }
    return isFullMap(map) ? .initial : .foreign
  }

  static func isFullMap(_ text: [UInt8]) -> Bool {
    let fields = String(decoding: text, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\n" })
    return fields == ["0", "0", "4294967295"]
  }

  private static func comparedToFirst(_ name: String) -> Namespace {
    guard let own = try? Files.readLink("/proc/self/ns/" + name), let first = try? Files.readLink("/proc/1/ns/" + name)
    else { return .unknown }
    return own == first ? .initial : .foreign
  }
}
