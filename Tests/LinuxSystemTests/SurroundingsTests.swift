import CLinux
import Testing

@testable import LinuxSystem

@Test(arguments: [
  ("7 (a) S 1 6 7 34816 5 4194304 1 1 1 1 1 1 1 1 20 0 1 0 4242 1 1\n", "a", UInt64(34816), 4242 as UInt64),
  ("7 (a b) R 9 (x) S 1 6 7 0 -1 4194304 1 1 1 1 1 1 1 1 20 0 1 0 5 1 1", "a b) R 9 (x", nil, 5),
])
func `a process's name cannot forge its status`(text: String, name: String, device: UInt64?, start: UInt64) throws {
  let status = try ProcessStatus.parse(Array(text.utf8))
  #expect(status.pid == 7 && status.name == name && status.parent == 1 && status.session == 7)
  #expect(status.group == 6 && status.foregroundGroup == (device == nil ? nil : 5))
  #expect(status.terminalDevice == device && status.startTime == start && !status.isZombie)
}

@Test(arguments: [
  "", "7", "7 (a", "7 a) S", ")7(", "x (a) S 1 7 7 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 5",
  "7 (a) S 1 7 7 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
])
func `a status of another form is an error`(text: String) {
  #expect(throws: Errno.malformed) { try ProcessStatus.parse(Array(text.utf8)) }
}

private func surroundings(_ change: (String) -> String) throws -> ProcessSurroundings {
  let text = "Name:\tx\nTracerPid:\t0\nNoNewPrivs:\t0\nSeccomp:\t0\nSeccomp_filters:\t0\n"
  return try ProcessSurroundings.parse(
    status: Array(change(text).utf8), userNamespace: .initial, mountNamespace: .unknown)
}

@Test func `tracer, filter and privileges are read from the status`() throws {
  let plain = try surroundings { $0 }
  #expect(plain.tracer == nil && !plain.noNewPrivileges && plain.seccomp == .none)
  func replacing(_ old: String, _ new: String) -> (String) -> String {
    { $0.split(separator: "\n").map { $0 == old ? new : String($0) }.joined(separator: "\n") }
  }
  #expect(try surroundings(replacing("TracerPid:\t0", "TracerPid:\t12")).tracer == 12)
  #expect(try surroundings(replacing("NoNewPrivs:\t0", "NoNewPrivs:\t1")).noNewPrivileges)
  #expect(try surroundings(replacing("Seccomp:\t0", "Seccomp:\t2")).seccomp == .filter)
  #expect(try surroundings(replacing("Seccomp:\t0", "x")).seccomp == .unknown)
  #expect(throws: Errno.malformed) { try surroundings(replacing("TracerPid:\t0", "x")) }
  #expect(throws: Errno.malformed) { try surroundings(replacing("NoNewPrivs:\t0", "NoNewPrivs:")) }
}

@Test func `this process's real surroundings can be told`() throws {
  let found = try ProcessSurroundings.current()
  #expect(found.tracer == nil)
  // The first process may be out of reach even for root (fewer capabilities), but the id map never is.
  let map = try Files.readAll("/proc/self/uid_map", limit: 4096)
  #expect(found.userNamespace != .unknown && (found.userNamespace == .initial || !ProcessSurroundings.isFullMap(map)))
  #expect(try ResourceLimit.current(.descriptors).soft > 2)
}

@Test(arguments: [
  ("         0          0 4294967295\n", true), ("0 1000 1\n", false), ("0 0 4294967294\n", false), ("", false),
  ("0 0 4294967295\n1 1 1\n", false),
])
func `only a full map is the first user namespace`(text: String, isFull: Bool) {
  #expect(ProcessSurroundings.isFullMap(Array(text.utf8)) == isFull)
}

@Test func `one sign of a remote session is enough, and local needs all signs`() {
  for session in [LoginRecord.Place.local, .remote, .unknown] {
    for network in [false, true] {
      for all in [false, true] {
        let facts = OriginFacts(session: session, hasNetworkAncestor: network, sawAllAncestors: all)
        let expected: PeerOrigin =
          network || session == .remote ? .remote : session == .local && all ? .local : .unknown
        #expect(PeerOrigin.judge(facts) == expected, "\(facts)")
      }
    }
  }
}

@Test(arguments: [
  ("UID=7\nREMOTE=0\n", LoginRecord.Place.local), ("UID=7\nREMOTE=1\n", .remote), ("UID=8\nREMOTE=0\n", .unknown),
  ("UID=7\n", .unknown), ("REMOTE=0\n", .unknown), ("UID=7\nREMOTE=0\nREMOTE=1\n", .unknown),
  ("UID=7\nXREMOTE=0\n", .unknown),
])
func `a session's record counts for its own user only`(text: String, place: LoginRecord.Place) {
  #expect(LoginRecord.parse(Array(text.utf8), uid: 7) == place)
}

@Test(arguments: [
  ("0::/user.slice/user-7.slice/session-c12.scope\n", "c12"), ("0::/user.slice/user-8.slice/session-1.scope\n", nil),
  ("0::/user.slice/user-7.slice/user@7.service/session-1.scope\n", nil),
  ("0::/user.slice/user-7.slice/session-1.scope/x\n", nil), ("0::/user.slice/user-7.slice/session-../x.scope\n", nil),
  ("0::/x/user.slice/user-7.slice/session-1.scope\n", nil), ("", nil),
])
func `only logind's own place names a session`(text: String, name: String?) {
  #expect(LoginRecord.scopeName(Array(text.utf8), uid: 7) == name)
}

@Test func `the audit number names a session unless it means none`() {
  #expect(LoginRecord.auditName(Array("12\n".utf8)) == "12")
  #expect(LoginRecord.auditName(Array("4294967294".utf8)) == "4294967294")
  #expect(LoginRecord.auditName(Array("4294967295".utf8)) == nil)
  #expect(LoginRecord.auditName([]) == nil)
}

