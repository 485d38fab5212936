/// What to derive from a passcode: the stored terms of an Argon2id derivation (RFC 9106), giving 32 bytes.
///
/// The helper parses them into stretching parameters, which refuse what lies under the floor or over the ceiling.
public struct DerivationOrder: Hashable, Sendable {
  /// 16 random bytes.
  public var salt: [UInt8]
  /// Passes over the memory.
  public var operations: UInt64
  /// Memory, in bytes.
  public var memoryBytes: UInt64

  /// How long a salt is.
  public static let saltCount = 16

  /// Makes an order.
  public init(salt: [UInt8], operations: UInt64, memoryBytes: UInt64) {
    self.salt = salt
    self.operations = operations
    self.memoryBytes = memoryBytes
  }
}

extension PacketWriter {
  mutating func order(_ value: DerivationOrder) throws(DialogueError) {
    guard value.salt.count == DerivationOrder.saltCount else { throw .outOfBounds }
    for one in value.salt { try byte(one) }
    try number(value.operations)
    try number(value.memoryBytes)
  }
}

extension PacketReader {
  mutating func order() throws(DialogueError) -> DerivationOrder {
    var salt: [UInt8] = []
    for _ in 0..<DerivationOrder.saltCount { salt.append(try byte()) }
    return DerivationOrder(salt: salt, operations: try number(), memoryBytes: try number())
  }
}
