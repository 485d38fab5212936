internal import SecretMemory

/// Fills a packet's buffer, field after field, each checked against its bound.
public struct PacketWriter {
  let buffer: SecretBytes
  private(set) var count = 0

  init() throws(DialogueError) {
    do { buffer = try SecretBytes(count: Packet.maximumCount) } catch { throw .noMemory }
  }

  mutating func byte(_ value: UInt8) throws(DialogueError) {
    let place = count
    guard place < buffer.count else { throw .tooLarge }
    buffer.withMutableSpan { $0[place] = value }
    count += 1
  }

  mutating func number<Number: FixedWidthInteger>(_ value: Number) throws(DialogueError) {
    for place in 0..<(Number.bitWidth / 8) {
      try byte(UInt8(truncatingIfNeeded: value >> (8 * place)))
    }
  }

  mutating func number<Number: FixedWidthInteger>(
    _ value: Number, in range: ClosedRange<Number>
  ) throws(DialogueError) {
    guard range.contains(value) else { throw .outOfBounds }
    try number(value)
  }

  mutating func flag(_ value: Bool) throws(DialogueError) { try byte(value ? 1 : 0) }

  mutating func bytes(_ value: [UInt8], maximum: Int) throws(DialogueError) {
    try length(value.count, in: 0...maximum)
    for one in value { try byte(one) }
  }

  mutating func text(_ value: String, in range: ClosedRange<Int>) throws(DialogueError) {
    guard !value.utf8.contains(0) else { throw .notText }
    try length(value.utf8.count, in: range)
    for one in value.utf8 { try byte(one) }
  }

  mutating func secret(_ value: SecretBytes, in range: ClosedRange<Int>) throws(DialogueError) {
    try length(value.count, in: range)
    let start = count
    guard start + value.count <= buffer.count else { throw .tooLarge }
    buffer.withMutableSpan { target in
      value.withSpan { source in
        for index in source.indices { target[start + index] = source[index] }
      }
    }
    count += value.count
  }

  private mutating func length(_ value: Int, in range: ClosedRange<Int>) throws(DialogueError) {
    guard range.contains(value), let short = UInt16(exactly: value) else { throw .outOfBounds }
    try number(short)
  }
}
