import CKeyutils
import Foundation
import Synchronization
import Testing

@testable import KernelKeyring

/// Runs keyctl(1), as any program of the same user may: exit status and output.
private func keyctl(_ arguments: String...) throws -> (status: Int32, output: String) {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/keyctl")
  process.arguments = arguments
  process.standardOutput = output
  process.standardError = output
  try process.run()
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return (process.terminationStatus, text)
}

@Test func `another process of the same user, and root, reads nothing by number`() throws {
  let keyring = KernelKeyring.join()
  let ring = keyring.makeRing(boottime: boottime)
  #expect(ring.write(secret("canary"), to: item(1), seconds: 60) == .kept)
  let serial = "\(try #require(ring.serial(of: item(1))))"
  for arguments in [
    ["print", serial], ["read", serial], ["describe", serial], ["link", serial, "@s"],
    ["setperm", serial, "0x3f3f3f3f"], ["timeout", serial, "1000"], ["revoke", serial],
  ] {
    let answer = try keyctl(arguments[0], arguments[1], arguments.dropFirst(2).first ?? "")
    #expect(answer.status != 0, "\(arguments[0])")
    #expect(!answer.output.contains("canary"), "\(arguments[0])")
  }
  for arguments in [["rlist", "\(keyring.ring)"], ["show", "\(keyring.ring)"]] {
    #expect(!(try keyctl(arguments[0], arguments[1])).output.contains(serial), "\(arguments[0])")
  }
  #expect(!(try keyctl("show", "@s")).output.contains(serial))
  #expect(ring.read(item(1)).bytes == Array("canary".utf8), "and this process still does")
}

/// The same attack reads a key that is not in a process keyring: so the test above can fail.
@Test func `a key in the user keyring is read by number`() throws {
  // Possession of the user keyring, so that the mask may be set.
  _ = KernelKeyring.join()
  keyctl_link(KEY_SPEC_USER_KEYRING, KEY_SPEC_PROCESS_KEYRING)
  defer { keyctl_unlink(KEY_SPEC_USER_KEYRING, KEY_SPEC_PROCESS_KEYRING) }
  let key = try KeyringCalls.kernel.add("latchkey-test-control", secret("canary"), KEY_SPEC_USER_KEYRING)
  defer { keyctl_unlink(key, KEY_SPEC_USER_KEYRING) }
  try KeyringCalls.kernel.setPermissions(key, UInt32(KEY_POS_ALL) | UInt32(KEY_USR_ALL))
  #expect(try keyctl("print", "\(key)").output.contains("canary"))
}

@Test func `a thread that ran before the keyring was joined reads nothing`() async {
  // In a process of its own: here an earlier test may have joined on the thread that this one runs on.
  await #expect(processExitsWith: .success) {
    let ring = Mutex<SlotRing?>(nil)
    let early = Mutex<SlotEnding?>(nil)
    let late = Mutex<[UInt8]?>(nil)
    let earlyThread = JoinedThread {
      _ = becomesTrue(within: 10) { ring.withLock { $0 } != nil }
      early.withLock { $0 = ring.withLock { $0 }?.read(item(1)).ending }
    }
    let made = KernelKeyring.join().makeRing(boottime: boottime)
    _ = made.write(secret("k"), to: item(1), seconds: 60)
    onNewThread { late.withLock { $0 = made.read(item(1)).bytes } }
    ring.withLock { $0 = made }
    earlyThread.join()
    try #require(late.withLock { $0 } == Array("k".utf8))
    try #require(early.withLock { $0 } == .missing)
  }
}

@Test func `a child of the process reads nothing`() throws {
  let ring = KernelKeyring.join().makeRing(boottime: boottime)
  #expect(ring.write(secret("canary"), to: item(1), seconds: 60) == .kept)
  let serial = try #require(ring.serial(of: item(1)))
  let answer = try keyctl("session", "-", "/usr/bin/keyctl", "print", "\(serial)")
  #expect(answer.status != 0 && !answer.output.contains("canary"))
}
