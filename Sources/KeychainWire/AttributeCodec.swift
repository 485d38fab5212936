internal import KeychainModel

/// Attributes and their keys, in the order of their numbers.
extension WireWriter {
  mutating func put(_ attributes: ItemAttributes) throws(WireError) {
    put(UInt8(attributes.entries.count))
    for entry in attributes.entries {
      put(entry.key.number)
      try put(entry.value)
    }
  }

  mutating func put(_ value: AttributeValue) throws(WireError) {
    switch value {
    case .text(let text):
      put(UInt8(1))
      try put(text.bytes, limit: WireLimits.attributeBytes)
    case .data(let bytes):
      put(UInt8(2))
      try put(bytes, limit: WireLimits.attributeBytes)
    case .number(let number):
      put(UInt8(3))
      put(UInt64(bitPattern: number))
    case .date(let seconds):
      guard seconds.isFinite else { throw .invalidValue }
      put(UInt8(4))
      put(seconds.bitPattern)
    }
  }

  mutating func put(_ keys: Set<AttributeKey>) {
    put(UInt8(keys.count))
    for number in keys.map(\.number).sorted() { put(number) }
  }
}

extension WireReader {
  mutating func attributes() throws(WireError) -> ItemAttributes {
    let count = Int(try uint8())
    guard count * 4 <= remaining else { throw .truncated }
    var attributes = ItemAttributes()
    attributes.reserveCapacity(count)
    var last: UInt8 = 0
    for _ in 0..<count {
      let key = try attributeKey(above: &last)
      attributes[key] = try attributeValue()
    }
    return attributes
  }

  mutating func attributeKeys() throws(WireError) -> Set<AttributeKey> {
    let count = Int(try uint8())
    guard count <= remaining else { throw .truncated }
    var keys: Set<AttributeKey> = []
    var last: UInt8 = 0
    for _ in 0..<count { keys.insert(try attributeKey(above: &last)) }
    return keys
  }

  private mutating func attributeKey(above last: inout UInt8) throws(WireError) -> AttributeKey {
    let number = try uint8()
    guard let key = AttributeKey(number: number) else { throw .unknownValue }
    guard number > last else { throw .notRising }
    last = number
    return key
  }

  private mutating func attributeValue() throws(WireError) -> AttributeValue {
    switch try uint8() {
    case 1: return .text(ExactText(bytes: try block(limit: WireLimits.attributeBytes)))
    case 2: return .data(try block(limit: WireLimits.attributeBytes))
    case 3: return .number(Int64(bitPattern: try uint64()))
    case 4:
      let seconds = Double(bitPattern: try uint64())
      guard seconds.isFinite else { throw .invalidValue }
      return .date(seconds)
    default: throw .unknownValue
    }
  }
}
