import KeychainModel
import Testing

@Suite struct HiddenItemsTests {
  @Test(arguments: [1, 2, 10, 1_000_000]) func `a number of hidden items is read as it was written`(count: Int) {
    #expect(HiddenItems.count(in: HiddenItems.detail(count)) == UInt64(count))
  }

  @Test(arguments: [
    "", "hidden while locked: ", "hidden while locked: 0 items", "hidden while locked: 2 itemsx", "2 items",
  ])
  func `any other detail holds none`(detail: String) { #expect(HiddenItems.count(in: detail) == nil) }
}
