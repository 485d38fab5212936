import Testing

@testable import KernelKeyring

@Test func `an entry vanishes at its timeout, and reading does not prolong it`() throws {
  let ring = KernelKeyring.join().makeRing(boottime: boottime)
  let start = boottime()
  #expect(ring.write(secret("short"), to: item(1), seconds: 1) == .kept)
  #expect(ring.write(secret("long"), to: item(2), seconds: 60) == .kept)
  #expect(ring.read(item(1)).bytes == Array("short".utf8))
  #expect(becomesTrue(within: 3) { ring.read(item(1)).ending == .expired })
  #expect(boottime() - start >= 990_000_000)
  #expect(boottime() - start < 1_400_000_000)
  #expect(ring.read(item(2)).bytes == Array("long".utf8))
}

@Test func `the kernel ends an entry by itself where the boot clock stands still`() throws {
  let ring = KernelKeyring.join().makeRing(boottime: HandClock().read)
  #expect(ring.write(secret("short"), to: item(1), seconds: 1) == .kept)
  let serial = try #require(ring.serial(of: item(1)))
  #expect(ring.read(item(1)).bytes != nil)
  #expect(becomesTrue(within: 4) { ring.read(item(1)).ending == .expired })
  // Its payload went at once: the key was revived around a blank and not left to the collector.
  #expect(try isBlank(serial))
  #expect(ring.write(secret("again"), to: item(1), seconds: 60) == .kept)
  #expect(ring.read(item(1)).bytes == Array("again".utf8))
  #expect(ring.serial(of: item(1)) == serial, "an expired key is revived under its number")
}

@Test(arguments: [(59_999, nil), (60_000, SlotEnding.expired), (60_001, .expired)])
func `the boot clock ends an entry that the kernel still has`(milliseconds: Int, ending: SlotEnding?) throws {
  let clock = HandClock()
  let ring = KernelKeyring.join().makeRing(boottime: clock.read)
  #expect(ring.write(secret("slept"), to: item(1), seconds: 60) == .kept)
  let serial = try #require(ring.serial(of: item(1)))
  clock.advance(milliseconds: UInt64(milliseconds))
  #expect(ring.read(item(1)).ending == ending)
  guard ending != nil else { return }
  #expect(ring.entries().isEmpty)
  #expect(try isBlank(serial))
}

@Test func `every write arms the timeout anew`() {
  let ring = KernelKeyring.join().makeRing(boottime: boottime)
  let start = boottime()
  #expect(ring.write(secret("first"), to: item(1), seconds: 1) == .kept)
  #expect(ring.write(secret("held"), to: item(1), seconds: 3) == .kept)
  #expect(ring.write(secret("cut"), to: item(2), seconds: 60) == .kept)
  #expect(ring.write(secret("cut"), to: item(2), seconds: 1) == .kept)
  #expect(becomesTrue(within: 3) { ring.read(item(2)).ending == .expired })
  #expect(becomesTrue(within: 2) { boottime() - start > 1_800_000_000 })
  #expect(ring.read(item(1)).bytes == Array("held".utf8), "the first second is over, the three are not")
  #expect(becomesTrue(within: 4) { ring.read(item(1)).ending == .expired })
}

@Test(arguments: [(0, 10), (1, 10), (1_000, 9), (9_000, 1), (9_999, 1), (10_000, nil)] as [(UInt64, UInt32?)])
func `the seconds left count begun ones whole`(milliseconds: UInt64, left: UInt32?) {
  let clock = HandClock()
  let ring = KernelKeyring.join().makeRing(boottime: clock.read)
  #expect(ring.write(secret("k"), to: item(1), seconds: 10) == .kept)
  clock.advance(milliseconds: milliseconds)
  #expect(ring.secondsLeft(item(1)) == left)
  #expect(ring.entries().map(\.secondsLeft) == (left.map { [$0] } ?? []))
}

@Test func `a lock frees the payload of an entry that has already expired`() throws {
  let ring = KernelKeyring.join().makeRing(boottime: HandClock().read)
  #expect(ring.write(secret("short"), to: item(1), seconds: 1) == .kept)
  let serial = try #require(ring.serial(of: item(1)))
  #expect(
    becomesTrue(within: 4) {
      do throws(KeyringError) { _ = try KeyringCalls.kernel.read(serial, secret(".....")) } catch {
        return error == .expired
      }
      return false
    })
  #expect(ring.revokeAll() == .done)
  #expect(try isBlank(serial))
  #expect(ring.read(item(1)).ending == .revoked)
}
