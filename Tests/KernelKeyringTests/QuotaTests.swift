import CKeyutils
import Glibc
import Testing

@testable import KernelKeyring

// Each runs as an ordinary user that nobody else is, in a process of its own: the quota is counted by user, and a process
// cannot go back. An ordinary user may have 200 keys and 20,000 bytes.

@Test(.enabled(if: getuid() == 0, "needs root to become another user"))
func `an ordinary user writes 20,000 times into 32 slots`() async {
  await #expect(processExitsWith: .success) {
    becomeUser(4_100_001)
    let ring = KernelKeyring.join().makeRing(boottime: boottime)
    try #require(ring.availability == .on)
    let payload = secret([UInt8](repeating: 5, count: SlotRing.maximumBytes))
    var kept = 0
    for round in 0..<20_000 {
      let entry = SlotEntry(kind: SlotKind.allCases[round % 4], name: [UInt8(round & 255), UInt8(round >> 8)])
      if ring.write(payload, to: entry, seconds: 60) == .kept { kept += 1 }
    }
    try #require(kept == 20_000)
    try #require(ring.entries().count == SlotRing.slotCount)
  }
}

@Test(.enabled(if: getuid() == 0, "needs root to become another user"))
func `an ordinary user locks and unlocks a hundred times`() async {
  await #expect(processExitsWith: .success) {
    becomeUser(4_100_002)
    let ring = KernelKeyring.join().makeRing(boottime: boottime)
    let payload = secret([UInt8](repeating: 5, count: 32))
    for _ in 0..<100 {
      for number in 0..<8 {
        try #require(ring.write(payload, to: SlotEntry(kind: .classKey, name: [UInt8(number)]), seconds: 60) == .kept)
      }
      for number in 0..<8 { try #require(ring.write(payload, to: item(number), seconds: 60) == .kept) }
      try #require(ring.revokeAll() == .done)
      try #require(ring.entries().isEmpty)
    }
  }
}

@Test(.enabled(if: getuid() == 0, "needs root to become another user"))
func `a full quota switches the cache off, and an emptied one on again`() async {
  await #expect(processExitsWith: .success) {
    becomeUser(4_100_003)
    let keyring = KernelKeyring.join()
    try #require(keyring.availability == .on)
    var filled: [Int32] = []
    while let key = try? KeyringCalls.kernel.add("fill \(filled.count)", secret("x"), keyring.ring) {
      filled.append(key)
    }
    try #require(filled.count > 100)
    let ring = keyring.makeRing(boottime: boottime)
    let full = KeyringRefusal.call(.add, .quotaExceeded)
    try #require(ring.availability == .off(full))
    try #require(ring.write(secret("k"), to: item(1), seconds: 60) == .off(full))
    try #require(ring.read(item(1)).ending == .cacheOff(full))
    for key in filled { try KeyringCalls.kernel.unlink(key, keyring.ring) }
    try #require(becomesTrue(within: 10) { ring.write(secret("k"), to: item(1), seconds: 60) == .kept })
    try #require(ring.availability == .on)
    try #require(ring.read(item(1)).bytes == Array("k".utf8))
  }
}

@Test(.enabled(if: getuid() == 0, "needs root to become another user"))
func `a full quota at the start is the reason the keyring is off`() async {
  await #expect(processExitsWith: .success) {
    becomeUser(4_100_004)
    let ring = try KeyringCalls.kernel.processKeyring()
    var count = 0
    while (try? KeyringCalls.kernel.add("fill \(count)", secret("x"), ring)) != nil { count += 1 }
    guard case .off(.call(_, .quotaExceeded)) = KernelKeyring.join().availability else { exit(3) }
  }
}
