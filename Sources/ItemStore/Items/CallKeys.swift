internal import KeychainModel
internal import SecretMemory

/// The class keys of one call: each is fetched once, and compared with the keybag where it matters.
final class CallKeys {
  private let source: any ClassKeySource
  private var book: Book
  /// One call asks for one or two of them.
  private var fetched: [(name: ClassKeyName, key: SecretBytes?)] = []
  private var vouched: [ClassKeyName: Bool] = [:]

  /// Where the keybag is looked up.
  private enum Book {
    case record(KeybagRecord)
    /// Not looked at yet: most readings never do.
    case store(ItemStore)
  }

  init(_ source: any ClassKeySource, _ keybag: KeybagRecord) {
    self.source = source
    book = .record(keybag)
  }

  /// For a reading: the keybag is looked at where a key turns out not to open something.
  init(_ source: any ClassKeySource, of store: ItemStore) {
    self.source = source
    book = .store(store)
  }

  private var keybag: KeybagRecord {
    switch book {
    case .record(let record): return record
    case .store(let store):
      let record = store.keybag
      book = .record(record)
      return record
    }
  }

  /// The key as the caller has it, or `nil` for locked.
  func key(_ protection: ProtectionClass, _ use: ClassKeyUse) -> SecretBytes? {
    let name = ClassKeyName(protection, use)
    for known in fetched where known.name == name { return known.key }
    let key = source.key(for: protection, use: use)
    fetched.append((name, key))
    return key
  }

  /// Whether the caller's key is the keybag's. A stale one (from before a binding) counts as none.
  func isCurrent(_ protection: ProtectionClass, _ use: ClassKeyUse) -> Bool {
    let name = ClassKeyName(protection, use)
    if let known = vouched[name] { return known }
    let current = key(protection, use).map { keybag.vouches(for: $0, name) } ?? false
    vouched[name] = current
    return current
  }

  /// The key, certainly the keybag's: nothing is ever sealed under another.
  ///
  /// - Throws: `.passcodeNotBound` where the class has no keys, `.locked`.
  func current(_ protection: ProtectionClass, _ use: ClassKeyUse) throws(StoreError) -> SecretBytes {
    if keybag.entries[ClassKeyName(protection, use)]?.wrapped.isEmpty ?? true { throw .passcodeNotBound }
    guard isCurrent(protection, use), let key = key(protection, use) else { throw .locked(protection) }
    return key
  }

  var generation: UInt32 { keybag.generation }
}

/// What a row's sealed attributes turned out to be.
enum MetadataReading {
  case open(ItemAttributes)
  case locked
  case damaged
}

extension CallKeys {
  /// Opens a row's attributes. A failure under a key that is not the keybag's means locked, not damaged.
  func metadata(of row: ItemRow) throws(StoreError) -> MetadataReading {
    guard let key = key(row.protection, .metadata) else { return .locked }
    if let attributes = try row.openMetadata(classKey: key) { return .open(attributes) }
    return isCurrent(row.protection, .metadata) ? .damaged : .locked
  }
}
