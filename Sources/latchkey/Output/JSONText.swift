internal import KeychainModel

/// A value in JSON (RFC 8259), written out.
struct JSONText: Hashable, Sendable {
  let text: String

  private init(_ text: String) { self.text = text }

  static let null = JSONText("null")

  static func string(_ string: String) -> JSONText {
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

  static func number(_ number: Int64) -> JSONText { JSONText(String(number)) }
  static func number(_ number: Double) -> JSONText { JSONText(number.isFinite ? "\(number)" : "null") }
  static func truth(_ truth: Bool) -> JSONText { JSONText(truth ? "true" : "false") }
  static func list(_ items: [JSONText]) -> JSONText { JSONText("[" + items.map(\.text).joined(separator: ",") + "]") }
  static func strings(_ items: [String]) -> JSONText { list(items.map(string)) }

  static func object(_ entries: [(String, JSONText)]) -> JSONText {
    JSONText("{" + entries.map { "\(string($0.0).text):\($0.1.text)" }.joined(separator: ",") + "}")
  }

  static func object(_ entries: KeyValuePairs<String, JSONText>) -> JSONText {
    object(Array(entries).map { ($0.key, $0.value) })
  }

  /// Bytes: `{"hex": "..."}`.
  static func bytes(_ bytes: [UInt8]) -> JSONText { object(["hex": string(Hexadecimal.text(bytes))]) }

  /// A text; one that is not UTF-8 as its bytes, since JSON has no other way to keep it exact.
  static func exact(_ text: ExactText) -> JSONText { text.validString.map(string) ?? bytes(text.bytes) }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

/// Bytes as digits.
enum Hexadecimal {
  /// Two digits for each byte.
  static func text(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes {
      if byte < 16 { text += "0" }
      text += String(byte, radix: 16)
    }
    return text
  }
}
