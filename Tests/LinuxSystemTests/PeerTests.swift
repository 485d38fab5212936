import CLinux
import TestSupport
import Testing

@testable import LinuxSystem

/// A child that holds the far end of a connection of its own making.
private func connectedChild(_ program: String, _ arguments: [String], _ folder: TemporaryFolder) throws
  -> (SpawnedProcess, OwnedDescriptor)
{
  let listener = try UnixSocket.listen(path: folder.path("s"), mode: 0o666, backlog: 4)
  let child = try Spawn.start(program, SpawnPlan(arguments: [program] + arguments))
  let ready = try Poll.wait([PollEntry(listener)], timeoutMilliseconds: 20_000)
  try #require(ready[0].isReadable)
  return (child, try UnixSocket.accept(listener))
}

private let perl = "/usr/bin/perl"
private func script(_ folder: TemporaryFolder, then rest: String) -> [String] {
  [
    "-MIO::Socket::UNIX", "-e",
    "my $s = IO::Socket::UNIX->new(Peer => '\(folder.path("s"))') or die; $^F = 255; \(rest)",
  ]
}

@Test(arguments: [PeerProcess.Method.connection, .processID])
func `a peer is known by its own facts`(method: PeerProcess.Method) throws {
  let folder = try TemporaryFolder()
  let (child, socket) = try connectedChild(perl, script(folder, then: "sleep 1000"), folder)
  defer { child.killAndWait() }
  let peer = try PeerProcess.identify(socket, acceptedAt: Clock.boottime, method: method)
  #expect(peer.identity.uid == Users.effectiveUserID)
  #expect(peer.identity.process == (try ProcessStatus.read(child.pid).identity))
  #expect(peer.identity.sessionLeader == peer.identity.process, "it leads its own session")
  #expect(peer.identity.terminalDevice == nil)
  let facts = try Files.facts(perl)
  guard case .known(let file) = peer.identity.executable else {
    Issue.record("\(peer.identity.executable)")
    return
  }
  #expect(file == ExecutableFile(facts: facts, displayPath: "other"))
  #expect(file.displayPath == perl && file.owner == 0)
  #expect(try peer.executable() == .known(file))
}

@Test func `a peer that became another program is told by its new file`() throws {
  let folder = try TemporaryFolder()
  // It executes sleep when a byte arrives, with the connection still open.
  let program = script(
    folder,
    then: "sysread($s, my $b, 1); fcntl($s, 2, 0); exec '/bin/sleep', '1000'")
  let (child, socket) = try connectedChild(perl, program, folder)
  defer { child.killAndWait() }
  let peer = try PeerProcess.identify(socket, acceptedAt: Clock.boottime)
  let before = try peer.executable()
  try UnixSocket.sendAll(socket, [1].span)
  #expect(try eventually { try peer.executable() != before })
  let sleep = ExecutableFile(facts: try Files.facts("/bin/sleep"), displayPath: "")
  guard case .known(let file) = try peer.executable() else {
    Issue.record("unknown")
    return
  }
  #expect(file == sleep)
  #expect(file.displayPath == "/usr/bin/sleep")
}

@Test func `a peer that exited is refused, though its child still holds the connection`() throws {
  let folder = try TemporaryFolder()
  let program = script(folder, then: "sysread($s, my $b, 1); exit 0 if fork; sleep 1000")
  let (child, socket) = try connectedChild(perl, program, folder)
  let peer = try PeerProcess.identify(socket, acceptedAt: Clock.boottime)
  try UnixSocket.sendAll(socket, [1].span)
  // Not yet collected, a zombie: gone all the same.
  #expect(try Poll.wait([PollEntry(peer.pidfd)], timeoutMilliseconds: 10_000)[0].isReadable)
  #expect(throws: PeerRefusal.exited) { try peer.executable() }
  #expect(throws: PeerRefusal.self) { try PeerProcess.identify(socket, acceptedAt: Clock.boottime) }
  _ = try child.wait()
  #expect(throws: PeerRefusal.exited) { try peer.executable() }
  #expect(throws: PeerRefusal.exited) { try PeerProcess.identify(socket, acceptedAt: Clock.boottime) }
  #expect(throws: PeerRefusal.exited) {
    try PeerProcess.identify(socket, acceptedAt: Clock.boottime, method: .processID)
  }
  #expect(!(try Poll.wait([PollEntry(socket)], timeoutMilliseconds: 0)[0].isGone), "the connection is still open")
  // Ends the grandchild, which is not ours to wait for.
  #expect(UnixSocketHolders.kill(of: socket, notMe: child.pid))
}

/// Ends the process that holds the other end of a connection.
private enum UnixSocketHolders {
  static func kill(of socket: OwnedDescriptor, notMe pid: Int32) -> Bool {
    // The grandchild is the one process whose group is the child's: the child led it.
    CLinux.kill(-pid, SIGKILL) == 0
  }
}

