/// The value of one attribute.
public enum AttributeValue: Hashable, Sendable {
  /// Text, as exact bytes.
  case text(ExactText)
  /// Bytes that came as data and come back as data.
  case data([UInt8])
  /// A number; flags are 0 or 1.
  case number(Int64)
  /// Seconds since 1970-01-01 UTC; finite.
  case date(Double)

  /// The bytes by which values are matched and hashed: text and data of the same bytes match, as in Apple's columns.
  public var matchingBytes: [UInt8] {
    switch self {
    case .text(let text): text.bytes
    case .data(let bytes): bytes
    case .number(let number): Self.littleEndian(UInt64(bitPattern: number))
    case .date(let seconds): Self.littleEndian(seconds.bitPattern)
    }
  }

  private static func littleEndian(_ number: UInt64) -> [UInt8] {
    [UInt8](capacity: 8) { target in
      for place in 0..<8 { target.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
    }
  }

  /// Whether a query for `other` finds this value.
  public func matches(_ other: AttributeValue) -> Bool {
    self == other || matchingBytes == other.matchingBytes
  }
}

/// One attribute of an item or of a query.
public struct ItemAttribute: Hashable, Sendable {
  /// Which.
  public let key: AttributeKey
  /// Its value.
  public let value: AttributeValue

  /// Pairs them.
  public init(_ key: AttributeKey, _ value: AttributeValue) {
    self.key = key
    self.value = value
  }
}

/// The attributes of an item or of a query.
public struct ItemAttributes: Hashable, Sendable {
  /// Each attribute once, in the order of their numbers: the order of encoding.
  ///
  /// There are a handful of them, so that to go through them takes less than to hash one.
  public private(set) var entries: [ItemAttribute] = []

  /// No attributes.
  public init() {}

  /// Those given.
  public init(_ values: [AttributeKey: AttributeValue]) {
    entries = values.map { ItemAttribute($0.key, $0.value) }.sorted { $0.key.number < $1.key.number }
  }

  /// One value per attribute, as a dictionary of its own.
  public var values: [AttributeKey: AttributeValue] {
    get {
      var values: [AttributeKey: AttributeValue] = [:]
      for entry in entries { values[entry.key] = entry.value }
      return values
    }
    set { self = ItemAttributes(newValue) }
  }

  /// Whether there are none.
  public var isEmpty: Bool { entries.isEmpty }

  /// The value of an attribute, or `nil`.
  public subscript(_ key: AttributeKey) -> AttributeValue? {
    get {
      let number = key.number
      for entry in entries where entry.key.number == number { return entry.value }
      return nil
    }
    set {
      let place = entries.firstIndex { $0.key.number >= key.number } ?? entries.endIndex
      let isThere = place < entries.endIndex && entries[place].key.number == key.number
      switch (newValue, isThere) {
      case (let value?, true): entries[place] = ItemAttribute(key, value)
      case (let value?, false): entries.insert(ItemAttribute(key, value), at: place)
      case (nil, true): entries.remove(at: place)
      case (nil, false): break
      }
    }
  }

  /// Makes room for so many in all.
  public mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

  /// The attributes in the order of their numbers: the order of encoding.
  public var sorted: [(key: AttributeKey, value: AttributeValue)] { entries.map { (key: $0.key, value: $0.value) } }

  /// The text of an attribute (text or data), or `nil` where it is absent or a number.
  public func text(_ key: AttributeKey) -> ExactText? {
    switch self[key] {
    case .text(let text): text
    case .data(let bytes): ExactText(bytes: bytes)
    default: nil
    }
  }

  /// The number of an attribute, or `nil`.
  public func number(_ key: AttributeKey) -> Int64? {
    if case .number(let number) = self[key] { return number }
    return nil
  }

  /// The date of an attribute in seconds since 1970, or `nil`.
  public func date(_ key: AttributeKey) -> Double? {
    if case .date(let seconds) = self[key] { return seconds }
    return nil
  }
}
