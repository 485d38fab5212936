/// What the daemon found out about the program that asks. Nothing here is claimed by the program itself.
public struct PeerFacts: Hashable, Sendable {
  /// The user id of the process.
  public var uid: UInt32
  /// The process id and the clock tick it started at: a re-used id is another process.
  public var process: ProcessIdentity
  /// The terminal it belongs to, or `nil`.
  public var terminal: TerminalIdentity?
  /// The login session, by its leader.
  public var session: ProcessIdentity?
  /// The program file, or `nil` where it could not be told.
  public var executable: ExecutableIdentity?
  /// Whether the session is local. Unknown counts as remote.
  public var origin: Origin

  /// Gathers the facts.
  public init(
    uid: UInt32, process: ProcessIdentity, terminal: TerminalIdentity? = nil, session: ProcessIdentity? = nil,
    executable: ExecutableIdentity? = nil, origin: Origin = .unknown
  ) {
    self.uid = uid
    self.process = process
    self.terminal = terminal
    self.session = session
    self.executable = executable
    self.origin = origin
  }

  /// Where the session comes from.
  public enum Origin: UInt8, Sendable { case local = 1, remote = 2, unknown = 3 }
}

/// A process that cannot be mistaken for a later one with the same id.
public struct ProcessIdentity: Hashable, Sendable {
  /// The process id.
  public let pid: Int32
  /// Start time in clock ticks since boot (proc(5), field 22).
  public let startTime: UInt64
  /// Names a process.
  public init(pid: Int32, startTime: UInt64) {
    self.pid = pid
    self.startTime = startTime
  }
}

/// A terminal together with the session that owns it, so that the next login on the same terminal is another one.
public struct TerminalIdentity: Hashable, Sendable {
  /// Device number (proc(5), field 7).
  public let device: UInt64
  /// The session leader.
  public let leader: ProcessIdentity
  /// Names a terminal.
  public init(device: UInt64, leader: ProcessIdentity) {
    self.device = device
    self.leader = leader
  }
}

/// A program file by device and inode; a path can be faked with a mount.
public struct ExecutableIdentity: Hashable, Sendable {
  /// Device number (stat(2) st_dev).
  public let device: UInt64
  /// Inode (stat(2) st_ino).
  public let inode: UInt64
  /// The path for display and logs only.
  public let displayPath: String
  /// Names a file.
  public init(device: UInt64, inode: UInt64, displayPath: String) {
    self.device = device
    self.inode = inode
    self.displayPath = displayPath
  }
  /// The same file, whatever it is called.
  public static func == (left: Self, right: Self) -> Bool { left.device == right.device && left.inode == right.inode }
  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(device)
    hasher.combine(inode)
  }
}
