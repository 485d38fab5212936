import KeychainModel
import SecretMemory
import Testing

@testable import ItemStore

/// Batches are sealed by two threads, chunk by chunk.
@Suite struct BatchTests {
  private static func item(_ number: Int, value: [UInt8]? = nil) throws -> NewItem {
    let attributes = ItemAttributes([.service: .text(ExactText("s\(number)")), .account: .text("me")])
    return NewItem(
      itemClass: .genericPassword, attributes: attributes, accessControl: .unconstrained(.whenUnlocked),
      value: try StoreFixture.secret(
        value ?? [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]))
  }

  private static func add(
    _ items: [NewItem], to fixture: StoreFixture, rule: DuplicateRule = .refuse
  ) throws -> [AddedItem] {
    try fixture.store.add(items, onDuplicate: rule, keys: fixture.keys, now: fixture.now)
  }

  @Test(arguments: [
    1, BatchSealing.chunkRows - 1, BatchSealing.chunkRows, BatchSealing.chunkRows + 1, BatchSealing.leastRows - 1,
    BatchSealing.leastRows, BatchSealing.leastRows + 1, 1000,
  ])
  func `Every item of a batch is added in its order and opens`(count: Int) throws {
    let fixture = try StoreFixture()
    let added = try Self.add((0..<count).map { try Self.item($0) }, to: fixture)
    #expect(added.count == count)
    let found = try fixture.find(ItemQuery(itemClass: .genericPassword, limit: .all))
    #expect(found.map(\.identifier) == added.map(\.identifier))
    for (number, item) in found.enumerated() {
      let value = [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
      #expect(try fixture.open(item).value?.unprotectedCopy() == value)
    }
  }

  @Test func `No batch adds nothing`() throws {
    let fixture = try StoreFixture()
    #expect(try Self.add([], to: fixture).isEmpty)
  }

  @Test(arguments: [0, 1, 500, 998])
  func `An item that is there already ends the whole batch`(place: Int) throws {
    let fixture = try StoreFixture()
    var items = try (0..<1000).map { try Self.item($0) }
    items[999] = items[place]
    #expect(throws: StoreError.duplicateItem) { _ = try Self.add(items, to: fixture) }
    #expect(try fixture.store.count() == 0)
  }

  @Test func `A batch that replaces changes what is there, adds the rest, and keeps names apart`() throws {
    let fixture = try StoreFixture()
    let first = try Self.add((0..<300).map { try Self.item($0) }, to: fixture)
    let second = try Self.add((200..<500).map { try Self.item($0, value: [9]) }, to: fixture, rule: .replace)
    #expect(second.map(\.outcome) == (0..<300).map { $0 < 100 ? .replaced : .added })
    #expect(second.prefix(100).map(\.identifier) == first.suffix(100).map(\.identifier))
    #expect(try fixture.store.count() == 500)
    let found = try fixture.find(ItemQuery(itemClass: .genericPassword, limit: .all))
    #expect(Set(found.map(\.identifier)).count == 500)
    for item in found.suffix(300) { #expect(try fixture.open(item).value?.unprotectedCopy() == [9]) }
  }
}
