import CLinux
import Glibc
import Testing

@testable import LinuxSystem

@Test func `an account is found by name and by number, and none is none`() throws {
  let root = try #require(try Users.account(0))
  #expect(root.name == "root" && root.gid == 0 && root.home == "/root")
  #expect(try Users.account("root") == root)
  #expect(try Users.account("latchkey-nobody-has-this-name") == nil)
  #expect(try Users.account(4_000_000_001) == nil)
  #expect(throws: Errno.invalidArgument) { try Users.account("root\0x") }
  #expect(try Users.groups(of: root).contains(0))
}

private let yescrypt = "$y$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd.RhAtQ7"
private let sha512 =
  "$6$saltsalt$qFmFH.bQmmtXzyBY0s9v7Oicd2z4XSIecDzlB5KiA2/jctKu9YterLp8wwnSq.qc.eoxqOmSuNp2xS0ktL3nh/"

@Test(arguments: [
  ("", PasscodeState.notSet), ("!", .locked), ("!!", .locked), ("!" + yescrypt, .locked), ("!*", .locked),
  ("*", .disabled), ("*LK*", .disabled), ("x", .unusable), (yescrypt, .set), (sha512, .set),
  ("$1$salt$qJH7.N4xYta3aEG/dfqo/0", .set), ("$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", .set),
  ("ab1FfXAYx2rfA", .set), ("ab1FfXAYx2rf", .unusable), ("$", .unusable), ("$y$", .unusable), ("$z$a$b", .unusable),
  ("$6$salt$", .unusable), (" " + sha512, .unusable), (sha512 + ":", .unusable), (sha512 + "!", .unusable),
  ("é", .unusable),
])
func `the password field tells the state of the passcode`(field: String, state: PasscodeState) {
  #expect(PasscodeState.of(field: Array(field.utf8)) == state)
}

/// crypt_checksalt(3) itself, which the programs do not link.
private let checkSalt: (@convention(c) (UnsafePointer<CChar>) -> Int32)? = {
  guard let library = dlopen("libcrypt.so.1", RTLD_NOW), let symbol = dlsym(library, "crypt_checksalt") else {
    return nil
  }
  return unsafeBitCast(symbol, to: (@convention(c) (UnsafePointer<CChar>) -> Int32).self)
}()

@Test(.enabled(if: checkSalt != nil, "needs libcrypt"))
func `nothing that crypt itself calls unusable is taken for a passcode`() throws {
  let check = try #require(checkSalt)
  var generator = SystemRandomNumberGenerator()
  let good = [yescrypt, sha512, "ab1FfXAYx2rfA", "$1$salt$qJH7.N4xYta3aEG/dfqo/0", "_J9..rasmBYk8r9AiWNc"]
  for field in good {
    // 0 is usable, 3 usable but old.
    #expect([0, 3].contains(check(field)), "\(field)")
    #expect(PasscodeState.of(field: Array(field.utf8)) == .set, "\(field)")
  }
  for _ in 0..<20_000 {
    var field = Array(good.randomElement(using: &generator)!.utf8)
    field[Int.random(in: 0..<min(field.count, 4), using: &generator)] = UInt8.random(in: 0x20...0x7e, using: &generator)
    let text = String(decoding: field, as: UTF8.self)
    if PasscodeState.of(field: field) == .set { #expect([0, 3].contains(check(text)), "\(text)") }
  }
}

@Test(arguments: [
  (100, AccountAgeing(), AccountAgeing.Standing.current),
  (100, AccountAgeing(accountExpires: 101), .current), (100, AccountAgeing(accountExpires: 100), .accountExpired),
  (100, AccountAgeing(accountExpires: 99), .accountExpired), (100, AccountAgeing(lastChange: 0), .mustChange),
  (100, AccountAgeing(lastChange: 90, maximumDays: 11), .current),
  (100, AccountAgeing(lastChange: 90, maximumDays: 10), .current),
  (100, AccountAgeing(lastChange: 90, maximumDays: 9), .mustChange),
  (100, AccountAgeing(lastChange: 90, maximumDays: 8, inactiveDays: 3), .mustChange),
  (100, AccountAgeing(lastChange: 90, maximumDays: 8, inactiveDays: 2), .mustChange),
  (100, AccountAgeing(lastChange: 90, maximumDays: 8, inactiveDays: 1), .passcodeExpired),
  (100, AccountAgeing(lastChange: 101, maximumDays: 0), .current),
  (100, AccountAgeing(lastChange: 0, accountExpires: 1), .accountExpired),
])
func `an account ages day by day`(day: Int, ageing: AccountAgeing, standing: AccountAgeing.Standing) {
  #expect(ageing.standing(on: day) == standing)
}

@Test(arguments: [
  ("alice P 2026-11-30 0 99999 7 -1\n", PasscodeState.set), ("alice NP 2026-11-30 0 99999 7 -1\n", .notSet),
  ("alice L 2026-11-30 0 99999 7 -1\n", .locked), ("bob NP 2026-11-30 0 99999 7 -1\n", .unknown), ("", .unknown),
  ("alice\n", .unknown), ("alice N\n", .unknown), ("alice NP\nbob P\n", .unknown), ("passwd: NP\n", .unknown),
])
func `only a plain answer of passwd says anything`(text: String, state: PasscodeState) {
  #expect(PasscodeReport.parse(Array(text.utf8), name: "alice") == state)
}

@Test func `a passwd that fails, hangs, floods or is missing says nothing`() throws {
  let folder = try TemporaryFolder(mode: 0o755)
  let name = try #require(try Users.account(Users.realUserID)).name
  func answer(_ script: String, milliseconds: UInt64 = 5000) throws -> PasscodeState {
    let program = try folder.install(program: Array("#!/bin/sh\n\(script)\n".utf8), as: "passwd")
    return PasscodeReport.ask(program: program, until: Clock.boottime + milliseconds * 1_000_000)
  }
  #expect(try answer("echo \(name) NP") == .notSet)
  #expect(try answer("echo \(name) NP; exit 1") == .unknown)
  #expect(try answer("exec sleep 100", milliseconds: 100) == .unknown)
  #expect(try answer("exec yes '\(name) NP'") == .unknown)
  #expect(PasscodeReport.ask(program: "/nonexistent", until: Clock.boottime + 1_000_000_000) == .unknown)
}

@Test(.enabled(if: isRoot, "makes users"))
func `real accounts show the states that were set for them`() throws {
  let name = "lklx\(UInt16.random(in: 0...UInt16.max))"
  func run(_ program: String, _ arguments: [String]) throws {
    let end = try Spawn.start(program, SpawnPlan(arguments: [program] + arguments)).wait()
    try #require(end == .exited(0), "\(program) \(arguments)")
  }
  try run("/usr/sbin/useradd", ["-M", name])
  defer { try? run("/usr/sbin/userdel", [name]) }
  func state() throws -> PasscodeState? { try Users.shadow(name)?.passcode }
  #expect(try state() == .locked, "never set")
  try run("/usr/sbin/usermod", ["-p", yescrypt, name])
  #expect(try state() == .set)
  try run("/usr/sbin/usermod", ["-L", name])
  #expect(try state() == .locked)
  try run("/usr/bin/passwd", ["-d", name])
  #expect(try state() == .notSet)
  try run("/usr/sbin/usermod", ["-p", "x", name])
  #expect(try state() == .unusable)
  try run("/usr/sbin/usermod", ["-e", "2020-01-01", name])
  #expect(try Users.shadow(name)?.ageing.standing(on: AccountAgeing.today) == .accountExpired)
  #expect(try Users.shadow("latchkey-nobody-has-this-name") == nil)
}
