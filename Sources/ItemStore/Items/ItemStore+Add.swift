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
      let keys = CallKeys(keys, keybag)
      let writer = RowWriter(connection: connection)
      let maker = try RowMaker([addition], index: index, keys: keys)
      let row = try maker.row(addition, .next(rowNumber: writer.firstNumber(of: 1)))
      let meeting = Meeting(rule: onDuplicate, permits: permit.map { [$0.item: $0] } ?? [:], keys: keys)
      return try add(addition, row, meeting, writer)
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
      let first = try writer.firstNumber(of: additions.count)
      let sealing = BatchSealing(additions, try RowMaker(additions, index: index, keys: keys), first: first)
      defer { sealing.abandon() }
      let meeting = Meeting(rule: onDuplicate, permits: permits, keys: keys)
      var added: [AddedItem] = []
      added.reserveCapacity(additions.count)
      for chunk in 0..<sealing.count {
        let rows = try sealing.rows(of: chunk)
        for (place, row) in zip(sealing.range(chunk), rows) {
          added.append(try add(additions[place], row, meeting, writer))
        }
      }
      return added
    }
  }

  /// What happens where the primary key exists.
  private struct Meeting {
    let rule: DuplicateRule
    let permits: [ItemIdentifier: ChangePermit]
    let keys: CallKeys
  }

  /// Inserts the row, and looks for another of its primary key only where the index says that there is one.
  private func add(
    _ addition: Addition, _ row: SealedRow, _ meeting: Meeting, _ writer: RowWriter
  ) throws(StoreError) -> AddedItem {
    do throws(StoreError) {
      try writer.insert(row.draft, row.parts)
      return AddedItem(identifier: row.draft.identity.identifier, outcome: .added)
    } catch .duplicateItem {
      return try meet(addition, row, meeting, writer)
    }
  }

  private func meet(
    _ addition: Addition, _ row: SealedRow, _ meeting: Meeting, _ writer: RowWriter
  ) throws(StoreError) -> AddedItem {
    guard let stored = try writer.row(primaryHash: row.draft.hashes.primary) else { throw .duplicateItem }
    if let found = try readable(stored, meeting.keys, writer) {
      guard meeting.rule == .replace else { throw .duplicateItem }
      let change = RowChange(
        change: addition.change(of: found), permits: meeting.permits, keys: meeting.keys, index: index,
        now: addition.now)
      try change.apply(to: found, attributes: nil, writer)
      return AddedItem(identifier: found.identifier, outcome: .replaced)
    }
    try writer.delete(stored.number)
    try writer.insert(row.draft, row.parts)
    return AddedItem(identifier: row.draft.identity.identifier, outcome: .replacedUnreadable)
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
}

/// A new item that has passed every check, with its application password stretched before any lock is taken.
struct Addition: Sendable {
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

  var protection: ProtectionClass { item.accessControl.accessibility.protectionClass }

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
