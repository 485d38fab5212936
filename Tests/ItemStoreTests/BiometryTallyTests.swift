import Foundation
import Testing

@testable import ItemStore

@Suite struct BiometryTallyTests {
  @Test func `misses count up, survive a restart and are forgotten at once`() throws {
    let fixture = try StoreFixture()
    #expect(try fixture.store.biometryMisses() == 0)
    for expected in 1...6 { #expect(try fixture.store.recordBiometryMiss() == UInt32(expected)) }
    try fixture.reopen()
    #expect(try fixture.store.biometryMisses() == 6)
    try fixture.store.resetBiometryTally()
    #expect(try fixture.store.biometryMisses() == 0)
  }

  @Test(arguments: [Int64(-1), .max]) func `a tally with nonsense in it counts as the highest`(value: Int64) throws {
    let fixture = try StoreFixture()
    try fixture.store.writer.execute("UPDATE biometry_tally SET misses = \(value)")
    #expect(try fixture.store.biometryMisses() == .max)
    #expect(try fixture.store.recordBiometryMiss() == .max)
  }

  @Test func `a tally that is gone is damage, not a clean record`() throws {
    let fixture = try StoreFixture()
    try fixture.store.writer.execute("DELETE FROM biometry_tally")
    #expect(throws: StoreError.self) { try fixture.store.biometryMisses() }
  }
}
