import Glibc
import Testing

@testable import KernelKeyring

/// One instruction of a seccomp filter (linux/filter.h).
private struct Instruction {
  var code: UInt16
  var ifTrue: UInt8 = 0
  var ifFalse: UInt8 = 0
  var value: UInt32
}

private struct Program {
  var count: UInt16
  var instructions: UnsafeMutablePointer<Instruction>
}

/// Makes add_key, request_key and keyctl of this thread, and of those it starts, fail with the errno (seccomp(2)).
private func blockKeyringCalls(errno: Int32) {
  #if arch(x86_64)
    let first: UInt32 = 248
  #else
    let first: UInt32 = 217
  #endif
  var filter = [
    Instruction(code: 0x20, value: 0),  // load the call's number
    Instruction(code: 0x35, ifFalse: 2, value: first),  // below add_key: allow
    Instruction(code: 0x25, ifTrue: 1, value: first + 2),  // above the three: allow
    Instruction(code: 0x06, value: 0x0005_0000 | UInt32(errno)),
    Instruction(code: 0x06, value: 0x7fff_0000),
  ]
  typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
  let control = unsafeBitCast(dlsym(nil, "prctl"), to: Control.self)
  filter.withUnsafeMutableBufferPointer { filter in
    var program = Program(count: UInt16(filter.count), instructions: filter.baseAddress!)
    precondition(control(38, 1, 0, 0, 0) == 0, "PR_SET_NO_NEW_PRIVS")
    precondition(control(22, 2, UInt(bitPattern: withUnsafeMutablePointer(to: &program) { $0 }), 0, 0) == 0, "seccomp")
  }
}

private func expectOff(_ error: KeyringError) throws {
  let keyring = KernelKeyring.join()
  let refusal = KeyringRefusal.call(.joinSession, error)
  try #require(keyring.availability == .off(refusal))
  let ring = keyring.makeRing(boottime: boottime)
  try #require(ring.write(secret("k"), to: item(1), seconds: 60) == .off(refusal))
  try #require(ring.read(item(1)).ending == .cacheOff(refusal))
}

@Test func `a sandbox that forbids the keyring calls switches the cache off`() async {
  await #expect(processExitsWith: .success) {
    blockKeyringCalls(errno: EPERM)
    try expectOff(.notPermitted)
  }
  await #expect(processExitsWith: .success) {
    blockKeyringCalls(errno: ENOSYS)
    try expectOff(.noSuchCall)
  }
}

@Test func `a sandbox that closes later loses no refusal and lends nothing stale`() async {
  await #expect(processExitsWith: .success) {
    let ring = KernelKeyring.join().makeRing(boottime: boottime)
    try #require(ring.write(secret("k"), to: item(1), seconds: 60) == .kept)
    blockKeyringCalls(errno: EPERM)
    try #require(ring.read(item(1)).ending == .cacheOff(.call(.read, .notPermitted)))
    try #require(ring.write(secret("n"), to: item(1), seconds: 60) == .off(.call(.update, .notPermitted)))
    try #require(ring.read(item(1)).ending == .missing)
  }
}
