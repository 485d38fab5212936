import CLinux
import LinuxSystem
import Testing

/// What a program wrote to its standard output, and how it ended.
private func run(_ program: String, _ edit: (inout SpawnPlan) -> Void = { _ in }, _ arguments: String...) throws
  -> (String, ProcessExit)
{
  let (reading, writing) = try OwnedDescriptor.pipe()
  var plan = SpawnPlan(arguments: [program] + arguments, descriptors: [.init(writing, as: 1)])
  edit(&plan)
  let child = try Spawn.start(program, plan)
  return (try drain(reading, after: child), try child.wait())
}

/// Reads what is there once the child has ended.
private func drain(_ reading: OwnedDescriptor, after child: SpawnedProcess) throws -> String {
  _ = try child.wait()
  var bytes: [UInt8] = []
  while try Poll.wait([PollEntry(reading)], timeoutMilliseconds: 0)[0].events.contains(.readable) {
    var chunk = [UInt8](repeating: 0, count: 4096)
    var span = chunk.mutableSpan
    let count = try Files.read(reading, into: &span)
    bytes += chunk.prefix(count)
  }
  return String(decoding: bytes, as: UTF8.self)
}

@Test func `a program that runs gives its output and its exit status`() throws {
  let (text, status) = try run("/bin/sh", { _ in }, "-c", "echo hello; exit 7")
  #expect(text == "hello\n")
  #expect(status == .exited(7))
}

@Test func `a program gets exactly the environment of the plan`() throws {
  let (text, _) = try run("/usr/bin/env", { $0.environment = ["ONE": "1", "EMPTY": "", "TWO": "a=b"] })
  #expect(Set(text.split(separator: "\n")) == ["ONE=1", "EMPTY=", "TWO=a=b"])
  let (none, _) = try run("/usr/bin/env")
  #expect(none == "")
}

@Test func `a program gets no descriptor but those of the plan`() throws {
  // Not close-on-exec, on purpose: only the spawn itself keeps these out.
  let leaks = (0..<20).map { _ in dup(2) }
  defer { for leak in leaks { close(leak) } }
  let extra = try Files.open("/dev/zero", .reading)
  let (text, _) = try run(
    "/bin/ls", { $0.descriptors.append(SpawnPlan.Descriptor(extra, as: 9)) }, "-1", "/proc/self/fd")
  // ls itself opens the folder, at the lowest number that is free.
  #expect(text.split(separator: "\n").sorted() == ["0", "1", "2", "3", "9"])
}

@Test func `descriptors that swap their numbers arrive as planned`() throws {
  let zero = try Files.open("/dev/zero", .reading)
  let full = try Files.open("/dev/full", .reading)
  // Each is to get the number that the other has here.
  let (text, _) = try run(
    "/bin/sh",
    {
      $0.descriptors.append(SpawnPlan.Descriptor(zero, as: full.number))
      $0.descriptors.append(SpawnPlan.Descriptor(full, as: zero.number))
    }, "-c", "readlink /proc/self/fd/\(zero.number) /proc/self/fd/\(full.number)")
  #expect(text == "/dev/full\n/dev/zero\n")
}

@Test func `the three standard descriptors are never missing`() throws {
  let (text, _) = try run("/bin/sh", { _ in }, "-c", "readlink /proc/self/fd/0 /proc/self/fd/2")
  #expect(text == "/dev/null\n/dev/null\n")
}

@Test func `a program starts with default signals and none blocked`() throws {
  try Signals.ignore(Signals.pipe)
  var set = sigset_t()
  sigemptyset(&set)
  sigaddset(&set, SIGUSR1)
  pthread_sigmask(SIG_BLOCK, &set, nil)
  defer { pthread_sigmask(SIG_UNBLOCK, &set, nil) }
  let (text, _) = try run("/bin/cat", { _ in }, "/proc/self/status")
  let masks = text.split(separator: "\n").filter { $0.hasPrefix("Sig") && !$0.hasPrefix("SigQ") }
  #expect(masks.count == 4 && masks.allSatisfy { $0.hasSuffix("\t0000000000000000") }, "\(masks)")
}

