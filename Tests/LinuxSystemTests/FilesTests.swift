import CLinux
import Testing

@testable import LinuxSystem

@Test(arguments: [(-1, false), (0, false), (1, true)])
func `a file is read up to the limit and not one byte further`(extra: Int, fails: Bool) throws {
  let folder = try TemporaryFolder()
  // Both sides of the chunk that is read at once.
  for limit in [1, 16_383, 16_384, 16_385, 50_000] {
    let bytes = [UInt8](repeating: 5, count: limit + extra)
    try Files.writeAtomically(bytes.span, to: folder.path("f"), mode: 0o600)
    if fails {
      #expect(throws: Errno.fileTooLarge) { try Files.readAll(folder.path("f"), limit: limit) }
    } else {
      #expect(try Files.readAll(folder.path("f"), limit: limit) == bytes)
    }
  }
}

@Test func `reading a pipe that has no writer does not wait`() throws {
  let folder = try TemporaryFolder()
  #expect(mkfifo(folder.path("p"), 0o600) == 0)
  #expect(try Files.readAll(folder.path("p"), limit: 10) == [])
}

@Test func `a written file has its exact mode whatever the mask, and no temporary file stays`() throws {
  let folder = try TemporaryFolder()
  for mode in [0o600, 0o640, 0o666, 0o400] as [UInt16] {
    try Files.writeAtomically([1, 2].span, to: folder.path("f"), mode: mode)
    #expect(try Files.facts(folder.path("f")).mode == mode)
  }
  #expect(folder.names == ["f"])
  #expect(try Files.readAll(folder.path("f"), limit: 2) == [1, 2])
}

@Test func `the extent of an open file is its size and the number of its names, also once it has none`() throws {
  let folder = try TemporaryFolder()
  try Files.writeAtomically([1, 2, 3].span, to: folder.path("f"), mode: 0o600)
  let file = try Files.open(folder.path("f"), .reading)
  #expect(try Files.extent(file) == (3, 1))
  #expect(link(folder.path("f"), folder.path("g")) == 0)
  #expect(try Files.extent(file) == (3, 2))
  try Files.unlink(folder.path("f"))
  try Files.unlink(folder.path("g"))
  #expect(try Files.extent(file) == (3, 0))
}

@Test func `an existing file is replaced or kept as asked`() throws {
  let folder = try TemporaryFolder()
  try Files.writeAtomically([1].span, to: folder.path("f"), mode: 0o600, existing: .kept)
  let before = try Files.facts(folder.path("f"))
  #expect(throws: Errno.fileExists) {
    try Files.writeAtomically([2].span, to: folder.path("f"), mode: 0o600, existing: .kept)
  }
  #expect(try Files.facts(folder.path("f")) == before)
  try Files.writeAtomically([3].span, to: folder.path("f"), mode: 0o600)
  #expect(try Files.readAll(folder.path("f"), limit: 1) == [3])
  #expect(folder.names == ["f"])
}

@Test func `a write that fails leaves the old file and nothing else`() throws {
  let folder = try TemporaryFolder()
  // A folder cannot be replaced by a file.
  try Files.makeDirectory(folder.path("f"), mode: 0o700)
  #expect(throws: Errno.self) { try Files.writeAtomically([1].span, to: folder.path("f"), mode: 0o600) }
  #expect(folder.names == ["f"])
  #expect(throws: Errno.noSuchFile) { try Files.writeAtomically([1].span, to: folder.path("no/f"), mode: 0o600) }
}

@Test func `a symbolic link is not followed where it must not be`() throws {
  let folder = try TemporaryFolder()
  try Files.writeAtomically([1].span, to: folder.path("f"), mode: 0o600)
  #expect(symlink(folder.path("f"), folder.path("l")) == 0)
  #expect(throws: Errno.symbolicLink) { try Files.openNoFollow(folder.path("l"), .reading) }
  #expect(throws: Errno.symbolicLink) { try FileLock.tryAcquire(folder.path("l")) }
  #expect(try Files.factsNoFollow(folder.path("l")).kind == .symbolicLink)
  #expect(try Files.facts(folder.path("l")).kind == .regular)
  #expect(try Files.readLink(folder.path("l")) == folder.path("f"))
  try Files.unlink(folder.path("l"))
  #expect(folder.names == ["f"])
}

