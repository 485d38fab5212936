internal import TerminalIO

/// One JSON object whose values are texts, numbers, truths or null (RFC 8259): a line of the decision log.
struct FlatJSON: Equatable {
  /// Keys and values in their order; `nil` stands for null.
  let entries: [Entry]

  /// One key and its value, as text.
  struct Entry: Equatable {
    let key: String
    let value: String?
  }

  /// Reads a line; `nil` for anything else.
  init?(_ line: String) {
    var reader = Reader(Array(line.utf8))
    guard let entries = reader.object() else { return nil }
    self.entries = entries
  }

  /// The value of a key; `nil` where there is none or it is null.
  subscript(_ key: String) -> String? { entries.first { $0.key == key }?.value }

  private struct Reader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func object() -> [Entry]? {
      guard take("{") else { return nil }
      var entries: [Entry] = []
      if !take("}") {
        repeat {
          skipSpace()
          guard let key = string(), take(":"), let value = value() else { return nil }
          entries.append(Entry(key: key, value: value))
        } while take(",")
        guard take("}") else { return nil }
      }
      skipSpace()
      return place == bytes.count ? entries : nil
    }

    private mutating func skipSpace() {
      while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      skipSpace()
      guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
      place += 1
      return true
    }

    /// A value; the outer `nil` for none that fits.
    private mutating func value() -> String?? {
      skipSpace()
      guard place < bytes.count else { return nil }
      if bytes[place] == UInt8(ascii: "\"") { return string().map { .some($0) } }
      let start = place
      while place < bytes.count, ![0x2C, 0x7D, 0x20].contains(bytes[place]) { place += 1 }
      let word = String(decoding: bytes[start..<place], as: UTF8.self)
      if word == "null" { return .some(nil) }
      guard word == "true" || word == "false" || Double(word) != nil else { return nil }
      return .some(word)
    }

    private mutating func string() -> String? {
      guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
      place += 1
      var text: [UInt8] = []
      while place < bytes.count {
        let byte = bytes[place]
        place += 1
        switch byte {
        case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
        case UInt8(ascii: "\\"):
          guard let scalar = escape() else { return nil }
          text += Array(String(scalar).utf8)
        case 0..<0x20: return nil
        default: text.append(byte)
        }
      }
      return nil
    }

    private mutating func escape() -> Character? {
      guard place < bytes.count else { return nil }
      place += 1
      switch bytes[place - 1] {
      case UInt8(ascii: "\""): return "\""
      case UInt8(ascii: "\\"): return "\\"
      case UInt8(ascii: "/"): return "/"
      case UInt8(ascii: "b"): return "\u{8}"
      case UInt8(ascii: "f"): return "\u{C}"
      case UInt8(ascii: "n"): return "\n"
      case UInt8(ascii: "r"): return "\r"
      case UInt8(ascii: "t"): return "\t"
      case UInt8(ascii: "u"): return unicode()
      default: return nil
      }
    }

    private mutating func unicode() -> Character? {
      guard let first = digits() else { return nil }
      guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first).map(Character.init) }
      guard place + 1 < bytes.count, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u") else {
        return nil
      }
      place += 2
      guard let second = digits(), (0xDC00...0xDFFF).contains(second) else { return nil }
      return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)).map(Character.init)
    }

    private mutating func digits() -> UInt32? {
      guard place + 4 <= bytes.count else { return nil }
      defer { place += 4 }
      return UInt32(String(decoding: bytes[place..<(place + 4)], as: UTF8.self), radix: 16)
    }
  }
}
