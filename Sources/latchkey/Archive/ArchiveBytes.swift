/// Writes numbers and bytes, little-endian.
struct ArchiveBytes {
  private(set) var bytes: [UInt8] = []

  mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) {
    for index in 0..<(Number.bitWidth / 8) { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * Number(index)))) }
  }

  mutating func raw(_ more: [UInt8]) { bytes += more }

  /// A length of 16 bits, then the bytes; the caller has checked the length.
  mutating func block(_ more: [UInt8]) {
    number(UInt16(more.count))
    raw(more)
  }
}

/// Reads what ``ArchiveBytes`` wrote; anything else is an error.
struct ArchiveParser {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) throws(ArchiveError) -> Number {
    try raw(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number($1) }
  }

  mutating func raw(_ count: Int) throws(ArchiveError) -> [UInt8] {
    guard rest.count >= count else { throw .malformed }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func block(atMost limit: Int) throws(ArchiveError) -> [UInt8] {
    let count = Int(try number(UInt16.self))
    guard count <= limit else { throw .malformed }
    return try raw(count)
  }

  /// A byte that is 0 or 1.
  mutating func flag() throws(ArchiveError) -> Bool {
    switch try number(UInt8.self) {
    case 0: false
    case 1: true
    default: throw .malformed
    }
  }

  /// Refuses what is left over.
  func requireEnd() throws(ArchiveError) {
    guard rest.isEmpty else { throw .malformed }
  }
}

/// Why an archive cannot be read.
enum ArchiveError: Error, Equatable {
  /// It does not begin as an archive does.
  case notAnArchive
  /// Another version.
  case otherVersion(UInt16)
  /// The header was changed or damaged.
  case headerDamaged
  /// The header is whole and the passphrase does not fit.
  case passphraseWrong
  /// A chunk was changed, damaged, moved or taken out.
  case chunkDamaged(UInt64)
  /// The file ends before the archive does.
  case cutShort
  /// There is more behind the archive's end.
  case overlong
  /// Sealed content that no archive of this version holds.
  case malformed
  /// No memory for the work.
  case outOfMemory
}