@Test func `a peer that started after the connection was made is another process`() throws {
  let (near, _far) = try UnixSocket.streamPair()
  let start = try ProcessStatus.read(ThisProcess.pid).startTime
  let tick = 1_000_000_000 / ClockTicks.perSecond
  #expect(throws: PeerRefusal.reusedID) { try PeerProcess.identify(near, acceptedAt: (start - 1) * tick) }
  _ = try PeerProcess.identify(near, acceptedAt: start * tick)
  withExtendedLifetime(_far) {}
}

@Test func `a descriptor that is no connected socket has no peer`() throws {
  let null = try Files.open("/dev/null", .reading)
  #expect(throws: PeerRefusal.credentialsUnavailable(Errno(rawValue: ENOTSOCK))) {
    try PeerProcess.identify(null, acceptedAt: Clock.boottime)
  }
  let folder = try TemporaryFolder()
  let unconnected = OwnedDescriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
  #expect(throws: PeerRefusal.credentialsUnavailable(.noSuchProcess)) {
    try PeerProcess.identify(unconnected, acceptedAt: Clock.boottime)
  }
  withExtendedLifetime(folder) {}
}

@Test(.enabled(if: isRoot, "needs a peer of another user"))
func `another user's peer is told as that user`() throws {
  let folder = try TemporaryFolder(mode: 0o755)
  let account = try #require(try Users.account("daemon"))
  let listener = try UnixSocket.listen(path: folder.path("s"), mode: 0o666, backlog: 4)
  let child = try Spawn.start(
    perl, SpawnPlan(arguments: [perl] + script(folder, then: "sleep 1000"), asUser: account))
  defer { child.killAndWait() }
  let peer = try PeerProcess.identify(try UnixSocket.accept(listener), acceptedAt: Clock.boottime)
  #expect(peer.identity.uid == account.uid && peer.identity.gid == account.gid)
}

// MARK: The judgement, with injected failures

private let me = try! ProcessStatus.read(ThisProcess.pid)
private let someone = try! PeerCredentials(pid: me.pid, uid: 1001, gid: 1001)

private func sound() -> PeerObservations {
  PeerObservations(
    credentials: .success(someone), pidfdProcess: .success(me.pid), status: .success(me),
    leader: Result { () throws(Errno) in try ProcessStatus.read(me.session) }, executable: .failure(.accessDenied),
    hasExited: .success(false), latestStart: me.startTime)
}

@Test func `sound answers give the user that the kernel named`() throws {
  let identity = try sound().judge()
  #expect(identity.uid == 1001)
  #expect(identity.executable == .unknown(.accessDenied))
}

@Test(arguments: [EPERM, ENOENT, ESRCH, EIO, EBADF, EACCES, EMFILE, ENOMEM, ENOPROTOOPT, ENODATA, 0, -1])
func `no failed look ever gives an identity`(number: Int32) {
  let failure = Errno(rawValue: number)
  var edits: [(inout PeerObservations) -> Void] = []
  edits.append { $0.credentials = .failure(failure) }
  edits.append { $0.pidfdProcess = .failure(failure) }
  edits.append { $0.status = .failure(failure) }
  edits.append { $0.hasExited = .failure(failure) }
  // Every set of failures with at least one in it.
  for set in 1..<(1 << edits.count) {
    var observations = sound()
    for (index, edit) in edits.enumerated() where set & (1 << index) != 0 { edit(&observations) }
    #expect(throws: PeerRefusal.self) { try observations.judge() }
  }
}

@Test func `answers about different or ended processes are refused`() {
  func refusal(_ edit: (inout PeerObservations) -> Void) -> PeerRefusal? {
    var observations = sound()
    edit(&observations)
    do throws(PeerRefusal) {
      _ = try observations.judge()
      return nil
    } catch {
      return error
    }
  }
  #expect(refusal { _ in } == nil)
  #expect(refusal { $0.pidfdProcess = .success(-1) } == .exited)
  #expect(refusal { $0.pidfdProcess = .success(0) } == .mismatch)
  #expect(refusal { $0.pidfdProcess = .success(me.pid + 1) } == .mismatch)
  #expect(refusal { $0.hasExited = .success(true) } == .exited)
  #expect(refusal { $0.latestStart = me.startTime - 1 } == .reusedID)
  #expect(refusal { $0.latestStart = me.startTime + 1 } == nil)
  #expect(refusal { $0.status = Result { () throws(Errno) in try ProcessStatus.read(1) } } == .mismatch)
}

@Test(arguments: [(0, 0, 0), (-1, 0, 0), (1, UInt32.max, 0), (1, 0, UInt32.max)] as [(Int32, UInt32, UInt32)])
func `what only looks like credentials is none`(pid: Int32, uid: UInt32, gid: UInt32) {
  #expect(throws: Errno.noSuchProcess) { try PeerCredentials(pid: pid, uid: uid, gid: gid) }
}

@Test func `a leader that cannot be seen is none`() throws {
  var observations = sound()
  observations.leader = .failure(.noSuchFile)
  #expect(try observations.judge().sessionLeader == nil)
  observations.leader = Result { () throws(Errno) in try ProcessStatus.read(1) }
  if me.session != 1 { #expect(try observations.judge().sessionLeader == nil) }
}