@Test(.enabled(if: isRoot, "only root's servers count"), arguments: [true, false])
func `a program started by a remote login server is remote, one that only has its name is not`(isRoots: Bool) throws {
  let folder = try TemporaryFolder(mode: 0o755)
  let program = try folder.install(program: try Files.readAll("/bin/sh", limit: 10_000_000), as: "sshd")
  let (reading, writing) = try OwnedDescriptor.pipe()
  var plan = SpawnPlan(arguments: ["sshd", "-c", "sleep 1000 & echo $!; wait"], environment: ["PATH": "/bin"])
  plan.descriptors = [SpawnPlan.Descriptor(writing, as: 1)]
  if !isRoots { plan.asUser = try Users.account("daemon") }
  let server = try Spawn.start(program, plan)
  let text = String(decoding: try receive(reading, atLeast: 2), as: UTF8.self)
  let origin = PeerOrigin.read(
    pid: Int32(text.prefix { $0 != "\n" }) ?? 0, uid: 0, sessionsFolder: folder.path)
  kill(-server.pid, SIGKILL)
  server.killAndWait()
  // Whether the tests themselves run below a login server decides what the other one is.
  let own = PeerOrigin.read(pid: ThisProcess.pid, uid: 0, sessionsFolder: folder.path)
  #expect(origin == (isRoots ? .remote : own))
}

@Test(arguments: [(UInt64(0), UInt64(0)), (1, 1), (10_000_000, 1), (10_000_001, 2)])
func `a started tick counts`(nanoseconds: UInt64, ticks: UInt64) {
  #expect(ClockTicks.rounding(up: nanoseconds) == ticks)
}

@Test func `a boot is named by sixteen bytes that stay the same`() throws {
  #expect(try BootID.current().count == 16)
  #expect(try BootID.current() == BootID.current())
  #expect(try BootID.parse(Array("00ff0000-0000-0000-0000-0000000000a1\n".utf8)).prefix(2) == [0, 255])
  for text in [
    "", "00ff0000-0000-0000-0000-0000000000a", "00ff0000-0000-0000-0000-0000000000a12",
    "0gff0000-0000-0000-0000-0000000000a1",
  ] {
    #expect(throws: Errno.malformed) { try BootID.parse(Array(text.utf8)) }
  }
}

/// Calls itself until the stack has grown by so many bytes; how deep it went.
@inline(never) private func descend(bytes: Int, from top: UInt? = nil, depth: Int = 1) -> Int {
  var here: UInt8 = 0
  let address = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
  let start = top ?? address
  return start - address >= UInt(bytes) ? depth : descend(bytes: bytes, from: start, depth: depth + 1) + Int(here)
}

@Test func `a thread has the stack it was given`() throws {
  #expect(throws: Errno.invalidArgument) { try Threads.start(stackBytes: Threads.stackBounds.lowerBound - 1) {} }
  #expect(throws: Errno.invalidArgument) { try Threads.start(stackBytes: Threads.stackBounds.upperBound + 1) {} }
  for size in [Threads.stackBounds.lowerBound, 262_144, 1_048_576] {
    let (reading, writing) = try OwnedDescriptor.pipe()
    try Threads.start(stackBytes: size) {
      try? Files.writeAll(writing, [descend(bytes: size / 2) > 0 ? 1 : 0].span)
    }
    #expect(try receive(reading, atLeast: 1) == [1])
  }
}

/// What is there before, after and after the one signal that this thread sends itself; 0 for nothing.
private func signalsThatCame() -> [UInt8] {
  do {
    let signals = try Signals(collecting: [SIGUSR2])
    let before = try signals.next() ?? 0
    pthread_kill(pthread_self(), SIGUSR2)
    return [UInt8(before), UInt8(try signals.next() ?? 0), UInt8(try signals.next() ?? 0)]
  } catch {
    return []
  }
}

@Test func `signals are collected instead of interrupting`() throws {
  let (reading, writing) = try OwnedDescriptor.pipe()
  try Threads.start {
    try? Files.writeAll(writing, signalsThatCame().span)
  }
  #expect(try receive(reading, atLeast: 3) == [0, UInt8(SIGUSR2), 0])
}

@Test func `a log message is one line of one datagram, whatever is in it, and a new log is found`() throws {
  let folder = try TemporaryFolder()
  let log = Syslog(identifier: "latchkeyd", path: folder.path("log"))
  #expect(throws: Errno.noSuchFile) { try log.log(.info, "lost") }
  for round in 1...2 {
    let server = OwnedDescriptor(owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
    try #require(clinux_bind(server.number, folder.path("log"), folder.path("log").utf8.count) == 0)
    try log.log(.warning, "round \(round)\n\u{1b}[2J\u{202e}é" + String(repeating: "x", count: 5000))
    let text = String(decoding: try receive(server, atLeast: 1), as: UTF8.self)
    #expect(text.hasPrefix("<84>"))
    #expect(text.contains(" latchkeyd[\(ThisProcess.pid)]: round \(round)\\u{a}\\u{1b}[2J\\u{202e}éxxx"))
    #expect(text.utf8.count == Syslog.maximumMessageBytes)
    // Not only closed: a child that another test forks just now may hold it too.
    UnixSocket.shutDown(server)
    try Files.unlink(folder.path("log"))
  }
}

@Test(arguments: [(ENOENT, "ENOENT"), (EPERM, "EPERM"), (4095, "errno 4095")] as [(Int32, String)])
func `an error number has a name`(number: Int32, name: String) {
  #expect("\(Errno(rawValue: number))" == name)
}
