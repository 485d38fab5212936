internal import KeychainModel

/// Attributes as they are sealed: for each, in the order of the numbers: number (1) | kind (1) | bytes behind their length (4).
///
/// Kinds: 1 text, 2 data, 3 number (8 bytes), 4 date (8 bytes, IEEE 754 seconds since 1970).
extension ItemAttributes {
  /// What the store keeps elsewhere and no caller sets: access control, accessibility and the dates of the system.
  static let kept: Set<AttributeKey> = [.accessible, .accessControl, .creationDate, .modificationDate]

  var encoded: [UInt8] {
    var writer = ByteWriter()
    for entry in entries {
      writer.byte(entry.key.number)
      writer.byte(entry.value.kindNumber)
      writer.string(entry.value.matchingBytes)
    }
    return writer.bytes
  }

  /// The attributes these bytes stand for, or `nil` where they are malformed.
  init?(encoded bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    self.init()
    // Room for what most items have and for the two dates that join them.
    reserveCapacity(8)
    while !reader.isAtEnd {
      guard let number = reader.byte(), let key = AttributeKey(number: number), let kind = reader.byte(),
        let content = reader.string(atMost: ItemLimits.attributesBytes),
        let value = AttributeValue(kindNumber: kind, content: content)
      else { return nil }
      self[key] = value
    }
  }

  /// Checks names and sizes before anything is written.
  ///
  /// - Throws: `.attributeRefused`, `.attributesTooLarge`.
  func checked(for itemClass: ItemClass) throws(StoreError) -> ItemAttributes {
    for entry in entries {
      let (key, value) = (entry.key, entry.value)
      guard itemClass.attributes.contains(key), !Self.kept.contains(key) else { throw .attributeRefused(key) }
      guard value.matchingBytes.count <= ItemLimits.attributeBytes else { throw .attributesTooLarge }
    }
    guard encoded.count <= ItemLimits.attributesBytes else { throw .attributesTooLarge }
    return self
  }

  /// The bytes that stand for an attribute in hashes; an absent one counts as empty text, 0 or the epoch.
  func hashedBytes(_ key: AttributeKey) -> [UInt8] {
    if let value = self[key] { return value.matchingBytes }
    switch key.kind {
    case .text, .data: return []
    case .number, .date: return [UInt8](repeating: 0, count: 8)
    }
  }
}

extension AttributeValue {
  fileprivate var kindNumber: UInt8 {
    switch self {
    case .text: 1
    case .data: 2
    case .number: 3
    case .date: 4
    }
  }

  fileprivate init?(kindNumber: UInt8, content: [UInt8]) {
    var reader = ByteReader(content)
    switch kindNumber {
    case 1: self = .text(ExactText(bytes: content))
    case 2: self = .data(content)
    case 3:
      guard let number = reader.fixed(Int64.self), reader.isAtEnd else { return nil }
      self = .number(number)
    case 4:
      guard let pattern = reader.fixed(UInt64.self), reader.isAtEnd else { return nil }
      self = .date(Double(bitPattern: pattern))
    default: return nil
    }
  }
}
