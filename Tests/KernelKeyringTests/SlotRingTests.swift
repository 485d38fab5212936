import Synchronization
import Testing

@testable import KernelKeyring

// Keyrings belong to the thread, so each test joins on its own and never waits in between.

@Test func `what was written is read, byte for byte, from any later thread`() {
  let ring = KernelKeyring.join().makeRing(boottime: boottime)
  #expect(ring.availability == .on)
  let bytes = [UInt8](0...255) + [UInt8](0...255)
  #expect(ring.write(secret(bytes), to: item(1), seconds: 60) == .kept)
  #expect(ring.read(item(1)).bytes == bytes)
  let readThere = Mutex<[UInt8]?>(nil)
  onNewThread { readThere.withLock { $0 = ring.read(item(1)).bytes } }
  #expect(readThere.withLock { $0 } == bytes)
}

@Test(arguments: [
  (0, 60, SlotWrite.refused(.size)), (1, 60, .kept), (511, 60, .kept), (512, 60, .kept), (513, 60, .refused(.size)),
  (32, 0, .refused(.seconds)), (32, 1, .kept), (32, 172_799, .kept), (32, 172_800, .kept),
  (32, 172_801, .refused(.seconds)), (32, UInt32.max, .refused(.seconds)),
])
func `an entry within the bounds is kept, and outside nothing stays`(count: Int, seconds: UInt32, outcome: SlotWrite) {
  let ring = KernelKeyring.join().makeRing(boottime: boottime)
  #expect(ring.write(secret("former"), to: item(1), seconds: 60) == .kept)
  let bytes = [UInt8](repeating: 7, count: count)
  #expect(ring.write(secret(bytes), to: item(1), seconds: seconds) == outcome)
  #expect(ring.read(item(1)).bytes == (outcome == .kept ? bytes : nil))
  if outcome != .kept { #expect(ring.read(item(1)).ending == .revoked) }
}

@Test func `what was never written is missing`() {
  let ring = KernelKeyring.join().makeRing(boottime: boottime)
  #expect(ring.read(item(1)).ending == .missing)
  #expect(ring.secondsLeft(item(1)) == nil)
  #expect(ring.revoke(item(1)) == .done)
  #expect(ring.entries().isEmpty)
}

@Test func `a ring has 32 slots, made once, and every write goes into them`() {
  #expect(SlotKind.allCases.reduce(0) { $0 + $1.capacity } == SlotRing.slotCount)
  let ring = KernelKeyring.join().makeRing(boottime: boottime)
  let before = ring.serials
  #expect(before.count == 32 && Set(before).count == 32)
  for round in 0..<200 {
    for kind in SlotKind.allCases {
      #expect(ring.write(secret([UInt8(round)]), to: SlotEntry(kind: kind, name: [UInt8(round)]), seconds: 60) == .kept)
    }
  }
  #expect(ring.serials == before)
}

@Test(arguments: SlotKind.allCases)
func `one more entry of a kind takes the place of the oldest, and of no other kind`(kind: SlotKind) {
  let ring = KernelKeyring.join().makeRing(boottime: boottime)
  for other in SlotKind.allCases where other != kind {
    #expect(ring.write(secret("other"), to: SlotEntry(kind: other, name: []), seconds: 60) == .kept)
  }
  let entries = (0...kind.capacity).map { SlotEntry(kind: kind, name: [UInt8($0)]) }
  for (number, entry) in entries.dropLast().enumerated() {
    #expect(ring.write(secret([UInt8(number)]), to: entry, seconds: 60) == .kept)
  }
  #expect(entries.dropLast().allSatisfy { ring.read($0).bytes != nil })
  // Written again, the first is the youngest.
  #expect(ring.write(secret("again"), to: entries[0], seconds: 60) == .kept)
  #expect(ring.write(secret("last"), to: entries[kind.capacity], seconds: 60) == .kept)
  let oldest = kind.capacity > 1 ? 1 : 0
  for (number, entry) in entries.enumerated() {
    #expect((ring.read(entry).ending == .missing) == (number == oldest), "entry \(number)")
  }
  for other in SlotKind.allCases where other != kind {
    #expect(ring.read(SlotEntry(kind: other, name: [])).bytes == Array("other".utf8))
  }
}

@Test func `a revoked entry is gone and its neighbour stays`() throws {
  let ring = KernelKeyring.join().makeRing(boottime: boottime)
  #expect(ring.write(secret("one"), to: item(1), seconds: 60) == .kept)
  #expect(ring.write(secret("two"), to: item(2), seconds: 60) == .kept)
  let serial = ring.serial(of: item(1))
  #expect(ring.revoke(item(1)) == .done)
  #expect(ring.read(item(1)).ending == .revoked)
  #expect(ring.secondsLeft(item(1)) == nil)
  #expect(ring.read(item(2)).bytes == Array("two".utf8))
  #expect(try isBlank(#require(serial)), "in the kernel too")
  #expect(ring.write(secret("anew"), to: item(1), seconds: 60) == .kept)
  #expect(ring.read(item(1)).bytes == Array("anew".utf8))
}

@Test func `a lock ends what it names and a second lock the rest`() {
  let ring = KernelKeyring.join().makeRing(boottime: boottime)
  let entries = SlotKind.allCases.map { SlotEntry(kind: $0, name: [1]) }
  for entry in entries { #expect(ring.write(secret("k"), to: entry, seconds: 60) == .kept) }
  #expect(Set(ring.entries().map(\.entry)) == Set(entries))
  #expect(ring.revokeAll(of: [.classKey, .item, .proof]) == .done)
  #expect(ring.entries().map(\.entry) == [SlotEntry(kind: .biometricUnlock, name: [1])])
  #expect(ring.revokeAll() == .done)
  for entry in entries { #expect(ring.read(entry).ending == .revoked) }
  for entry in entries { #expect(ring.write(secret("back"), to: entry, seconds: 60) == .kept) }
  for entry in entries { #expect(ring.read(entry).bytes == Array("back".utf8)) }
}

@Test func `two users' rings know nothing of each other`() {
  let keyring = KernelKeyring.join()
  let one = keyring.makeRing(boottime: boottime)
  let other = keyring.makeRing(boottime: boottime)
  #expect(one.write(secret("one"), to: item(1), seconds: 60) == .kept)
  #expect(other.read(item(1)).ending == .missing)
  #expect(other.write(secret("other"), to: item(1), seconds: 60) == .kept)
  #expect(one.read(item(1)).bytes == Array("one".utf8))
  #expect(one.revokeAll() == .done)
  #expect(other.read(item(1)).bytes == Array("other".utf8))
}

@Test func `a ring that goes takes its keys along`() throws {
  var ring: SlotRing? = KernelKeyring.join().makeRing(boottime: boottime)
  #expect(ring?.write(secret("gone"), to: item(1), seconds: 60) == .kept)
  let serial = try #require(ring?.serial(of: item(1)))
  ring = nil
  #expect(throws: KeyringError.self) { try KeyringCalls.kernel.read(serial, secret("....")) }
}

@Test func `threads write, read and revoke side by side and never mix entries up`() {
  let ring = KernelKeyring.join().makeRing(boottime: boottime)
  let wrong = Atomic(0)
  let found = Atomic(0)
  onNewThread {
    var threads: [JoinedThread] = []
    for number in 0..<6 {
      threads.append(
        JoinedThread {
          for round in 0..<400 {
            let entry = item((number * 7 + round) % 24)
            switch round % 4 {
            case 0: _ = ring.write(secret(entry.name + [9]), to: entry, seconds: 60)
            case 3: if round % 40 == 3 { _ = ring.revoke(entry) }
            default:
              guard let bytes = ring.read(entry).bytes else { continue }
              found.add(1, ordering: .relaxed)
              if bytes != entry.name + [9] { wrong.add(1, ordering: .relaxed) }
            }
          }
        })
    }
    threads.forEach { $0.join() }
  }
  #expect(wrong.load(ordering: .relaxed) == 0)
  #expect(found.load(ordering: .relaxed) > 0)
}
