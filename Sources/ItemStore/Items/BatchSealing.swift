internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory
internal import Synchronization

/// A new row with its parts sealed, ready to be written.
struct SealedRow: Sendable {
  let draft: RowDraft
  let parts: SealedParts
}

/// Makes the rows of new items. Only reads what it holds, so that any thread may use it.
struct RowMaker: Sendable {
  /// The keys of one class.
  struct KeyPair: Sendable {
    let values: SecretBytes
    let metadata: SecretBytes
  }

  let index: Index
  let keys: [ProtectionClass: KeyPair]
  let generation: UInt32

  /// Fetches the keys of every class that the additions need.
  ///
  /// - Throws: `.passcodeNotBound`, `.locked`.
  init(_ additions: [Addition], index: Index, keys: CallKeys) throws(StoreError) {
    var pairs: [ProtectionClass: KeyPair] = [:]
    for protection in Set(additions.map(\.protection)) {
      pairs[protection] = KeyPair(
        values: try keys.current(protection, .values), metadata: try keys.current(protection, .metadata))
    }
    self.index = index
    self.keys = pairs
    generation = keys.generation
  }

  /// Seals one item for a row.
  func row(_ addition: Addition, _ identifier: ItemIdentifier) throws(StoreError) -> SealedRow {
    let item = addition.item
    let hashes = index.hashes(item.itemClass, item.attributes)
    guard let pair = keys[addition.protection] else { throw .internalFailure }
    let identity = ItemIdentity(
      identifier: identifier, itemClass: item.itemClass, primaryHash: hashes.primary,
      access: item.accessControl.encoded, enrolment: item.boundEnrolment)
    let sealing = ItemSealing(identity: identity)
    let parts = try sealing.seal(value: item.value, classKey: pair.values, password: addition.password)
    let metadata = try sealing.sealMetadata(
      item.attributes, classKey: pair.metadata, created: addition.now, changed: addition.now)
    let draft = RowDraft(
      identity: identity, hashes: hashes, synchronizable: item.attributes.isSynchronizable, generation: generation,
      created: addition.now, changed: addition.now, sealedMetadata: metadata)
    return SealedRow(draft: draft, parts: parts)
  }
}

/// Seals the rows of a batch while others of it are being written: the thread that writes and one beside it take chunks as they
/// come, so that sealing and SQLite share the cores.
final class BatchSealing: Sendable {
  private enum Chunk {
    case waiting
    case taken
    case sealed([SealedRow])
    case failed(StoreError)
  }

  /// Rows of a chunk.
  static let chunkRows = 64
  /// Fewer rows than this are not worth a thread.
  static let leastRows = 2 * chunkRows

  private let additions: [Addition]
  private let maker: RowMaker
  /// The number of the first row.
  private let first: Int64
  private let chunks: Mutex<[Chunk]>

  init(_ additions: [Addition], _ maker: RowMaker, first: Int64) {
    self.additions = additions
    self.maker = maker
    self.first = first
    chunks = Mutex([Chunk](repeating: .waiting, count: (additions.count + Self.chunkRows - 1) / Self.chunkRows))
    // Without a second thread the first does all of it.
    if additions.count >= Self.leastRows { try? Threads.start { [self] in help() } }
  }

  /// How many chunks there are.
  var count: Int { chunks.withLock { $0.count } }

  /// The additions of a chunk.
  func range(_ chunk: Int) -> Range<Int> {
    chunk * Self.chunkRows..<min((chunk + 1) * Self.chunkRows, additions.count)
  }

  /// The sealed rows of a chunk. Instead of waiting for the other thread it seals what comes later.
  func rows(of chunk: Int) throws(StoreError) -> [SealedRow] {
    while true {
      switch chunks.withLock({ $0[chunk] }) {
      case .sealed(let rows):
        chunks.withLock { $0[chunk] = .taken }
        return rows
      case .failed(let error): throw error
      case .waiting, .taken:
        if let next = take(from: chunk) { seal(next) } else { _ = try? Poll.wait([], timeoutMilliseconds: 1) }
      }
    }
  }

  /// Nothing that is not begun is wanted any more.
  func abandon() {
    chunks.withLock { chunks in
      for place in chunks.indices { chunks[place] = .taken }
    }
  }

  private func help() {
    while let next = take(from: 0) { seal(next) }
  }

  private func take(from start: Int) -> Int? {
    chunks.withLock { chunks in
      let next = chunks.indices.first { place in
        guard place >= start, case .waiting = chunks[place] else { return false }
        return true
      }
      if let next { chunks[next] = .taken }
      return next
    }
  }

  private func seal(_ chunk: Int) {
    let outcome: Chunk
    do throws(StoreError) {
      outcome = .sealed(
        try range(chunk).map { place throws(StoreError) in
          try maker.row(additions[place], .next(rowNumber: first + Int64(place)))
        })
    } catch { outcome = .failed(error) }
    chunks.withLock { $0[chunk] = outcome }
  }
}
