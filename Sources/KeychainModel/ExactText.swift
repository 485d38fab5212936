/// Text compared byte by byte: no case folding, no Unicode normalisation, and any bytes are allowed.
///
/// Swift's `String` calls two spellings of "é" equal and cannot hold invalid UTF-8; names of items must do neither.
public struct ExactText: Hashable, Sendable, Comparable, ExpressibleByStringLiteral {
  /// The bytes, as given.
  public var bytes: [UInt8]

  /// Wraps bytes, valid UTF-8 or not.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Takes the UTF-8 bytes of a string, unnormalised.
  public init(_ string: String) { bytes = Array(string.utf8) }

  /// Takes the UTF-8 bytes of a literal.
  public init(stringLiteral value: String) { self.init(value) }

  /// The text for display; bytes that are not UTF-8 show as U+FFFD. Not for comparing.
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// The text, or `nil` where the bytes are not UTF-8.
  public var validString: String? { String(validating: bytes, as: UTF8.self) }

  /// Orders by bytes.
  public static func < (left: ExactText, right: ExactText) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
