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

/// The attributes of an item or of a query.
public struct ItemAttributes: Hashable, Sendable {
  /// One value per attribute.
  public var values: [AttributeKey: AttributeValue]

  /// No attributes, or those given.
  public init(_ values: [AttributeKey: AttributeValue] = [:]) { self.values = values }

  /// The value of an attribute, or `nil`.
  public subscript(_ key: AttributeKey) -> AttributeValue? {
    get { values[key] }
    set { values[key] = newValue }
  }

  /// The attributes in the order of their numbers: the order of encoding.
  public var sorted: [(key: AttributeKey, value: AttributeValue)] {
    values.sorted { $0.key.number < $1.key.number }.map { (key: $0.key, value: $0.value) }
  }

  /// The text of an attribute (text or data), or `nil` where it is absent or a number.
  public func text(_ key: AttributeKey) -> ExactText? {
    switch values[key] {
    case .text(let text): text
    case .data(let bytes): ExactText(bytes: bytes)
    default: nil
    }
  }

  /// The number of an attribute, or `nil`.
  public func number(_ key: AttributeKey) -> Int64? {
    if case .number(let number) = values[key] { return number }
    return nil
  }

  /// The date of an attribute in seconds since 1970, or `nil`.
  public func date(_ key: AttributeKey) -> Double? {
    if case .date(let seconds) = values[key] { return seconds }
    return nil
  }
}