@Test func `a program leads its own session, in the planned folder, with the planned mask`() throws {
  let (text, _) = try run(
    "/bin/sh",
    {
      $0.workingDirectory = "/usr"
      $0.umask = 0o027
    }, "-c", "pwd; umask; cut -d' ' -f1,6,7 /proc/$$/stat")
  let lines = text.split(separator: "\n")
  #expect(lines.prefix(2) == ["/usr", "0027"])
  let ids = lines[2].split(separator: " ")
  #expect(ids[0] == ids[1], "leader of its session")
  #expect(ids[2] == "0", "no controlling terminal")
}

@Test(arguments: [
  ("/nonexistent", Errno.noSuchFile), ("/etc/passwd", .accessDenied), ("/etc", .accessDenied),
  ("a\0b", .invalidArgument),
])
func `a program that cannot be executed is an error here, and leaves no child`(path: String, failure: Errno) throws {
  #expect(throws: failure) { try Spawn.start(path, SpawnPlan(arguments: ["x"])) }
}

@Test func `a plan that makes no sense is refused`() throws {
  let null = try Files.open("/dev/null", .reading)
  func start(_ edit: (inout SpawnPlan) -> Void) throws {
    var plan = SpawnPlan(arguments: ["true"])
    edit(&plan)
    #expect(try Spawn.start("/bin/true", plan).wait() == .exited(0))
  }
  #expect(throws: Errno.invalidArgument) { try start { $0.arguments = [] } }
  #expect(throws: Errno.invalidArgument) { try start { $0.arguments = ["a", "b\0c"] } }
  #expect(throws: Errno.invalidArgument) { try start { $0.environment = ["A=B": "c"] } }
  #expect(throws: Errno.invalidArgument) { try start { $0.environment = ["": "c"] } }
  #expect(throws: Errno.noSuchFile) { try start { $0.workingDirectory = "/nonexistent" } }
  #expect(throws: Errno.invalidArgument) { try start { $0.descriptors = [.init(null, as: 5), .init(null, as: 5)] } }
  #expect(throws: Errno.invalidArgument) { try start { $0.descriptors = [.init(null, as: -1)] } }
  #expect(throws: Errno.invalidArgument) { try start { $0.descriptors = [.init(null, as: 256)] } }
  try start { $0.descriptors = [.init(null, as: 255)] }
  // Three are added for 0, 1 and 2.
  try start { $0.descriptors = (3..<16).map { .init(null, as: $0) } }
  #expect(throws: Errno.invalidArgument) { try start { $0.descriptors = (3..<17).map { .init(null, as: $0) } } }
}

@Test func `a killed program is reported by its signal, and may be waited for again`() throws {
  let child = try Spawn.start("/bin/sleep", SpawnPlan(arguments: ["sleep", "1000"]))
  #expect(try child.tryWait() == nil)
  try child.kill()
  #expect(try child.wait() == .signalled(Signals.kill))
  #expect(try child.wait() == .signalled(Signals.kill))
  #expect(try child.tryWait() == .signalled(Signals.kill))
  // After it was collected the signal reaches nobody, whoever has the id now.
  try child.kill()
}

@Test(.enabled(if: isRoot, "only root may become another user"))
func `a program becomes another user with its groups and nothing of root`() throws {
  let account = try #require(try Users.account("daemon"))
  let (text, _) = try run("/bin/grep", { $0.asUser = account }, "-E", "^(Uid|Gid|Groups|CapEff)", "/proc/self/status")
  let lines = text.split(separator: "\n").map { $0.split { $0.isWhitespace }.map(String.init) }
  #expect(lines[0] == ["Uid:"] + Array(repeating: "\(account.uid)", count: 4))
  #expect(lines[1] == ["Gid:"] + Array(repeating: "\(account.gid)", count: 4))
  #expect(Set(lines[2].dropFirst()) == Set(try Users.groups(of: account).map(String.init)))
  #expect(lines[3] == ["CapEff:", "0000000000000000"])
  #expect(Users.effectiveUserID == 0, "this process itself stays root")
}

@Test(.enabled(if: isRoot, "only root may become another user"))
func `the folder is entered as the new user`() throws {
  let folder = "/tmp/latchkey-spawn-\(ThisProcess.pid)"
  try Files.makeDirectory(folder, mode: 0o700)
  defer { try? Files.removeDirectory(folder) }
  var plan = SpawnPlan(arguments: ["true"], asUser: try Users.account("daemon"))
  plan.workingDirectory = folder
  #expect(throws: Errno.accessDenied) { try Spawn.start("/bin/true", plan) }
}

