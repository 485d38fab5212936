internal import AccessPolicy
internal import KeychainModel
internal import KeychainService

/// One decision as one line of JSON. docs/formats/log.md describes it.
///
/// The last byte of a whole line is a brace, and no text in it holds a quote or a closing brace as such: so a line that was
/// cut off in the middle is told from a whole one by its last two bytes.
enum DecisionLine {
  /// Most bytes of the program's path, of the service, and of the detail, each escaped.
  static let textBytes = 1000
  /// Most bytes of a word: action, method.
  static let wordBytes = 64
  /// Most bytes of a line.
  static let mostBytes = 4096

  /// The line of a record, with its final line feed.
  static func bytes(of record: DecisionRecord, number: UInt64) -> [UInt8] {
    let refusal = record.refusal
    let item = record.item.map { $0.bytes.map(hexadecimal).joined() } ?? ""
    let line =
      "{\"n\":\(number),\"time\":\(time(record.time)),\"pid\":\(record.peer.process.pid),\"uid\":\(record.peer.uid)"
      + field("program", record.peer.executable?.displayPath ?? "", textBytes)
      + field("service", record.service.string, textBytes) + field("item", item, wordBytes)
      + field("action", record.action, wordBytes) + field("method", record.method, wordBytes)
      + field("outcome", refusal == nil ? "allow" : "refuse", wordBytes)
      + field("reason", refusal?.reason.rawValue ?? "", wordBytes) + field("detail", refusal?.detail ?? "", textBytes)
      + "}\n"
    return Array(line.utf8)
  }

  /// The number of a line without its line feed; `nil` where it is not a whole line of this log.
  static func number(of line: ArraySlice<UInt8>) -> UInt64? {
    let head = Array("{\"n\":".utf8)
    guard line.count <= mostBytes, line.starts(with: head), line.suffix(2).elementsEqual("\"}".utf8) else { return nil }
    let digits = line.dropFirst(head.count).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard line.dropFirst(head.count + digits.count).first == UInt8(ascii: ",") else { return nil }
    return UInt64(String(decoding: digits, as: UTF8.self))
  }

  private static func field(_ name: String, _ text: String, _ limit: Int) -> String {
    ",\"\(name)\":\"\(escaped(text, limit))\""
  }

  /// Seconds with three decimals; a time that is no time is 0.
  private static func time(_ seconds: Double) -> String {
    let milliseconds = Int64(exactly: (seconds * 1000).rounded()) ?? 0
    let rest = String(milliseconds.magnitude % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.utf8.count) + rest
  }

  /// The text with everything escaped that moves a cursor, reorders a line, or ends a JSON string; cut where it is too long.
  private static func escaped(_ text: String, _ limit: Int) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      let shown = shown(scalar)
      guard out.utf8.count + shown.utf8.count <= limit else { return out + "..." }
      out += shown
    }
    return out
  }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"", "\\", "}": return escape(UInt16(scalar.value))
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
      return String(scalar).utf16.map(escape).joined()
    default: return String(scalar)
    }
  }

  private static func escape(_ unit: UInt16) -> String {
    "\\u" + hexadecimal(UInt8(unit >> 8)) + hexadecimal(UInt8(unit & 0xFF))
  }

  private static func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
