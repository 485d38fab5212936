import Glibc
import TestSupport
import Testing

@testable import KernelKeyring

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
    KeyringFilter.block(errno: EPERM)
    try expectOff(.notPermitted)
  }
  await #expect(processExitsWith: .success) {
    KeyringFilter.block(errno: ENOSYS)
    try expectOff(.noSuchCall)
  }
}

@Test func `a sandbox that closes later loses no refusal and lends nothing stale`() async {
  await #expect(processExitsWith: .success) {
    let ring = KernelKeyring.join().makeRing(boottime: boottime)
    try #require(ring.write(secret("k"), to: item(1), seconds: 60) == .kept)
    KeyringFilter.block(errno: EPERM)
    try #require(ring.read(item(1)).ending == .cacheOff(.call(.read, .notPermitted)))
    try #require(ring.write(secret("n"), to: item(1), seconds: 60) == .off(.call(.update, .notPermitted)))
    try #require(ring.read(item(1)).ending == .missing)
  }
}
