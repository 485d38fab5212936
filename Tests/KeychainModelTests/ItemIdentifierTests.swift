import KeychainModel
import Testing

struct ItemIdentifierTests {
  @Test func `bytes are big-endian, the high half first`() {
    let one = ItemIdentifier(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10)
    #expect(one.bytes == Array(1...16))
    #expect(ItemIdentifier(bytes: Array(1...16)) == one)
  }

  @Test(arguments: [
    (UInt64.min, UInt64.max), (.max, .min), (0x8000_0000_0000_0000, 1), (1, 0x8000_0000_0000_0000),
  ])
  func `bytes come back`(_ high: UInt64, _ low: UInt64) {
    let one = ItemIdentifier(high: high, low: low)
    #expect(one.bytes.count == 16)
    #expect(ItemIdentifier(bytes: one.bytes) == one)
  }

  @Test(arguments: [0, 1, 15, 17, 32]) func `other lengths are no identifier`(_ count: Int) {
    #expect(ItemIdentifier(bytes: Array(repeating: 1, count: count)) == nil)
  }

  @Test func `random identifiers differ in every byte`() {
    let many = (0..<1000).map { _ in ItemIdentifier.random().bytes }
    #expect(Set(many).count == 1000)
    for place in 0..<16 { #expect(Set(many.map { $0[place] }).count > 100) }
  }
}
