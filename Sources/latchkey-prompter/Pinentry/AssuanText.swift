/// Text of an Assuan command (libassuan manual, "Client requests"): one line, some bytes written as `%NN`.
enum AssuanText {
  /// The longest line of the protocol without its line feed, in bytes.
  static let maximumLine = 1000

  /// A command line with its argument escaped and its line feed; an argument that would not fit is cut between two
  /// characters.
  static func command(_ verb: String, _ argument: String = "") -> [UInt8] {
    var line = Array(verb.utf8)
    if !argument.isEmpty { line.append(UInt8(ascii: " ")) }
    for character in argument.unicodeScalars {
      let written = String(character).utf8.flatMap(escape)
      if line.count + written.count > maximumLine { break }
      line += written
    }
    return line + [UInt8(ascii: "\n")]
  }

  private static func escape(_ byte: UInt8) -> [UInt8] {
    switch byte {
    case 0..<0x20, UInt8(ascii: "%"), 0x7F: [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 0x0F)]
    default: [byte]
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  /// The value of a hexadecimal digit of either case.
  static func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }
}
