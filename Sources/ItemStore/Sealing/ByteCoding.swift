/// Writes numbers little-endian and byte strings behind their length (4 bytes).
struct ByteWriter {
  var bytes: [UInt8] = []

  /// With room for what most rows need, so that nothing is copied as it grows.
  init() { bytes.reserveCapacity(256) }

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  mutating func fixed<Number: FixedWidthInteger>(_ value: Number) {
    bytes.append(addingCapacity: Number.bitWidth / 8) { target in
      for place in 0..<Number.bitWidth / 8 { target.append(UInt8(truncatingIfNeeded: value >> Number(8 * place))) }
    }
  }

  mutating func string(_ value: [UInt8]) {
    fixed(UInt32(value.count))
    bytes.append(contentsOf: value)
  }

  mutating func raw(_ value: [UInt8]) { bytes.append(contentsOf: value) }
}

/// Reads what ``ByteWriter`` wrote; every reading answers `nil` where the bytes end too early.
struct ByteReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func byte() -> UInt8? { fixed(UInt8.self) }

  mutating func fixed<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    let size = Number.bitWidth / 8
    guard bytes.count - place >= size else { return nil }
    var value: Number = 0
    for index in 0..<size { value |= Number(truncatingIfNeeded: bytes[place + index]) << Number(8 * index) }
    place += size
    return value
  }

  mutating func string(atMost limit: Int) -> [UInt8]? {
    guard let count = fixed(UInt32.self), Int(count) <= limit, bytes.count - place >= Int(count) else { return nil }
    defer { place += Int(count) }
    return Array(bytes[place..<place + Int(count)])
  }
}
