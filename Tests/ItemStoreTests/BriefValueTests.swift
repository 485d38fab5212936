import KeychainModel
import SecretMemory
import Testing

@testable import ItemStore

/// A value that was fetched along with its row is opened without a second look, as long as nothing was written.
@Suite struct BriefValueTests {
  /// The largest value whose sealed form comes with the row.
  private static let longest = ItemRow.briefValueBytes - AuthenticatedCipher.overhead

  /// The item as a program finds it that holds its group: all of the primary key is named.
  private static func named(_ fixture: StoreFixture) throws -> SealedItem {
    try #require(try fixture.find(StoreFixture.query("s", "me"), groups: [ExactText(bytes: [])]).first)
  }

  @Test(arguments: [
    (longest - 1, true), (longest, true), (longest + 1, false), (0, true),
  ])
  func `A value comes along with its row up to the bound, and opens on both sides of it`(
    count: Int, comesAlong: Bool
  ) throws {
    let fixture = try StoreFixture()
    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    try fixture.add("s", value: value)
    let item = try Self.named(fixture)
    #expect((item.row.sealedValue != nil) == comesAlong)
    #expect(try fixture.open(item).value?.unprotectedCopy() == value)
  }

  @Test func `A list fetches no values`() throws {
    let fixture = try StoreFixture()
    try fixture.add("s")
    let query = ItemQuery(itemClass: .genericPassword, limit: .all)
    #expect(try fixture.find(query).map { $0.row.sealedValue } == [nil])
  }

  @Test func `Whatever is written makes the opening look again`() throws {
    let fixture = try StoreFixture()
    try fixture.add("s", value: [1])
    let found = try Self.named(fixture)
    #expect(found.row.sealedValue != nil && found.foundAt == fixture.store.writes.now)
    try fixture.update(StoreFixture.query("s")) { $0.value = try StoreFixture.secret([2]) }
    #expect(found.foundAt != fixture.store.writes.now)
    #expect(try fixture.open(found).value?.unprotectedCopy() == [2])
    let later = try Self.named(fixture)
    try fixture.bind()
    #expect(later.foundAt != fixture.store.writes.now)
    #expect(try fixture.open(later).value?.unprotectedCopy() == [2])
  }

  @Test func `No moment can be had while a change is under way, and one that failed counts as well`() throws {
    let mark = WriteMark()
    let before = try #require(mark.now)
    #expect(mark.now == before)
    mark.whileWriting { #expect(mark.now == nil) }
    let between = try #require(mark.now)
    #expect(between != before)
    #expect(throws: StoreError.diskFull) {
      try mark.whileWriting { () throws(StoreError) in throw .diskFull }
    }
    #expect(mark.now != nil && mark.now != between)
  }
}
