/// Writes one line of the decision log straight into bytes: a line stands behind every protected read.
struct LineWriter {
  /// What was written.
  private(set) var bytes: [UInt8] = []

  /// With room for what most lines need.
  init() { bytes.reserveCapacity(512) }

  /// A number behind its key, which is written as it stands.
  mutating func put(_ key: String, _ number: some FixedWidthInteger) {
    raw(key)
    decimal(number)
  }

  /// Seconds with three decimals; a time that is no time is 0.
  mutating func put(_ key: String, milliseconds seconds: Double) {
    raw(key)
    let milliseconds = Int64(exactly: (seconds * 1000).rounded()) ?? 0
    let rest = milliseconds.magnitude % 1000
    decimal(milliseconds / 1000)
    bytes.append(UInt8(ascii: "."))
    bytes.append(Self.digit(UInt8(rest / 100)))
    bytes.append(Self.digit(UInt8(rest / 10 % 10)))
    bytes.append(Self.digit(UInt8(rest % 10)))
  }

  /// A text field with everything escaped that moves a cursor, reorders a line, or ends a JSON string; cut behind `limit` bytes.
  mutating func put(_ name: String, _ text: String, atMost limit: Int) {
    open(name)
    let end = bytes.count + limit
    for scalar in text.unicodeScalars {
      let start = bytes.count
      put(scalar)
      guard bytes.count > end else { continue }
      bytes.removeSubrange(start...)
      bytes.append(contentsOf: "...".utf8)
      break
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// A field of bytes in hexadecimal.
  mutating func put(_ name: String, hexadecimal content: [UInt8]) {
    open(name)
    for byte in content { hexadecimal(byte) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// A part that was written before.
  mutating func put(_ part: [UInt8]) { bytes.append(contentsOf: part) }

  /// Ends the line.
  mutating func end() {
    bytes.append(UInt8(ascii: "}"))
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func open(_ name: String) {
    raw(",\"")
    raw(name)
    raw("\":\"")
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"", "\\", "}": escape(UInt16(scalar.value))
    // The plain characters of ASCII: a look at the tables of Unicode costs more than the rest of the line.
    case " "..."~": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
    default: putRare(scalar)
    }
  }

  private mutating func putRare(_ scalar: Unicode.Scalar) {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
      for unit in String(scalar).utf16 { escape(unit) }
    default: bytes.append(contentsOf: String(scalar).utf8)
    }
  }

  private mutating func escape(_ unit: UInt16) {
    raw("\\u")
    hexadecimal(UInt8(unit >> 8))
    hexadecimal(UInt8(unit & 0xFF))
  }

  private mutating func hexadecimal(_ byte: UInt8) {
    bytes.append(Self.digit(byte >> 4))
    bytes.append(Self.digit(byte & 0xF))
  }

  private static func digit(_ half: UInt8) -> UInt8 {
    half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10
  }

  private mutating func decimal(_ number: some FixedWidthInteger) { bytes.append(contentsOf: String(number).utf8) }

  private mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
