internal import KeychainModel

/// Reads fields behind one another and refuses whatever a ``WireWriter`` would not have written.
struct WireReader {
  private let bytes: [UInt8]
  private var offset = 0
  /// How many secrets come with the message.
  private var secretCount = 0
  /// The secrets that a field has named: one bit each.
  private var named: UInt64 = 0

  /// Reads from the first of these bytes on.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// How many bytes are left.
  var remaining: Int { bytes.count - offset }

  /// From here on fields may name so many secrets.
  mutating func expectSecrets(_ count: Int) { secretCount = count }

  private mutating func advance(_ count: Int) throws(WireError) -> Int {
    guard remaining >= count else { throw .truncated }
    defer { offset += count }
    return offset
  }

  mutating func uint8() throws(WireError) -> UInt8 {
    bytes[try advance(1)]
  }

  mutating func uint16() throws(WireError) -> UInt16 {
    let start = try advance(2)
    return UInt16(bytes[start]) | UInt16(bytes[start + 1]) << 8
  }

  mutating func uint32() throws(WireError) -> UInt32 {
    let low = try uint16()
    return UInt32(low) | UInt32(try uint16()) << 16
  }

  mutating func uint64() throws(WireError) -> UInt64 {
    let low = try uint32()
    return UInt64(low) | UInt64(try uint32()) << 32
  }

  /// A yes or no; anything but 1 and 0 is refused.
  mutating func flag() throws(WireError) -> Bool {
    switch try uint8() {
    case 0: false
    case 1: true
    default: throw .unknownValue
    }
  }

  mutating func optionalUInt64() throws(WireError) -> UInt64? {
    try flag() ? try uint64() : nil
  }

  /// A count of entries of which each takes one byte at least.
  mutating func count(limit: Int) throws(WireError) -> Int {
    let count = Int(try uint16())
    guard count <= limit else { throw .tooLong(limit: limit) }
    guard count <= remaining else { throw .truncated }
    return count
  }

  /// Bytes with their length before them.
  mutating func block(limit: Int) throws(WireError) -> [UInt8] {
    let count = try count(limit: limit)
    let start = try advance(count)
    return Array(bytes[start..<start + count])
  }

  /// Text; bytes that are not UTF-8 are refused.
  mutating func text(limit: Int) throws(WireError) -> String {
    let count = try count(limit: limit)
    let start = try advance(count)
    guard let text = String(validating: bytes[start..<start + count], as: UTF8.self) else { throw .invalidValue }
    return text
  }

  /// A list: the count, then each entry.
  mutating func list<Entry>(
    limit: Int, _ each: (inout WireReader) throws(WireError) -> Entry
  ) throws(WireError) -> [Entry] {
    let count = try count(limit: limit)
    var entries: [Entry] = []
    for _ in 0..<count { entries.append(try each(&self)) }
    return entries
  }

  /// A number of an enumeration.
  mutating func choice<Choice: RawRepresentable>(
    _ type: Choice.Type = Choice.self
  ) throws(WireError) -> Choice where Choice.RawValue == UInt8 {
    guard let choice = Choice(rawValue: try uint8()) else { throw .unknownValue }
    return choice
  }

  /// A stable word of an enumeration.
  mutating func word<Word: RawRepresentable>(
    _ type: Word.Type = Word.self
  ) throws(WireError) -> Word where Word.RawValue == String {
    guard let word = Word(rawValue: try text(limit: WireLimits.wordBytes)) else { throw .unknownValue }
    return word
  }

  /// The place of a secret.
  mutating func secret() throws(WireError) -> SecretIndex {
    let index = try uint16()
    guard Int(index) < secretCount, named & (1 << UInt64(index)) == 0 else { throw .secretMismatch }
    named |= 1 << UInt64(index)
    return index
  }

  /// The place of a secret that may be absent.
  mutating func optionalSecret() throws(WireError) -> SecretIndex? {
    try flag() ? try secret() : nil
  }

  /// Checks that nothing is left and that every secret was named.
  func finish() throws(WireError) {
    guard remaining == 0 else { throw .trailingBytes }
    guard named.nonzeroBitCount == secretCount else { throw .secretMismatch }
  }
}
