/// What the kernel says about the process at the other end of a connection. Nothing in it is claimed by that process,
/// and none of it has a value that stands for "could not be told": that is a refusal, or `nil` or `.unknown` where it
/// may be missing.
public struct PeerIdentity: Hashable, Sendable {
  /// A process by id and start time, so that a later process with the same id is another one.
  public struct Process: Hashable, Sendable {
    /// The process id.
    public let pid: Int32
    /// Start time in clock ticks since boot.
    public let startTime: UInt64
  }

  /// The program file.
  public enum Executable: Hashable, Sendable {
    /// The file, as this process's kernel sees it.
    case known(ExecutableFile)
    /// It may not be looked at (EACCES: the process belongs to another user or hides itself) or has none.
    case unknown(Errno)
  }

  /// The effective user id at the time of the connection.
  public let uid: UInt32
  /// The effective group id at the time of the connection.
  public let gid: UInt32
  /// The process.
  public let process: Process
  /// The controlling terminal's device number, or `nil`.
  public let terminalDevice: UInt64?
  /// The session's leader, or `nil` where it has ended or cannot be seen.
  public let sessionLeader: Process?
  /// The program file.
  public let executable: Executable
}

/// Why nothing can be said about the process at the other end. The connection is of no use then.
public enum PeerRefusal: Error, Hashable, Sendable {
  /// The kernel did not say who it is.
  case credentialsUnavailable(Errno)
  /// The process has ended, or ended while it was looked at.
  case exited
  /// The descriptor of the process and the credentials name different processes.
  case mismatch
  /// The process started after the connection was made: its id was used again.
  case reusedID
  /// A look at the process failed.
  case unreadable(Errno)
}

/// The raw answers to all looks at a peer, failures included.
struct PeerObservations {
  var credentials: Result<PeerCredentials, Errno>
  /// The process id behind the pidfd; -1 where it ended.
  var pidfdProcess: Result<Int32, Errno>
  var status: Result<ProcessStatus, Errno>
  var leader: Result<ProcessStatus, Errno>
  var executable: Result<ExecutableFile, Errno>
  /// Looked at last: a process that lives now is the one that all the other answers were about.
  var hasExited: Result<Bool, Errno>
  /// The latest start that the process may have, in clock ticks since boot.
  var latestStart: UInt64

  /// The identity, only if every answer that it rests on was a success and all are about one process.
  func judge() throws(PeerRefusal) -> PeerIdentity {
    let credentials = try self.credentials.get(orRefuse: PeerRefusal.credentialsUnavailable)
    let behind = try pidfdProcess.get(orRefuse: PeerRefusal.unreadable)
    guard behind != -1 else { throw .exited }
    guard behind == credentials.pid else { throw .mismatch }
    guard try !hasExited.get(orRefuse: PeerRefusal.unreadable) else { throw .exited }
    let status = try self.status.get(orRefuse: PeerRefusal.unreadable)
    guard status.pid == credentials.pid else { throw .mismatch }
    guard !status.isZombie else { throw .exited }
    guard status.startTime <= latestStart else { throw .reusedID }
    return PeerIdentity(
      uid: credentials.uid, gid: credentials.gid, process: status.identity, terminalDevice: status.terminalDevice,
      sessionLeader: leader(of: status), executable: program)
  }

  private func leader(of status: ProcessStatus) -> PeerIdentity.Process? {
    guard case .success(let leader) = leader, leader.pid == status.session, leader.pid > 0 else { return nil }
    return leader.identity
  }

  private var program: PeerIdentity.Executable {
    switch executable {
    case .success(let file): .known(file)
    case .failure(let failure): .unknown(failure)
    }
  }
}

extension ProcessStatus {
  /// The process by id and start time.
  public var identity: PeerIdentity.Process { PeerIdentity.Process(pid: pid, startTime: startTime) }
}

extension Result where Failure == Errno {
  fileprivate func get(orRefuse refusal: (Errno) -> PeerRefusal) throws(PeerRefusal) -> Success {
    switch self {
    case .success(let value): return value
    case .failure(let failure): throw refusal(failure)
    }
  }
}