@Test func `paths with a NUL never reach the kernel`() throws {
  let path = "/tmp\0/x"
  #expect(throws: Errno.invalidArgument) { try Files.readAll(path, limit: 1) }
  #expect(throws: Errno.invalidArgument) { try Files.facts(path) }
  #expect(throws: Errno.invalidArgument) { try Files.unlink(path) }
  #expect(throws: Errno.invalidArgument) { try Files.makeDirectory(path, mode: 0o700) }
  #expect(throws: Errno.invalidArgument) { try Files.rename(path, to: "/tmp/y") }
  #expect(throws: Errno.invalidArgument) { try Files.writeAtomically([1].span, to: path, mode: 0o600) }
}

@Test func `a lock is held by one, also against another process, until it is let go`() throws {
  let folder = try TemporaryFolder()
  let path = folder.path("lock")
  func other() throws -> ProcessExit {
    try Spawn.start("/usr/bin/flock", SpawnPlan(arguments: ["flock", "-n", path, "true"])).wait()
  }
  do {
    guard case .held(let lock) = try FileLock.tryAcquire(path) else {
      Issue.record("not held")
      return
    }
    #expect(try other() == .exited(1))
    if case .held = try FileLock.tryAcquire(path) { Issue.record("held twice") }
    withExtendedLifetime(lock) {}
  }
  #expect(try other() == .exited(0))
  #expect(try Files.facts(path).mode == 0o600)
}

@Test func `a trusted path is trusted, through links and dots as well`() throws {
  for path in ["/", "/etc/passwd", "/bin/sh", "/usr/../etc/./passwd", "/proc/self/root/etc"] {
    guard case .trusted(let facts) = TrustedPath.check(path) else {
      // /proc/self belongs to whoever runs the tests.
      #expect(path.hasPrefix("/proc") && !isRoot, "\(path): \(TrustedPath.check(path))")
      continue
    }
    #expect(try facts.inode == Files.facts(path).inode)
  }
}

@Test func `a path that somebody else can change is refused by the component that lets them`() throws {
  #expect(TrustedPath.check("etc/passwd") == .refused(component: "etc/passwd", .notAbsolute))
  #expect(TrustedPath.check("/etc/none/x") == .refused(component: "/etc/none", .unreadable(.noSuchFile)))
  // A sticky folder is no better than an open one.
  #expect(TrustedPath.check("/tmp/x") == .refused(component: "/tmp", .writable(mode: 0o1777)))
}

@Test(.enabled(if: isRoot, "makes files of other users in a folder of root"))
func `owner and mode of each component count`() throws {
  let folder = "/run/latchkey-test-\(ThisProcess.pid)"
  try Files.makeDirectory(folder, mode: 0o755)
  defer { _ = try? Spawn.start("/bin/rm", SpawnPlan(arguments: ["rm", "-rf", folder])).wait() }
  try Files.makeDirectory(folder + "/d", mode: 0o755)
  let file = folder + "/d/f"
  try Files.writeAtomically([1].span, to: file, mode: 0o644)
  func isTrusted(_ path: String, _ owners: Set<UInt32> = [0]) -> Bool {
    if case .trusted = TrustedPath.check(path, owners: owners) { true } else { false }
  }
  #expect(isTrusted(file))
  for mode in [0o664, 0o646] as [mode_t] {
    chmod(file, mode)
    #expect(TrustedPath.check(file) == .refused(component: file, .writable(mode: UInt16(mode))))
  }
  chmod(file, 0o644)
  for mode in [0o775, 0o757, 0o1757] as [mode_t] {
    chmod(folder + "/d", mode)
    #expect(TrustedPath.check(file) == .refused(component: folder + "/d", .writable(mode: UInt16(mode))))
  }
  chmod(folder + "/d", 0o755)
  chown(file, 1, 0)
  #expect(TrustedPath.check(file) == .refused(component: file, .owner(1)))
  #expect(isTrusted(file, [0, 1]))
  chown(file, 0, 0)
  // Where a link leads is checked too, and the link's own owner.
  symlink("/tmp", folder + "/l")
  #expect(TrustedPath.check(folder + "/l/x") == .refused(component: "/tmp", .writable(mode: 0o1777)))
  symlink("d/f", folder + "/m")
  #expect(isTrusted(folder + "/m"))
  lchown(folder + "/m", 1, 0)
  #expect(TrustedPath.check(folder + "/m") == .refused(component: folder + "/m", .owner(1)))
  symlink("loop", folder + "/loop")
  guard case .refused(_, .tooManyLinks) = TrustedPath.check(folder + "/loop") else {
    Issue.record("a loop was followed")
    return
  }
}

