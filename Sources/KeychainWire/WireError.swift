/// Why bytes are no frame, or a message cannot become one. Source: docs/formats/protocol.md.
public enum WireError: Error, Hashable, Sendable {
  /// The first four bytes are not the protocol's.
  case badMagic
  /// The frame is of another version of the protocol: this one.
  case version(UInt16)
  /// No kind of frame has this number.
  case unknownKind(UInt8)
  /// A flag or a reserved byte is set that means nothing, or a descriptor comes where none belongs.
  case reservedSet
  /// A length or a count is above its bound (`WireLimits`).
  case tooLong(limit: Int)
  /// The part ends inside a field.
  case truncated
  /// The part goes on behind its last field.
  case trailingBytes
  /// A number or a word stands where none of that meaning exists.
  case unknownValue
  /// Text is not UTF-8, a date is not finite, or a value is outside its range.
  case invalidValue
  /// Entries that must rise do not: out of order, or twice the same.
  case notRising
  /// A secret is named that is not there, is named twice, or is not named at all.
  case secretMismatch
}
