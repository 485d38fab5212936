internal import AccessPolicy
internal import KeychainModel
internal import Synchronization

/// The authentication contexts of one user. A context belongs to the process that made it and to no other.
final class ContextTable: Sendable {
  private struct Entry {
    let owner: ProcessIdentity
    var state: ContextState
  }

  /// Whether a context can still be used.
  private enum ContextState { case live, invalidated }

  /// Most contexts of one process; the oldest makes room.
  static let perProcess = 64
  /// Most contexts of one user.
  static let capacity = 1024

  private let table = Mutex<(entries: [ContextIdentifier: Entry], order: [ContextIdentifier])>(([:], []))

  /// A new context of a process.
  func make(for owner: ProcessIdentity) -> ContextIdentifier {
    let made = ContextIdentifier(value: .random(in: 1 ... .max))
    table.withLock { table in
      let own = table.order.filter { table.entries[$0]?.owner == owner }
      let excess = own.count >= Self.perProcess ? own.first : nil
      let oldest = table.order.count >= Self.capacity ? table.order.first : nil
      for dropped in [excess, oldest].compactMap({ $0 }) {
        table.entries[dropped] = nil
        table.order.removeAll { $0 == dropped }
      }
      table.entries[made] = Entry(owner: owner, state: .live)
      table.order.append(made)
    }
    return made
  }

  /// Refuses a context that is not this process's own or was invalidated.
  func require(_ context: ContextIdentifier, of process: ProcessIdentity) throws(Refusal) {
    let found = table.withLock { $0.entries[context] }
    guard let found, found.owner == process, found.state == .live else { throw Refusal(.contextInvalid) }
  }

  /// Ends a context for good. Doing it twice is fine.
  func invalidate(_ context: ContextIdentifier, of process: ProcessIdentity) throws(Refusal) {
    let outcome = table.withLock { table -> Reason? in
      guard let found = table.entries[context], found.owner == process else { return .contextInvalid }
      table.entries[context] = Entry(owner: found.owner, state: .invalidated)
      return nil
    }
    if let outcome { throw Refusal(outcome) }
  }

  /// Forgets the contexts of a process that is gone.
  func drop(process: ProcessIdentity) {
    table.withLock { table in
      table.entries = table.entries.filter { $0.value.owner != process }
      table.order.removeAll { table.entries[$0] == nil }
    }
  }
}
