public import KeychainModel
internal import SecretMemory

extension ItemStore {
  /// Stores an item; durable when this returns.
  ///
  /// With `replace`, value and given attributes of an existing item change in one step; its name for life and its creation
  /// date stay. A dead or damaged row of the same primary key gives way to the new item whatever the rule.
  ///
  /// - Parameters:
  ///   - item: what to store.
  ///   - onDuplicate: what to do where the primary key exists.
  ///   - permit: for replacing a protected item.
  ///   - keys: the class keys at hand.
  ///   - now: seconds since 1970.
  /// - Throws: `.attributeRefused`, `.attributesTooLarge`, `.valueTooLarge`, `.applicationPasswordRequired`,
  ///   `.passcodeNotBound`, `.locked`, `.duplicateItem`, `.permitRequired`, `.diskFull`, `.ioFailed`, `.damaged`, `.busy`,
  ///   `.outOfMemory`. Nothing is written on any of them.
  public func add(
    _ item: NewItem, onDuplicate: DuplicateRule = .refuse, permit: ChangePermit? = nil, keys: any ClassKeySource,
    now: Double
  ) throws(StoreError) -> AddedItem {
    let addition = try Addition(item, now: now)
    return try write { connection throws(StoreError) in
      try add(
        addition, onDuplicate, permit.map { [$0.item: $0] } ?? [:], CallKeys(keys, keybag),
        RowWriter(connection: connection))
    }
  }

  /// Stores many items in one transaction, all or none: for an import.
  ///
  /// - Throws: as ``add(_:onDuplicate:permit:keys:now:)``.
  public func add(
    _ items: [NewItem], onDuplicate: DuplicateRule, permits: [ChangePermit] = [], keys: any ClassKeySource, now: Double
  ) throws(StoreError) -> [AddedItem] {
    let additions = try items.map { item throws(StoreError) in try Addition(item, now: now) }
    let permits = Dictionary(permits.map { ($0.item, $0) }) { $1 }
    return try write { connection throws(StoreError) in
      let keys = CallKeys(keys, keybag)
      let writer = RowWriter(connection: connection)
      return try additions.map { addition throws(StoreError) in
        try add(addition, onDuplicate, permits, keys, writer)
      }
    }
  }

  private func add(
    _ addition: Addition, _ rule: DuplicateRule, _ permits: [ItemIdentifier: ChangePermit], _ keys: CallKeys,
    _ writer: RowWriter
  ) throws(StoreError) -> AddedItem {
    let item = addition.item
    let protection = item.accessControl.accessibility.protectionClass
    let keyPair = (
      values: try keys.current(protection, .values), metadata: try keys.current(protection, .metadata)
    )
    var outcome = AddedItem.Outcome.added
    let hashes = index.hashes(item.itemClass, item.attributes)
    if let stored = try writer.row(primaryHash: hashes.primary) {
      if let row = try readable(stored, keys, writer) {
        guard rule == .replace else { throw .duplicateItem }
        let change = RowChange(
          change: addition.change(of: row), permits: permits, keys: keys, index: index, now: addition.now)
        try change.apply(to: row, attributes: nil, writer)
        return AddedItem(identifier: row.identifier, outcome: .replaced)
      }
      try writer.delete(stored.number)
      outcome = .replacedUnreadable
    }
    let identifier = try insert(addition, hashes, keyPair, keys.generation, writer)
    return AddedItem(identifier: identifier, outcome: outcome)
  }

  /// The row if it still counts as an item: not dead, and not known to be damaged. A locked one counts.
  private func readable(_ stored: StoredRow, _ keys: CallKeys, _ writer: RowWriter) throws(StoreError) -> ItemRow? {
    guard case .whole(let row) = stored, row.dead == nil, row.wrappedKey != nil else { return nil }
    if case .damaged = try keys.metadata(of: row) { return nil }
    let opener = ValueOpener(row: row, sealedValue: try writer.sealedValue(row.number), keys: keys)
    do throws(StoreError) { try opener.check() } catch {
      if case .rowDamaged = error { return nil }
      if case .locked = error { return row }
      throw error
    }
    return row
  }

  private func insert(
    _ addition: Addition, _ hashes: IndexHashes, _ keys: (values: SecretBytes, metadata: SecretBytes),
    _ generation: UInt32, _ writer: RowWriter
  ) throws(StoreError) -> ItemIdentifier {
    let item = addition.item
    let identity = ItemIdentity(
      identifier: try writer.nextIdentifier(), itemClass: item.itemClass, primaryHash: hashes.primary,
      access: item.accessControl.encoded,
      enrolment: item.boundEnrolment)
    let sealing = ItemSealing(identity: identity)
    let parts = try sealing.seal(value: item.value, classKey: keys.values, password: addition.password)
    let metadata = try sealing.sealMetadata(
      item.attributes, classKey: keys.metadata, created: addition.now, changed: addition.now)
    let draft = RowDraft(
      identity: identity, hashes: hashes, synchronizable: item.attributes.isSynchronizable, generation: generation,
      created: addition.now, changed: addition.now, sealedMetadata: metadata)
    try writer.insert(draft, parts)
    return identity.identifier
  }
}

/// A new item that has passed every check, with its application password stretched before any lock is taken.
struct Addition {
  let item: NewItem
  let password: PasswordKey?
  let now: Double

  init(_ item: NewItem, now: Double) throws(StoreError) {
    _ = try item.attributes.checked(for: item.itemClass)
    try item.accessControl.checkEncoding()
    guard (item.value?.count ?? 0) <= ItemLimits.valueBytes else { throw .valueTooLarge }
    var password: PasswordKey?
    if item.accessControl.needsApplicationPassword {
      guard let given = item.applicationPassword else { throw .applicationPasswordRequired }
      password = try PasswordKey(given, .fresh())
    }
    self.item = item
    self.password = password
    self.now = now
  }

  /// What a replacing add changes of the item it meets.
  func change(of row: ItemRow) -> ItemChange {
    var change = ItemChange()
    change.attributes = item.attributes
    change.value = item.value
    change.applicationPassword = item.applicationPassword
    if item.accessControl != row.accessControl {
      change.access = .accessControl(item.accessControl)
      change.boundEnrolment = item.boundEnrolment
    }
    return change
  }
}

extension AccessControl {
  /// Refuses rules too deep or too wide to be stored.
  func checkEncoding() throws(StoreError) {
    guard AccessControl(encoded: encoded) == self else { throw .attributeRefused(.accessControl) }
  }
}

extension ItemAttributes {
  var isSynchronizable: Bool { number(.synchronizable) ?? 0 != 0 }
}

extension StoredRow {
  var number: Int64 {
    switch self {
    case .whole(let row): row.number
    case .broken(let row): row.number
    }
  }
}
