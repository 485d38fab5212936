/// What a slot is reserved for. A ring has 32 slots: an ordinary user may own 200 keys, and many rings share root's quota.
public enum SlotKind: CaseIterable, Hashable, Sendable {
  /// A class key: four classes, each with a key for values and one for metadata.
  case classKey
  /// A mark that a proof lives.
  case proof
  /// What lets a biometric proof unlock again after a lock.
  case biometricUnlock
  /// The key of an opened item.
  case item

  /// How many entries of the kind are kept; one more takes the place of the oldest.
  public var capacity: Int {
    switch self {
    case .classKey: 8
    case .proof: 7
    case .biometricUnlock: 1
    case .item: 16
    }
  }
}

/// What is kept in a slot: its kind and a name within the kind. The kernel never sees either.
public struct SlotEntry: Hashable, Sendable {
  /// Which slots it may take.
  public let kind: SlotKind
  /// Any bytes; equal names of one kind are one entry.
  public let name: [UInt8]

  /// Names an entry.
  public init(kind: SlotKind, name: [UInt8]) {
    self.kind = kind
    self.name = name
  }
}
