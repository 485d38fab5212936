/// A value in JSON (RFC 8259), written out. Control characters are escaped, those of terminals' second set (U+0080 to U+009F)
/// too, so that it can be shown.
public struct JSONText: Hashable, Sendable {
  /// The value's text, in one line.
  public let text: String

  private init(_ text: String) { self.text = text }

  /// The value that is none.
  public static let null = JSONText("null")

  /// A text.
  public static func string(_ string: String) -> JSONText {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      default:
        // Also what could confuse a terminal that shows the answer.
        if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
          text += escape(scalar)
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    return JSONText(text + "\"")
  }

  /// A whole number.
  public static func number(_ number: some BinaryInteger) -> JSONText { JSONText(String(number)) }
  /// A number; `null` where it is not finite.
  public static func number(_ number: Double) -> JSONText { JSONText(number.isFinite ? "\(number)" : "null") }
  /// True or false.
  public static func truth(_ truth: Bool) -> JSONText { JSONText(truth ? "true" : "false") }
  /// A list of values.
  public static func list(_ items: [JSONText]) -> JSONText {
    JSONText("[" + items.map(\.text).joined(separator: ",") + "]")
  }
  /// A list of texts.
  public static func strings(_ items: [String]) -> JSONText { list(items.map(string)) }

  /// An object, its entries in this order.
  public static func object(_ entries: [(String, JSONText)]) -> JSONText {
    JSONText("{" + entries.map { "\(string($0.0).text):\($0.1.text)" }.joined(separator: ",") + "}")
  }

  /// An object, its entries in this order.
  public static func object(_ entries: KeyValuePairs<String, JSONText>) -> JSONText {
    object(Array(entries).map { ($0.key, $0.value) })
  }

  /// Bytes: `{"hex": "..."}`.
  public static func bytes(_ bytes: [UInt8]) -> JSONText { object(["hex": string(Hexadecimal.text(bytes))]) }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

/// Bytes as digits.
public enum Hexadecimal {
  /// Two digits for each byte.
  public static func text(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes {
      if byte < 16 { text += "0" }
      text += String(byte, radix: 16)
    }
    return text
  }
}
