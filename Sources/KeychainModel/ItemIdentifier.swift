/// The 16 bytes that name an item for its whole life; a store may let them begin with its own number of the item. Apple counterpart: the UUID of a persistent reference.
public struct ItemIdentifier: Hashable, Sendable {
  /// The upper and the lower half, big-endian.
  public let high: UInt64
  /// The lower half.
  public let low: UInt64

  /// Makes an identifier from two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A new random identifier from the system's generator.
  public static func random() -> ItemIdentifier {
    ItemIdentifier(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  }

  /// The identifier in 16 bytes, or `nil` for any other length.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    high = bytes[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// 16 bytes, big-endian.
  public var bytes: [UInt8] {
    [UInt8](capacity: 16) { target in
      for half in 0..<2 {
        for place in 0..<8 { target.append(UInt8(truncatingIfNeeded: (half == 0 ? high : low) >> (56 - 8 * place))) }
      }
    }
  }
}
