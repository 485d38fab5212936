import CKeyutils
import Testing

@testable import KernelKeyring

private let entry = SlotEntry(kind: .classKey, name: [1])

@Test(
  arguments: [KeyringCall.joinSession, .processKeyring, .setPermissions, .add, .readFromThread],
  [KeyringError.notPermitted, .noSuchCall, .accessDenied, .quotaExceeded])
func `a keyring whose start is refused is off and says why`(call: KeyringCall, error: KeyringError) {
  let refusals = Refusals()
  refusals.refuse(call, error)
  let keyring = KernelKeyring.join(calls: refusals.calls)
  let refusal = KeyringRefusal.call(call, error)
  #expect(keyring.availability == .off(refusal))
  #expect("\(refusal)".contains(error.description))
  refusals.refuse(call, nil)
  let ring = keyring.makeRing(boottime: boottime)
  #expect(ring.availability == .off(refusal))
  #expect(ring.write(secret("k"), to: entry, seconds: 60) == .off(refusal))
  #expect(ring.read(entry).ending == .cacheOff(refusal))
  #expect(ring.revokeAll() == .done)
  #expect(ring.entries().isEmpty && ring.secondsLeft(entry) == nil)
}

@Test(arguments: [KeyringError.notPermitted, .noSuchCall, .noMemory])
func `a timeout that cannot be set keeps nothing`(error: KeyringError) throws {
  let refusals = Refusals()
  let ring = KernelKeyring.join(calls: refusals.calls).makeRing(boottime: boottime)
  #expect(ring.write(secret("old"), to: entry, seconds: 60) == .kept)
  let serial = try #require(ring.serial(of: entry))
  refusals.refuse(.setTimeout, error)
  #expect(ring.write(secret("new"), to: entry, seconds: 60) == .off(.call(.setTimeout, error)))
  #expect(ring.read(entry).ending == .missing)
  // Nor is it in the kernel, where it would stand without an end.
  #expect(try isBlank(serial))
  refusals.refuse(.setTimeout, nil)
  #expect(ring.write(secret("new"), to: entry, seconds: 60) == .kept)
  #expect(ring.read(entry).bytes == Array("new".utf8))
}

@Test(arguments: [KeyringError.notPermitted, .noSuchCall, .quotaExceeded])
func `an update that is refused leaves neither the new nor the former secret`(error: KeyringError) throws {
  let refusals = Refusals()
  let ring = KernelKeyring.join(calls: refusals.calls).makeRing(boottime: boottime)
  #expect(ring.write(secret("old"), to: entry, seconds: 60) == .kept)
  let serial = try #require(ring.serial(of: entry))
  refusals.refuse(.update, error)
  #expect(ring.write(secret("new"), to: entry, seconds: 60) == .off(.call(.update, error)))
  #expect(ring.read(entry).ending == .missing)
  #expect(throws: KeyringError.revoked) { try KeyringCalls.kernel.read(serial, secret("...")) }
}

@Test(arguments: [KeyringCall.add, .setPermissions])
func `a revoked slot that cannot be made again keeps nothing`(call: KeyringCall) throws {
  let refusals = Refusals()
  let ring = KernelKeyring.join(calls: refusals.calls).makeRing(boottime: boottime)
  #expect(ring.write(secret("old"), to: entry, seconds: 60) == .kept)
  try KeyringCalls.kernel.revoke(#require(ring.serial(of: entry)))
  #expect(ring.read(entry).ending == .revoked)
  refusals.refuse(call, .quotaExceeded)
  #expect(ring.write(secret("new"), to: entry, seconds: 60) == .off(.call(call, .quotaExceeded)))
  #expect(ring.read(entry).ending == .missing)
  refusals.refuse(call, nil)
  #expect(ring.write(secret("new"), to: entry, seconds: 60) == .kept)
}

@Test(arguments: [
  (KeyringError.expired, SlotEnding.expired), (.revoked, .revoked), (.noKey, .missing), (.accessDenied, .missing),
  (.notPermitted, .cacheOff(.call(.read, .notPermitted))), (.noSuchCall, .cacheOff(.call(.read, .noSuchCall))),
])
func `every refusal of a read has its reason`(error: KeyringError, ending: SlotEnding) {
  let refusals = Refusals()
  let ring = KernelKeyring.join(calls: refusals.calls).makeRing(boottime: boottime)
  #expect(ring.write(secret("k"), to: entry, seconds: 60) == .kept)
  refusals.refuse(.read, error)
  #expect(ring.read(entry).ending == ending)
  refusals.refuse(.read, nil)
  // What has ended stays so; what was only out of reach comes back.
  if case .cacheOff = ending {
    #expect(ring.read(entry).bytes == Array("k".utf8))
  } else {
    #expect(ring.read(entry).ending == ending)
  }
}

@Test func `a payload of another length than was written is not lent`() throws {
  let ring = KernelKeyring.join().makeRing(boottime: boottime)
  for changed in ["longer than it was", "k"] {
    #expect(ring.write(secret("as it was"), to: entry, seconds: 60) == .kept)
    try KeyringCalls.kernel.update(#require(ring.serial(of: entry)), secret(changed))
    #expect(ring.read(entry).ending == .missing)
  }
}

@Test func `a lock that the kernel refuses goes on, says so, and lends nothing any more`() {
  let refusals = Refusals()
  let ring = KernelKeyring.join(calls: refusals.calls).makeRing(boottime: boottime)
  #expect(ring.write(secret("k"), to: entry, seconds: 60) == .kept)
  #expect(ring.write(secret("k"), to: item(1), seconds: 60) == .kept)
  refusals.refuse(.update, .noMemory)
  refusals.refuse(.revoke, .notPermitted)
  #expect(ring.revokeAll() == .incomplete(.call(.revoke, .notPermitted)))
  #expect(ring.read(entry).ending == .revoked)
  #expect(ring.read(item(1)).ending == .revoked)
}

@Test func `a ring that somebody revoked is off as soon as it is asked for, and says why`() throws {
  for isWritten in [false, true] {
    // A ring inside of the process's, which the other tests go on to use.
    var calls = KeyringCalls.kernel
    calls.processKeyring = { () throws(KeyringError) in
      let outer = try KeyringCalls.kernel.processKeyring()
      let inner = add_key("keyring", "latchkey-test-\(isWritten)", nil, 0, outer)
      guard inner != -1 else { throw .current }
      return inner
    }
    let keyring = KernelKeyring.join(calls: calls)
    let ring = keyring.makeRing(boottime: boottime)
    #expect(ring.write(secret("k"), to: entry, seconds: 60) == .kept && ring.availability == .on)
    try KeyringCalls.kernel.revoke(keyring.ring)
    let refusal = KeyringRefusal.call(.add, .revoked)
    if isWritten { #expect(ring.write(secret("k"), to: entry, seconds: 60) != .kept) }
    #expect(ring.availability == .off(refusal))
    #expect("\(refusal)" == "the kernel refuses to add key: EKEYREVOKED")
    #expect(ring.write(secret("k"), to: entry, seconds: 60) == .off(refusal))
    #expect(ring.read(entry).ending == .cacheOff(refusal) && ring.entries().isEmpty)
  }
}

@Test(arguments: [KeyringError.quotaExceeded, .noMemory])
func `what passes does not switch a ring off`(error: KeyringError) {
  let refusals = Refusals()
  let ring = KernelKeyring.join(calls: refusals.calls).makeRing(boottime: boottime)
  refusals.refuse(.add, error)
  #expect(ring.availability == .on)
  refusals.refuse(.add, nil)
  #expect(ring.write(secret("k"), to: entry, seconds: 60) == .kept)
}
