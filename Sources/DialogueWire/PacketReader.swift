internal import SecretMemory

/// Takes a packet apart, field after field, each checked against its bound.
public struct PacketReader {
  private let packet: Packet
  private var place = 0

  init(_ packet: Packet) { self.packet = packet }

  var isAtEnd: Bool { place == packet.count }

  mutating func byte() throws(DialogueError) -> UInt8 {
    let at = place
    guard at < packet.count else { throw .truncated }
    place += 1
    return packet.buffer.withSpan { $0[at] }
  }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(DialogueError) -> Number {
    var value: Number = 0
    for step in 0..<(Number.bitWidth / 8) {
      value |= Number(truncatingIfNeeded: try byte()) << (8 * step)
    }
    return value
  }

  mutating func number<Number: FixedWidthInteger>(in range: ClosedRange<Number>) throws(DialogueError) -> Number {
    let value: Number = try number()
    guard range.contains(value) else { throw .outOfBounds }
    return value
  }

  mutating func flag() throws(DialogueError) -> Bool {
    switch try byte() {
    case 0: false
    case 1: true
    case let other: throw .unknownKind(other)
    }
  }

  mutating func choice<Choice: RawRepresentable>(
    _ type: Choice.Type = Choice.self
  ) throws(DialogueError) -> Choice where Choice.RawValue == UInt8 {
    let raw = try byte()
    guard let choice = Choice(rawValue: raw) else { throw .unknownKind(raw) }
    return choice
  }

  mutating func bytes(maximum: Int) throws(DialogueError) -> [UInt8] {
    let count = try length(in: 0...maximum)
    var value: [UInt8] = []
    value.reserveCapacity(count)
    for _ in 0..<count { value.append(try byte()) }
    return value
  }

  mutating func text(in range: ClosedRange<Int>) throws(DialogueError) -> String {
    let bytes = try bytes(maximum: range.upperBound)
    guard range.contains(bytes.count) else { throw .outOfBounds }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
    return text
  }

  mutating func secret(in range: ClosedRange<Int>) throws(DialogueError) -> SecretBytes {
    let count = try length(in: range)
    let start = place
    guard start + count <= packet.count else { throw .truncated }
    let value = try Self.allocate(count)
    packet.buffer.withSpan { source in
      value.withMutableSpan { target in
        for index in 0..<count { target[index] = source[start + index] }
      }
    }
    place += count
    return value
  }

  private static func allocate(_ count: Int) throws(DialogueError) -> SecretBytes {
    do { return try SecretBytes(count: count) } catch { throw .noMemory }
  }

  private mutating func length(in range: ClosedRange<Int>) throws(DialogueError) -> Int {
    let value = Int(try number(UInt16.self))
    guard range.contains(value) else { throw .outOfBounds }
    return value
  }
}
