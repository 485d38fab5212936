import Foundation
import KeychainModel
import Testing

@testable import LinuxSystem
@testable import latchkeyd

private func check(
  _ mode: DaemonMode = .user, real: UInt32 = 7, effective: UInt32 = 7, locked: UInt64 = .max,
  descriptors: UInt64 = .max,
  tracer: Int32? = nil, noNewPrivileges: Bool = false, seccomp: ProcessSurroundings.Seccomp = .none,
  user: ProcessSurroundings.Namespace = .initial, mount: ProcessSurroundings.Namespace = .initial
) -> StartFailure? {
  let surroundings = ProcessSurroundings(
    tracer: tracer, noNewPrivileges: noNewPrivileges, seccomp: seccomp, userNamespace: user, mountNamespace: mount)
  let check = StartCheck(
    mode: mode, realUser: real, effectiveUser: effective, surroundings: surroundings, lockedMemory: locked,
    descriptors: descriptors)
  do throws(StartFailure) {
    try check.run()
    return nil
  } catch { return error }
}

private func reason(_ failure: StartFailure?) -> Reason? {
  if case .refused(let refusal)? = failure { return refusal.reason }
  return nil
}

@Suite struct `A start` {
  @Test func `is fine where nothing is wrong`() {
    #expect(check() == nil)
    #expect(check(.user, real: 0, effective: 0) == nil)
    #expect(check(.system, real: 0, effective: 0) == nil)
  }

  @Test func `is refused where it could be watched or was given rights`() {
    #expect(reason(check(tracer: 1)) == .serviceUnavailable)
    #expect(reason(check(real: 7, effective: 0)) == .serviceUnavailable)
    #expect(reason(check(.system)) == .serviceUnavailable)
  }

  @Test func `is refused where no passcode could be verified`() {
    #expect(reason(check(noNewPrivileges: true)) == .cannotVerifyPasscodes)
    #expect(reason(check(seccomp: .filter)) == .cannotVerifyPasscodes)
    #expect(reason(check(seccomp: .strict)) == .cannotVerifyPasscodes)
    #expect(reason(check(user: .foreign)) == .cannotVerifyPasscodes)
    #expect(reason(check(mount: .foreign)) == .cannotVerifyPasscodes)
  }

  @Test func `that is refused says to people what is wrong and what to do, and the code`() throws {
    let failures = [
      check(tracer: 1), check(real: 7, effective: 0), check(.system), check(seccomp: .filter), check(locked: 1),
      check(descriptors: 1), .alreadyRunning(lock: "/x/lock"),
    ]
    for failure in failures.compactMap({ $0 }) {
      // A sentence, a next step, and the code that programs read first.
      let code = failure.word.prefix { $0 != " " }
      #expect(failure.line.hasSuffix(". [\(code)]"), "\(failure.line)")
      #expect(failure.line.components(separatedBy: ". ").count >= 3, "\(failure.line)")
    }
    #expect(failures.count == failures.compactMap { $0 }.count)
  }

  @Test func `is not refused for what cannot be told`() {
    #expect(check(seccomp: .unknown, user: .unknown, mount: .unknown) == nil)
  }

  @Test(arguments: [(4_194_303, .outOfMemory), (4_194_304, nil), (4_194_305, nil)] as [(UInt64, Reason?)])
  func `wants memory it may lock`(_ bytes: UInt64, _ expected: Reason?) {
    #expect(reason(check(locked: bytes)) == expected)
  }

  @Test(arguments: [(DaemonMode.user, 512), (.system, 2048)] as [(DaemonMode, UInt64)])
  func `wants descriptors`(_ mode: DaemonMode, _ least: UInt64) {
    #expect(reason(check(mode, real: 0, effective: 0, descriptors: least - 1)) == .serviceUnavailable)
    #expect(check(mode, real: 0, effective: 0, descriptors: least) == nil)
    #expect(check(mode, real: 0, effective: 0, descriptors: least + 1) == nil)
  }

  @Test func `that fails is told in one line of bounded length`() throws {
    let (reading, writing) = try OwnedDescriptor.pipe()
    let number = dup(writing.number)
    try ReadyWord(number).refuses(.unavailable("two\nlines " + String(repeating: "x", count: 2000)))
    #expect(fcntl(number, F_GETFD) == -1)
    var bytes = [UInt8](repeating: 0, count: 4096)
    var span = bytes.mutableSpan
    let count = try Files.read(reading, into: &span)
    let line = String(decoding: bytes.prefix(count), as: UTF8.self)
    #expect(count == ReadyWord.lineBytes)
    #expect(line.hasPrefix("serviceUnavailable two lines ") && line.hasSuffix("x\n"))
  }

