internal import KeychainModel

/// What every text must be before YAML is even looked at: short, UTF-8, and what it looks like.
///
/// Characters that an editor shows in another place than a parser reads them are refused: bidirectional controls (they
/// reorder a line), the line breaks only YAML knows (U+0085, U+2028, U+2029: a comment would end where no editor shows it)
/// and a carriage return without a line feed.
enum PolicyText {
  /// Most bytes of a policy text: 48 KiB, what a request may carry.
  static let mostBytes = PolicyRequest.textBytes

  /// The first fault of the bytes, or `nil`.
  static func fault(in bytes: [UInt8], file: String) -> PolicyFault? {
    func fault(_ mark: YAMLMark, _ message: String) -> PolicyFault {
      PolicyFault(file: file, line: mark.line, column: mark.column, message: message)
    }
    if bytes.count > mostBytes {
      return fault(.start, "the file has \(bytes.count) bytes; a policy has at most \(mostBytes).")
    }
    var place = PlaceCounter()
    var parser = Unicode.UTF8.ForwardParser()
    var input = bytes.makeIterator()
    while true {
      switch parser.parseScalar(from: &input) {
      case .emptyInput: return place.endsInReturn ? fault(place.mark, loneReturn) : nil
      case .error: return fault(place.mark, "the bytes here are not UTF-8.")
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if place.endsInReturn, scalar != "\n" { return fault(place.mark, loneReturn) }
        if let message = refusal(of: scalar) { return fault(place.mark, message) }
        place.step(over: scalar)
      }
    }
  }

  /// The place behind the last character of UTF-8 bytes.
  static func end(of bytes: [UInt8]) -> YAMLMark {
    var place = PlaceCounter()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars { place.step(over: scalar) }
    return place.mark
  }

  /// Whether a character may stand as it is inside a line.
  static func stands(_ scalar: Unicode.Scalar) -> Bool {
    refusal(of: scalar) == nil && !["\t", "\n", "\r"].contains(scalar)
  }

  private static let loneReturn = "a carriage return stands without a line feed; end lines with a line feed."

  /// Why a character may not stand in a policy, or `nil`.
  private static func refusal(of scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: nil
    case 0xFEFF: "a byte order mark stands here; save the file as UTF-8 without it."
    case 0x85, 0x2028, 0x2029: "a line break that editors do not show (\(name(scalar))) stands here."
    case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C:
      "a character that reorders the line (\(name(scalar))) stands here."
    case 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: nil
    default: "a control character (\(name(scalar))) stands here."
    }
  }

  private static func name(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

/// Counts lines and columns the way editors show them.
private struct PlaceCounter {
  private var line = 1
  private var column = 1
  private(set) var endsInReturn = false

  var mark: YAMLMark { YAMLMark(line: line, column: column) }

  mutating func step(over scalar: Unicode.Scalar) {
    endsInReturn = scalar == "\r"
    if scalar == "\n" {
      line += 1
      column = 1
    } else if scalar != "\r" {
      column += 1
    }
  }
}
