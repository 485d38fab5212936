internal import KeychainModel

/// Queries and their parts.
extension WireWriter {
  mutating func put(_ query: ItemQuery) throws(WireError) {
    put(query.itemClass?.number ?? 0)
    put(query.identifier != nil)
    if let identifier = query.identifier { put(identifier) }
    try put(query.attributes)
    put(query.twin.rawValue)
    try put(query.limit)
  }

  mutating func put(_ identifier: ItemIdentifier) {
    put(identifier.high.byteSwapped)
    put(identifier.low.byteSwapped)
  }

  /// One is 1, all is 0, a number is itself.
  private mutating func put(_ limit: MatchLimit) throws(WireError) {
    switch limit {
    case .all: put(UInt32(0))
    case .one: put(UInt32(1))
    case .count(let count):
      guard count >= 2 else { throw .invalidValue }
      put(count)
    }
  }
}

extension WireReader {
  mutating func query() throws(WireError) -> ItemQuery {
    let number = try uint8()
    let itemClass = ItemClass(number: number)
    guard number == 0 || itemClass != nil else { throw .unknownValue }
    let identifier = try flag() ? try identifier() : nil
    let attributes = try attributes()
    let twin: SynchronizableFilter = try choice()
    return ItemQuery(
      itemClass: itemClass, identifier: identifier, attributes: attributes, twin: twin, limit: try matchLimit())
  }

  mutating func itemClass() throws(WireError) -> ItemClass {
    guard let itemClass = ItemClass(number: try uint8()) else { throw .unknownValue }
    return itemClass
  }

  mutating func identifier() throws(WireError) -> ItemIdentifier {
    let high = try uint64().byteSwapped
    return ItemIdentifier(high: high, low: try uint64().byteSwapped)
  }

  /// Which parts are wanted; unknown bits are refused.
  mutating func returnedParts() throws(WireError) -> ReturnedParts {
    let parts = ReturnedParts(rawValue: try uint8())
    guard parts.isSubset(of: [.data, .attributes, .persistentReference, .reference]) else { throw .unknownValue }
    return parts
  }

  private mutating func matchLimit() throws(WireError) -> MatchLimit {
    switch try uint32() {
    case 0: .all
    case 1: .one
    case let count: .count(count)
    }
  }
}