  @Test func `that succeeds is told in one byte, and the descriptor is closed`() throws {
    let (reading, writing) = try OwnedDescriptor.pipe()
    let number = dup(writing.number)
    try ReadyWord(number).serves()
    #expect(fcntl(number, F_GETFD) == -1)
    var bytes = [UInt8](repeating: 0, count: 16)
    var span = bytes.mutableSpan
    #expect(try Files.read(reading, into: &span) == 1)
    #expect(throws: UsageFault.self) { _ = try ReadyWord(250) }
  }
}

@Suite struct `A folder of the daemon's own` {
  private func prepare(_ path: String, mode: UInt16 = 0o700) -> StartFailure? {
    do throws(StartFailure) {
      try OwnFolder(path: path, mode: mode, owner: getuid()).prepare()
      return nil
    } catch { return error }
  }

  @Test func `is made with all folders on the way`() throws {
    let scratch = try Scratch()
    #expect(prepare(scratch.path + "/a/b/c") == nil)
    for name in ["/a", "/a/b", "/a/b/c"] { #expect(try Files.facts(scratch.path + name).mode == 0o700) }
    #expect(prepare(scratch.path + "/a/b/c") == nil)
    #expect(prepare(scratch.path + "/a/run", mode: 0o755) == nil)
    #expect(try Files.facts(scratch.path + "/a/run").mode == 0o755)
  }

  @Test func `is shut where others could read it, and refused where they could write it`() throws {
    let scratch = try Scratch()
    for (mode, expected) in [(0o755, UInt16(0o700)), (0o770, nil), (0o702, nil)] as [(UInt16, UInt16?)] {
      let path = scratch.path + "/m\(mode)"
      try Files.makeDirectory(path, mode: mode)
      #expect((prepare(path) == nil) == (expected != nil))
      #expect(try Files.facts(path).mode == expected ?? mode)
    }
  }

  @Test func `is refused where it is a link or a file`() throws {
    let scratch = try Scratch()
    try Files.makeDirectory(scratch.path + "/real", mode: 0o700)
    symlink(scratch.path + "/real", scratch.path + "/link")
    #expect(prepare(scratch.path + "/link") != nil)
    #expect(prepare(scratch.path + "/link/below") == nil)
    _ = FileManager.default.createFile(atPath: scratch.path + "/file", contents: nil)
    #expect(prepare(scratch.path + "/file") != nil)
    #expect(prepare(scratch.path + "/file/below") != nil)
  }

  @Test(.enabled(if: getuid() == 0)) func `is refused where it, or a folder or link on the way, is somebody else's`()
    throws
  {
    let scratch = try Scratch()
    try Files.makeDirectory(scratch.path + "/theirs", mode: 0o700)
    chown(scratch.path + "/theirs", 12_345, 12_345)
    #expect(prepare(scratch.path + "/theirs") != nil)
    #expect(prepare(scratch.path + "/theirs/below") != nil)
    symlink("/tmp", scratch.path + "/link")
    lchown(scratch.path + "/link", 12_345, 12_345)
    #expect(prepare(scratch.path + "/link/below-\(getpid())") != nil)
  }
}

@Suite struct `The socket's place` {
  private func listen(_ path: String) -> Result<OwnedDescriptor, StartFailure> {
    var places = try! DaemonPlaces(
      DaemonOptions(mode: .user),
      PlaceSurroundings(executable: "/x/y/z", home: "/h", runtimeFolder: nil, dataFolder: nil))
    places.socket = path
    return Result { () throws(StartFailure) in try SocketBinding(places, owner: getuid()).listen() }
  }

  private func isRefused(_ path: String) -> Bool {
    if case .failure = listen(path) { true } else { false }
  }

  @Test func `is taken from a dead daemon`() throws {
    let path = try Scratch().path
    try Files.makeDirectory(path, mode: 0o700)
    let first = try listen(path + "/s").get()
    let inode = try Files.facts(path + "/s").inode
    withExtendedLifetime(first) {}
    _ = try listen(path + "/s").get()
    #expect(try Files.facts(path + "/s").inode != inode)
    #expect(try Files.facts(path + "/s").mode == 0o600)
    try FileManager.default.removeItem(atPath: path)
  }

  @Test func `is refused where a file or a link is in it`() throws {
    let scratch = try Scratch()
    _ = FileManager.default.createFile(atPath: scratch.path + "/file", contents: nil)
    #expect(isRefused(scratch.path + "/file"))
    symlink(scratch.path + "/nowhere", scratch.path + "/link")
    #expect(isRefused(scratch.path + "/link"))
    #expect(isRefused(scratch.path + "/" + String(repeating: "x", count: 120)))
  }
}
