import Testing

@testable import SecretMemory

@Suite(.serialized) struct LockedBlocksTests {
  /// The bytes of a value.
  func bytes(_ secret: SecretBytes) -> [UInt8] { secret.withSpan { span in span.indices.map { span[$0] } } }

  @Test(arguments: [0, 1, 511, 512, 513, 4096]) func `a new value is zero wherever it comes from`(count: Int) throws {
    for _ in 0..<100 {
      let used = try SecretBytes.random(count: count)
      #expect(used.count == count)
      let fresh = try SecretBytes(count: count)
      #expect(bytes(fresh).allSatisfy { $0 == 0 })
    }
  }

  @Test func `a block that comes back is wiped and serves again`() throws {
    let blocks = LockedBlocks()
    let start = try #require(blocks.take(512))
    start.initializeMemory(as: UInt8.self, repeating: 0xA5, count: 512)
    blocks.giveBack(start, 512)
    #expect(blocks.freeCount == 1)
    let again = try #require(blocks.take(1))
    #expect(again == start)
    #expect(UnsafeRawBufferPointer(start: again, count: 512).allSatisfy { $0 == 0 })
    blocks.giveBack(again, 1)
  }

  @Test func `so many blocks are kept and no more, and no large ones`() throws {
    let blocks = LockedBlocks()
    let taken = try (0..<LockedBlocks.keptBlocks + 1).map { _ in try #require(blocks.take(8)) }
    for (place, start) in taken.enumerated() {
      blocks.giveBack(start, 8)
      #expect(blocks.freeCount == min(place + 1, LockedBlocks.keptBlocks))
    }
    blocks.giveBack(try #require(blocks.take(513)), 513)
    #expect(blocks.freeCount == LockedBlocks.keptBlocks)
  }

  @Test func `what a filler writes is what the value holds`() throws {
    let secret = try SecretBytes(filling: 600) { (span: inout MutableSpan<UInt8>) in
      for place in 0..<5 { span[place] = UInt8(place + 1) }
      return 5
    }
    #expect(bytes(secret) == [1, 2, 3, 4, 5])
    for claim in [-1, 601] {
      #expect(throws: (any Error).self) { _ = try SecretBytes(filling: 600) { (_: inout MutableSpan<UInt8>) in claim } }
    }
  }
}
