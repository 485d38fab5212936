internal import KeychainModel

/// Writes fields behind one another: numbers little-endian, lengths before what they count.
///
/// It holds what a reader would refuse against the same bounds, so that whatever was written can be read.
struct WireWriter {
  /// What was written.
  private(set) var bytes: [UInt8] = []
  /// How many secrets come with the message.
  private var secretCount = 0
  /// The secrets that a field has named: one bit each.
  private var named: UInt64 = 0

  /// Takes memory for `capacity` bytes.
  init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Forgets what was written but not the memory, and starts a message with so many secrets.
  mutating func restart(secretCount: Int) {
    bytes.removeAll(keepingCapacity: true)
    self.secretCount = secretCount
    named = 0
  }

  mutating func put(_ number: UInt8) { bytes.append(number) }

  mutating func put(_ number: UInt16) { put(UInt64(number), bytes: 2) }

  mutating func put(_ number: UInt32) { put(UInt64(number), bytes: 4) }

  mutating func put(_ number: UInt64) { put(number, bytes: 8) }

  /// The lowest bytes of a number.
  private mutating func put(_ number: UInt64, bytes count: Int) {
    bytes.append(addingCapacity: count) { target in
      for place in 0..<count { target.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) }
    }
  }

  /// A yes or no: 1 or 0.
  mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  /// A number that may be absent: 0, or 1 and the number.
  mutating func putOptional(_ number: UInt64?) {
    put(number != nil)
    if let number { put(number) }
  }

  /// A count of entries.
  mutating func putCount(_ count: Int, limit: Int) throws(WireError) {
    guard count <= limit else { throw .tooLong(limit: limit) }
    put(UInt16(truncatingIfNeeded: count))
  }

  /// Bytes with their length before them.
  mutating func put(_ block: [UInt8], limit: Int) throws(WireError) {
    try putCount(block.count, limit: limit)
    bytes.append(contentsOf: block)
  }

  /// Text with its length in UTF-8 before it.
  mutating func put(_ text: String, limit: Int) throws(WireError) {
    let utf8 = text.utf8
    try putCount(utf8.count, limit: limit)
    bytes.append(contentsOf: utf8)
  }

  /// A list: the count, then each entry.
  mutating func putList<Entry>(
    _ entries: [Entry], limit: Int, _ each: (inout WireWriter, Entry) throws(WireError) -> Void
  ) throws(WireError) {
    try putCount(entries.count, limit: limit)
    for entry in entries { try each(&self, entry) }
  }

  /// The place of a secret.
  mutating func putSecret(_ index: SecretIndex) throws(WireError) {
    guard Int(index) < secretCount, named & (1 << UInt64(index)) == 0 else { throw .secretMismatch }
    named |= 1 << UInt64(index)
    put(index)
  }

  /// The place of a secret that may be absent.
  mutating func putOptionalSecret(_ index: SecretIndex?) throws(WireError) {
    put(index != nil)
    if let index { try putSecret(index) }
  }

  /// Overwrites the four bytes at `start`: lengths known only at the end.
  mutating func patch(_ number: UInt32, at start: Int) {
    for place in 0..<4 { bytes[start + place] = UInt8(truncatingIfNeeded: number >> UInt32(8 * place)) }
  }

  /// Checks that every secret was named.
  func finish() throws(WireError) {
    guard named.nonzeroBitCount == secretCount else { throw .secretMismatch }
  }
}
