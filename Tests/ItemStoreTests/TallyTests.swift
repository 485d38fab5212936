import KeychainModel
import Testing

@testable import ItemStore

@Suite struct TallyTests {
  private static func clock(_ seconds: Int64, boot: UInt8 = 1, bootSeconds: Int64? = nil) -> ClockReading {
    ClockReading(wallSeconds: 1_000_000 + seconds, bootSeconds: bootSeconds ?? seconds, bootID: [boot])
  }

  @Test(arguments: zip(1...11, [0, 0, 0, 0, 60, 300, 900, 900, 3600, 3600, 3600] as [UInt32]))
  func `Each wrong passcode waits as long as Apple's does`(misses: Int, wait: UInt32) throws {
    let fixture = try StoreFixture()
    var last = PasscodeTally(misses: 0, retryAfterSeconds: 0)
    for miss in 0..<misses { last = try fixture.store.recordMiss(at: Self.clock(Int64(miss) * 4000)) }
    #expect(last == PasscodeTally(misses: UInt32(misses), retryAfterSeconds: wait))
  }

  @Test func `The wait runs on the boot clock, and a clock set forward does not end it`() throws {
    let fixture = try StoreFixture()
    for _ in 0..<5 { _ = try fixture.store.recordMiss(at: Self.clock(100)) }
    #expect(try fixture.store.tally(at: Self.clock(159)).retryAfterSeconds == 1)
    #expect(try fixture.store.tally(at: Self.clock(160)).retryAfterSeconds == 0)
    #expect(try fixture.store.tally(at: Self.clock(100_000, bootSeconds: 110)).retryAfterSeconds == 50)
    #expect(try fixture.store.tally(at: Self.clock(-100_000, bootSeconds: 160)).retryAfterSeconds == 0)
  }

  @Test func `A restart neither ends the wait nor makes it endless`() throws {
    let fixture = try StoreFixture()
    for _ in 0..<6 { _ = try fixture.store.recordMiss(at: Self.clock(100)) }
    try fixture.reopen()
    #expect(try fixture.store.tally(at: Self.clock(200, boot: 2, bootSeconds: 5)).retryAfterSeconds == 200)
    #expect(try fixture.store.tally(at: Self.clock(900_000, boot: 2, bootSeconds: 100)).retryAfterSeconds == 105)
    #expect(try fixture.store.tally(at: Self.clock(-900_000, boot: 3, bootSeconds: 5)).retryAfterSeconds == 200)
    #expect(try fixture.store.tally(at: Self.clock(-900_000, boot: 3, bootSeconds: 205)).retryAfterSeconds == 0)
    #expect(try fixture.store.tally(at: Self.clock(100_000, boot: 4, bootSeconds: 0)).retryAfterSeconds == 0)
    #expect(try fixture.store.tally(at: Self.clock(100_000, boot: 4, bootSeconds: 0)).misses == 6)
  }

  @Test func `A miss during a wait never shortens it, and a right passcode forgets all`() throws {
    let fixture = try StoreFixture()
    for _ in 0..<9 { _ = try fixture.store.recordMiss(at: Self.clock(0)) }
    #expect(try fixture.store.recordMiss(at: Self.clock(1800)).retryAfterSeconds == 3600)
    try fixture.store.resetTally()
    try fixture.reopen()
    #expect(try fixture.store.tally(at: Self.clock(1801)) == PasscodeTally(misses: 0, retryAfterSeconds: 0))
    #expect(try fixture.store.recordMiss(at: Self.clock(1801)).retryAfterSeconds == 0)
  }

  @Test func `A tally with nonsense in it waits at most an hour`() throws {
    let fixture = try StoreFixture()
    for (column, value) in [
      ("wait_seconds", Int64.max), ("missed_boot", .min), ("misses", .max), ("missed_wall", .max),
    ] {
      try fixture.tamper(
        "UPDATE passcode_tally SET \(column) = \(value == .min ? "-9223372036854775808" : String(value))")
      let tally = try fixture.store.tally(at: Self.clock(5))
      #expect(tally.retryAfterSeconds <= 3600)
      _ = try fixture.store.recordMiss(at: Self.clock(5))
    }
  }
}

@Suite struct PolicyTests {
  @Test func `A policy is kept by its exact pattern, replaced and taken away`() throws {
    let fixture = try StoreFixture()
    try fixture.store.putPolicy(pattern: "com.b", text: "1")
    try fixture.store.putPolicy(pattern: "com.a.*", text: "2")
    try fixture.store.putPolicy(pattern: "com.b", text: "3")
    try fixture.reopen()
    #expect(try fixture.store.policies().map(\.pattern) == ["com.a.*", "com.b"])
    #expect(try fixture.store.policy(pattern: "com.b")?.text == "3")
    #expect(try fixture.store.policy(pattern: "COM.B") == nil)
    try fixture.store.deletePolicy(pattern: "com.b")
    #expect(throws: StoreError.itemNotFound) { try fixture.store.deletePolicy(pattern: "com.b") }
    #expect(try fixture.store.policies().count == 1)
  }

  @Test func `Patterns, texts and their number are bounded`() throws {
    let fixture = try StoreFixture()
    func put(_ pattern: Int, _ text: Int) throws {
      try fixture.store.putPolicy(
        pattern: ExactText(bytes: .init(repeating: 97, count: pattern)),
        text: ExactText(bytes: .init(repeating: 98, count: text)))
    }
    try put(254, 1)
    try put(255, 49_151)
    try put(3, 49_152)
    #expect(throws: StoreError.policyTooLarge) { try put(256, 1) }
    #expect(throws: StoreError.policyTooLarge) { try put(1, 49_153) }
    for number in 0..<253 { try fixture.store.putPolicy(pattern: ExactText("p\(number)"), text: "x") }
    #expect(throws: StoreError.policyTooLarge) { try fixture.store.putPolicy(pattern: "one more", text: "x") }
    try fixture.store.putPolicy(pattern: "p0", text: "still replaceable")
    #expect(try fixture.store.policies().count == 256)
  }

  @Test func `A policy that was altered or moved is damage, not absence`() throws {
    for sql in ["sealed = zeroblob(90)", "pattern_hash = zeroblob(16)"] {
      let fixture = try StoreFixture()
      try fixture.store.putPolicy(pattern: "a", text: "1")
      try fixture.tamper("UPDATE user_policies SET \(sql)")
      #expect(throws: StoreError.damaged(.database)) { try fixture.store.policies() }
    }
  }
}