@Test(arguments: [NewFile.Keeping.nameless, .named])
func `a new file is nowhere until it is placed, and goes away where it is not`(keeping: NewFile.Keeping) throws {
  let folder = try TemporaryFolder()
  let path = folder.path("new")
  do {
    let file = try NewFile(for: path, mode: 0o640, keeping)
    try Files.writeAll(file.descriptor, [1, 2].span)
    #expect(throws: Errno.noSuchFile) { try Files.facts(path) }
    #expect(try Files.facts(file.descriptor).mode & 0o777 == 0o600)
    // Without a name nothing can stay behind, whatever ends the process.
    #expect(folder.names.count == (keeping == .named ? 1 : 0))
    #expect((file.temporaryName == nil) == (keeping == .nameless))
  }
  #expect(folder.names.isEmpty)
  let file = try NewFile(for: path, mode: 0o640, keeping)
  try Files.writeAll(file.descriptor, [3].span)
  try file.place(.kept)
  #expect(try Files.readAll(path, limit: 10) == [3] && Files.facts(path).mode & 0o777 == 0o640)
  let second = try NewFile(for: path, mode: 0o600, keeping)
  #expect(throws: Errno.fileExists) { try second.place(.kept) }
  #expect(try Files.readAll(path, limit: 10) == [3])
  try second.place(.replaced)
  #expect(try Files.readAll(path, limit: 10) == [] && Files.facts(path).mode & 0o777 == 0o600)
  let third = try NewFile(for: folder.path("other"), mode: 0o600, keeping)
  try third.place(.replaced)
  #expect(Set(folder.names) == ["new", "other"])
}

@Test func `what a writer that lives no more left behind is removed, and a living one's is not`() throws {
  let folder = try TemporaryFolder()
  let path = folder.path("key")
  let living = try NewFile(for: path, mode: 0o600, .named)
  try Files.writeAtomically([1].span, to: path + ".0123456789abcdef.tmp", mode: 0o600)
  try NewFile.removeAbandoned(of: path)
  #expect(folder.names.map { folder.path($0) } == [living.temporaryName])
  try living.place(.kept)
  #expect(folder.names == ["key"])
}

@Test func `a module is looked for where libpam's own are`() throws {
  let folder = try TemporaryFolder()
  let (modules, strange) = (folder.path("modules"), folder.path("strange"))
  for name in [modules, strange] { try Files.makeDirectory(name, mode: 0o755) }
  for name in ["pam_permit.so", "pam_own.so"] {
    try Files.writeAtomically([0].span, to: "\(modules)/\(name)", mode: 0o644)
  }
  try Files.writeAtomically([0].span, to: "\(strange)/pam_else.so", mode: 0o644)
  let folders = [strange, modules, folder.path("nowhere")]
  #expect(ModuleFolder.place(of: "pam_own.so", among: folders) == .found("\(modules)/pam_own.so"))
  #expect(ModuleFolder.place(of: "pam_else.so", among: folders) == .missing)
  #expect(ModuleFolder.place(of: "pam_own.so", among: [strange]) == .unknown)
  #expect(ModuleFolder.place(of: "\(strange)/pam_else.so") == .found("\(strange)/pam_else.so"))
  #expect(ModuleFolder.place(of: "\(strange)/pam_own.so") == .missing)
  #expect(ModuleFolder.place(of: "pam_no_such_module.so") == .missing, "this machine has PAM")
  guard case .found = ModuleFolder.place(of: "pam_unix.so") else {
    Issue.record("pam_unix was not found")
    return
  }
}

@Test func `each thing wrong with a path has words, and a command where one mends it`() {
  #expect(TrustedPath.Reason.owner(7).command(for: "/a b") == "chown root:root '/a b'")
  #expect(TrustedPath.Reason.writable(mode: 0o777).command(for: "/a") == "chmod go-w /a")
  // Nobody shall be told to shut /tmp.
  #expect(TrustedPath.Reason.writable(mode: 0o1777).command(for: "/tmp") == nil)
  #expect(TrustedPath.Reason.owner(7).words == "belongs to user 7")
}

@Test func `what a killed writer left behind is removed and nothing else`() throws {
  let folder = try TemporaryFolder()
  let kept = [
    "key", "key.tmp", "key.0123456789abcde.tmp", "key.0123456789abcdef0.tmp", "key.0123456789abcdeg.tmp",
    "yek.0123456789abcdef.tmp",
  ]
  for name in kept + ["key.0123456789abcdef.tmp"] {
    try Files.writeAtomically([1].span, to: folder.path(name), mode: 0o600)
  }
  try NewFile.removeLeftovers(of: folder.path("key"))
  #expect(try Set(Files.names(in: folder.path)) == Set(kept))
}
