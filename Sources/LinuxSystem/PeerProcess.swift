internal import CLinux
internal import Synchronization

/// The process at the other end of a connection, held by descriptors that no later process can take over.
public final class PeerProcess: Sendable {
  /// Who it was when the connection was taken. The program can change (execve); see ``executable()``.
  public let identity: PeerIdentity
  /// Readable (poll) once the process has ended. The connection may live on in a child of it: close it then.
  public let pidfd: OwnedDescriptor
  /// /proc/PID of this very process: looks below it fail (ESRCH) once it has ended, also if the id is in use again.
  private let folder: OwnedDescriptor
  private let last: Mutex<ExecutableFile?>

  private init(identity: PeerIdentity, pidfd: OwnedDescriptor, folder: OwnedDescriptor) {
    self.identity = identity
    self.pidfd = pidfd
    self.folder = folder
    if case .known(let file) = identity.executable { last = Mutex(file) } else { last = Mutex(nil) }
  }

  /// How the descriptor of the process is had.
  enum Method {
    /// The one the kernel kept with the connection; Linux 6.5 or later.
    case connection
    /// Opened by id: a process that ended at once and left its id to another is told apart by its start time only.
    case processID
  }

  /// Looks at the process at the other end of a connection that was just taken.
  ///
  /// - Parameter acceptedAt: When the connection was taken, on the boot-time clock: a peer that started later is not
  ///   the peer.
  /// - Throws: ``PeerRefusal``.
  public static func identify(_ socket: OwnedDescriptor, acceptedAt: UInt64) throws(PeerRefusal) -> PeerProcess {
    do throws(PeerRefusal) {
      return try identify(socket, acceptedAt: acceptedAt, method: .connection)
    } catch .unreadable(Errno(rawValue: ENOPROTOOPT)) {
      return try identify(socket, acceptedAt: acceptedAt, method: .processID)
    }
  }

  static func identify(
    _ socket: OwnedDescriptor, acceptedAt: UInt64, method: Method
  ) throws(PeerRefusal) -> PeerProcess {
    let credentials = Result { () throws(Errno) in try UnixSocket.peerCredentials(socket) }
    guard case .success(let peer) = credentials else {
      guard case .failure(let failure) = credentials else { throw .mismatch }
      throw .credentialsUnavailable(failure)
    }
    let (pidfd, folder) = try open(socket, peer, method)
    let status = Result { () throws(Errno) in try ProcessStatus.read(in: folder) }
    let observations = PeerObservations(
      credentials: credentials,
      pidfdProcess: Result { () throws(Errno) in try ProcessDescriptor.pid(pidfd) },
      status: status,
      leader: status.flatMap { status in Result { () throws(Errno) in try ProcessStatus.read(status.session) } },
      executable: Result { () throws(Errno) in try ExecutableFile.read(in: folder) },
      hasExited: Result { () throws(Errno) in try ProcessDescriptor.hasExited(pidfd) },
      latestStart: ClockTicks.rounding(up: acceptedAt))
    return PeerProcess(identity: try observations.judge(), pidfd: pidfd, folder: folder)
  }

  private static func open(
    _ socket: OwnedDescriptor, _ peer: PeerCredentials, _ method: Method
  ) throws(PeerRefusal) -> (OwnedDescriptor, OwnedDescriptor) {
    do throws(Errno) {
      let pidfd = try ProcessDescriptor.open(socket, peer, method)
      return (pidfd, try Files.open("/proc/\(peer.pid)", [.pathOnly, .directory]))
    } catch .noSuchFile {
      throw .exited
    } catch .noSuchProcess {
      throw .exited
    } catch {
      throw .unreadable(error)
    }
  }

  /// The program that the process runs now. Cheap enough for every request: a look at the file and one at the process.
  ///
  /// - Throws: ``PeerRefusal``: `.exited`, or `.unreadable` where even that cannot be told.
  public func executable() throws(PeerRefusal) -> PeerIdentity.Executable {
    let facts = Result { () throws(Errno) in try ExecutableFile.facts(in: folder) }
    guard try !hasExited() else { throw .exited }
    switch facts {
    case .success(let facts): return .known(named(facts))
    case .failure(let failure): return .unknown(failure)
    }
  }

  /// Whether the process has ended.
  ///
  /// - Throws: ``PeerRefusal``: `.unreadable`.
  public func hasExited() throws(PeerRefusal) -> Bool {
    do throws(Errno) {
      return try ProcessDescriptor.hasExited(pidfd)
    } catch {
      throw .unreadable(error)
    }
  }

  /// The path is read again only for another file.
  private func named(_ facts: FileFacts) -> ExecutableFile {
    last.withLock { last in
      if let known = last, known.device == facts.device, known.inode == facts.inode {
        return ExecutableFile(facts: facts, displayPath: known.displayPath)
      }
      let file = ExecutableFile(facts: facts, displayPath: ExecutableFile.path(in: folder))
      last = file
      return file
    }
  }
}

extension ExecutableFile {
  /// The file behind /proc/PID/exe: following this link leads to the file itself, not to what its text names.
  fileprivate static func facts(in folder: OwnedDescriptor) throws(Errno) -> FileFacts {
    var record = stat()
    try SystemCall.run { unsafe fstatat(folder.number, "exe", &record, 0) }
    return FileFacts(record)
  }

  fileprivate static func path(in folder: OwnedDescriptor) -> String {
    (try? LinkText.read(directory: folder.number, "exe")) ?? "?"
  }

  fileprivate static func read(in folder: OwnedDescriptor) throws(Errno) -> ExecutableFile {
    ExecutableFile(facts: try facts(in: folder), displayPath: path(in: folder))
  }
}

extension ProcessStatus {
  fileprivate static func read(in folder: OwnedDescriptor) throws(Errno) -> ProcessStatus {
    let file = OwnedDescriptor(owning: try SystemCall.run { unsafe clinux_openat(folder.number, "stat", O_RDONLY) })
    return try parse(try Files.readAll(file, limit: 4096))
  }
}
