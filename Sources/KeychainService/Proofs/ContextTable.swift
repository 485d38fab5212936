internal import AccessPolicy
internal import KeychainModel
internal import Synchronization

/// The authentication contexts of one user. A context belongs to the process that made it and to no other.
final class ContextTable: Sendable {
  private struct Entry {
    let owner: ProcessIdentity
    var state = ContextState.live
    /// How long ago a proof may have been given outside of the context to serve in it.
    var reuseSeconds: UInt32 = 0
  }

  private struct Table {
    var entries: [ContextIdentifier: Entry] = [:]
    var order: [ContextIdentifier] = []
  }

  /// Whether a context can still be used.
  private enum ContextState { case live, invalidated }

  /// Most contexts of one process; the oldest makes room.
  static let perProcess = 64
  /// Most contexts of one user.
  static let capacity = 1024

  private let table = Mutex(Table())

  /// A new context of a process.
  ///
  /// - Parameter hasEnded: whether a process is gone; the contexts of such processes go with it.
  /// - Returns: the context, and those that were forgotten.
  func make(
    for owner: ProcessIdentity, hasEnded: (ProcessIdentity) -> Bool
  ) -> (made: ContextIdentifier, forgotten: [ContextIdentifier]) {
    // Outside of the lock: looking at a process reads files.
    let others = table.withLock { Set($0.entries.values.map(\.owner)) }.subtracting([owner])
    let gone = others.filter(hasEnded)
    let made = ContextIdentifier(value: .random(in: 1 ... .max))
    return table.withLock { table in
      let forgotten = Self.superfluous(table, gone, owner)
      for context in forgotten { table.entries[context] = nil }
      table.order.removeAll(where: forgotten.contains)
      table.entries[made] = Entry(owner: owner)
      table.order.append(made)
      return (made, Array(forgotten))
    }
  }

  /// What leaves the table before a newcomer of this process enters it.
  private static func superfluous(
    _ table: Table, _ gone: Set<ProcessIdentity>, _ owner: ProcessIdentity
  ) -> Set<ContextIdentifier> {
    var leaving = Set(table.entries.filter { gone.contains($0.value.owner) }.keys)
    let own = table.order.filter { table.entries[$0]?.owner == owner }
    leaving.formUnion(own.prefix(max(0, own.count - perProcess + 1)))
    let staying = table.order.filter { !leaving.contains($0) }
    leaving.formUnion(staying.prefix(max(0, staying.count - capacity + 1)))
    return leaving
  }

  /// Refuses a context that is not this process's own or was invalidated.
  func require(_ context: ContextIdentifier, of process: ProcessIdentity) throws(Refusal) {
    try change(context, of: process) { _ in }
  }

  /// Lets proofs from outside the context serve in it that are no older than so many seconds.
  func allowReuse(_ context: ContextIdentifier, of process: ProcessIdentity, seconds: UInt32) throws(Refusal) {
    try change(context, of: process) { $0.reuseSeconds = min(seconds, ContextRequest.longestReuse) }
  }

  /// How old a proof from outside the context may be; 0 where none serves.
  func reuseSeconds(of context: ContextIdentifier) -> UInt32 {
    table.withLock { $0.entries[context]?.reuseSeconds ?? 0 }
  }

  private func change(
    _ context: ContextIdentifier, of process: ProcessIdentity, _ body: (inout Entry) -> Void
  ) throws(Refusal) {
    let found = table.withLock { table -> Entry? in
      guard var entry = table.entries[context], entry.owner == process, entry.state == .live else { return nil }
      body(&entry)
      table.entries[context] = entry
      return entry
    }
    if found == nil { throw Refusal(.contextInvalid) }
  }

  /// Ends a context for good. Doing it twice is fine.
  func invalidate(_ context: ContextIdentifier, of process: ProcessIdentity) throws(Refusal) {
    let outcome = table.withLock { table -> Reason? in
      guard let found = table.entries[context], found.owner == process else { return .contextInvalid }
      table.entries[context]?.state = .invalidated
      return nil
    }
    if let outcome { throw Refusal(outcome) }
  }
}