@Test func `a program follows the thread that started it into death`() throws {
  let (reading, writing) = try UnixSocket.streamPair()
  try Threads.start {
    var plan = SpawnPlan(arguments: ["sleep", "1000"], descriptors: [.init(writing, as: 1)])
    plan.parentDeathSignal = Signals.kill
    _ = try? Spawn.start("/bin/sleep", plan)
    UnixSocket.shutDown(reading)
  }
  // The last copy of `writing` goes with the child.
  let results = try Poll.wait([PollEntry(reading)], timeoutMilliseconds: 10_000)
  #expect(results[0].isGone)
}

@Test func `many programs can be started from many threads at once`() throws {
  let (reading, writing) = try OwnedDescriptor.pipe()
  for _ in 0..<8 {
    try Threads.start {
      var good: UInt8 = 0
      for _ in 0..<25 where (try? Spawn.start("/bin/true", SpawnPlan(arguments: ["true"])).wait()) == .exited(0) {
        good += 1
      }
      try? Files.writeAll(writing, [good].span)
    }
  }
  var counts = [UInt8](repeating: 0, count: 8)
  var span = counts.mutableSpan
  #expect(try UnixSocket.readExactly(reading, into: &span) == .complete)
  #expect(counts == Array(repeating: 25, count: 8))
}

@Test func `a detached program is nobody's child here and leaves nothing to wait for`() throws {
  let (reading, writing) = try OwnedDescriptor.pipe()
  var plan = SpawnPlan(
    arguments: ["sh", "-c", "echo $PPID; sed -n 's/^PPid:.//p' /proc/$$/status"],
    descriptors: [.init(writing, as: 1)])
  plan.environment = ["PATH": "/usr/bin:/bin"]
  let before = try children()
  try Spawn.startDetached("/bin/sh", plan)
  let lines = try lines(reading, 2)
  #expect(lines.count == 2 && !lines[0].elementsEqual("\(getpid())") && lines[1] != "\(getpid())")
  #expect(try children() == before)
}

@Test func `a detached program that cannot be started is an error here`() throws {
  let before = try children()
  #expect(throws: Errno.noSuchFile) { try Spawn.startDetached("/nonexistent", SpawnPlan(arguments: ["x"])) }
  var plan = SpawnPlan(arguments: ["x"])
  plan.workingDirectory = "/nonexistent"
  #expect(throws: Errno.noSuchFile) { try Spawn.startDetached("/bin/true", plan) }
  plan.parentDeathSignal = Signals.kill
  #expect(throws: Errno.invalidArgument) { try Spawn.startDetached("/bin/true", plan) }
  #expect(try children() == before)
}

@Test func `a detached program sends its starter no signal`() throws {
  let signals = try Signals(collecting: [SIGCHLD])
  defer { try? signals.stopCollecting() }
  // Programs of other tests end meanwhile and their signals are collected too; one of its own would come every time.
  let isQuietOnce = try (1...100).contains { _ in
    while try signals.next() != nil {}
    let (reading, writing) = try OwnedDescriptor.pipe()
    try Spawn.startDetached(
      "/bin/echo", SpawnPlan(arguments: ["echo", "done"], descriptors: [.init(writing, as: 1)]))
    #expect(try lines(reading, 1) == ["done"])
    return try signals.next() == nil
  }
  #expect(isQuietOnce)
}

/// The first lines of a pipe, whoever still holds its other end.
private func lines(_ reading: OwnedDescriptor, _ count: Int) throws -> [String] {
  var bytes: [UInt8] = []
  let deadline = Clock.boottime + 30_000_000_000
  while bytes.count(where: { $0 == 10 }) < count {
    guard try Poll.wait([PollEntry(reading)], until: deadline)[0].isReadable else { break }
    var chunk = [UInt8](repeating: 0, count: 4096)
    var span = chunk.mutableSpan
    let read = try Files.read(reading, into: &span)
    if read == 0 { break }
    bytes += chunk.prefix(read)
  }
  return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
}

/// The ids of this thread's children, zombies too: those of other threads are other tests'.
private func children() throws -> [String] {
  try String(decoding: Files.readAll("/proc/thread-self/children", limit: 65_536), as: UTF8.self)
    .split(separator: " ").map(String.init)
}
