/// One key in the kernel, made once and updated in place, and what this process knows about it.
struct Slot: Sendable {
  /// The kind it is reserved for.
  let kind: SlotKind
  /// The key's description: random, so that it tells nothing.
  let description: String
  /// The key's number; another one after it was revoked or collected.
  var serial: KeyringCalls.Serial
  /// What is in it.
  var content = Content.empty

  /// What the slot holds.
  enum Content: Sendable {
    case empty
    case held(Held)
    /// Held an entry that has ended; kept to tell why, until the slot is needed.
    case ended(SlotEntry, SlotEnding)
  }

  /// An entry that lives.
  struct Held: Sendable {
    let entry: SlotEntry
    /// Bytes of the payload.
    let count: Int
    /// Nanoseconds of the boot clock from which on it has ended.
    let deadline: UInt64
    /// Rises with every write of the ring.
    let order: UInt64
  }

  /// The entry it is known under.
  var entry: SlotEntry? {
    switch content {
    case .empty: nil
    case .held(let held): held.entry
    case .ended(let entry, _): entry
    }
  }

  /// The order in which slots are taken: those that hold nothing, then the oldest.
  var age: UInt64 {
    if case .held(let held) = content { held.order } else { 0 }
  }
}
