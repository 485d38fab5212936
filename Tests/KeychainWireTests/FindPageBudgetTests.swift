import KeychainModel
import SecretMemory
import Testing

@testable import KeychainWire

@Suite struct FindPageBudgetTests {
  /// Fills a page and returns the message for it.
  func page(of items: [FoundItem], valueBytes: Int) throws -> (taken: Int, message: Message) {
    var budget = FindPageBudget()
    var taken: [FoundItem] = []
    var secrets: [SecretBytes] = []
    for item in items {
      guard try budget.take(item, valueBytes: item.value == nil ? 0 : valueBytes) else { break }
      var placed = item
      if item.value != nil {
        placed.value = SecretIndex(secrets.count)
        secrets.append(try SecretBytes(count: valueBytes))
      }
      taken.append(placed)
    }
    let reply = FindReply(items: taken, hidden: .max, next: .max)
    return (taken.count, Message(requestID: 1, body: .reply(.found(reply)), secrets: secrets))
  }

  func item(_ attributes: ItemAttributes?, value: SecretIndex?) -> FoundItem {
    FoundItem(
      identifier: .random(), itemClass: .genericPassword, attributes: attributes,
      accessControl: .unconstrained(.whenUnlocked), value: value)
  }

  @Test func `a filled page is a frame and one more item would not be`() throws {
    for letters in [1, 20, 21, 22, 23, 24, 25, 26, 27, 28, 100, 1000] {
      let attributes = ItemAttributes([.service: .text(ExactText(String(repeating: "s", count: letters)))])
      let items = (0..<3000).map { _ in item(attributes, value: nil) }
      let (taken, message) = try page(of: items, valueBytes: 0)
      #expect(taken < items.count)
      _ = try split(message)
      let more = FindReply(items: Array(items.prefix(taken + 1)), hidden: .max, next: .max)
      #expect(throws: WireError.tooLong(limit: WireLimits.publicBytes)) {
        try split(Message(requestID: 1, body: .reply(.found(more))))
      }
    }
  }

  @Test func `values are bounded in number and in bytes`() throws {
    let items = (0..<100).map { _ in item(nil, value: 0) }
    #expect(try page(of: items, valueBytes: 1).taken == WireLimits.secrets)
    #expect(try page(of: items, valueBytes: 100_000).taken == WireLimits.secretBytes / 100_000)
    #expect(try page(of: items, valueBytes: 1_048_576).taken == 1)
    _ = try split(try page(of: items, valueBytes: 100_000).message)
  }

  @Test func `an empty page has room for the largest item`() throws {
    var attributes = ItemAttributes([.creationDate: .date(0), .modificationDate: .date(0)])
    let keys = AttributeKey.allCases.filter { $0.kind == .text || $0.kind == .data }
    for key in keys.prefix(8) {
      attributes[key] = .data([UInt8](repeating: 1, count: ItemLimits.attributeBytes))
    }
    let large = item(attributes, value: 0)
    var budget = FindPageBudget()
    #expect(try budget.take(large, valueBytes: ItemLimits.valueBytes))
  }
}
