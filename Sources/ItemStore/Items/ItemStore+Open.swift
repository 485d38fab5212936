public import AccessPolicy
public import KeychainModel
public import SecretMemory

extension ItemStore {
  /// Opens an item's value; the grant is used up.
  ///
  /// - Parameters:
  ///   - item: as it was found. Where anything was written since it is read again, and a row changed since is refused.
  ///   - grant: for this item and `decrypt`.
  ///   - keys: the class keys at hand.
  ///   - cachedKey: the item key from an earlier ``OpenedItem``; with it a locked class opens as well. A stale one is passed
  ///     over.
  ///   - applicationPassword: for an item that wants one; costs one Argon2id (64 MiB).
  /// - Throws: `.grantMismatch`, `.itemNotFound` (deleted since), `.changedMeanwhile`, `.dead`, `.locked`, `.rowDamaged`,
  ///   `.applicationPasswordRequired`, `.applicationPasswordWrong`, `.damaged`, `.ioFailed`, `.outOfMemory`.
  public func open(
    _ item: SealedItem, grant: consuming Grant, keys: any ClassKeySource, cachedKey: SecretBytes? = nil,
    applicationPassword: SecretBytes? = nil
  ) throws(StoreError) -> OpenedItem {
    guard grant.item == item.identifier, grant.operation == .decrypt else { throw .grantMismatch }
    let row = isAsFound(item) ? item.row : try readAgain(item)
    let opener = ValueOpener(row: row, sealedValue: row.sealedValue, keys: CallKeys(keys, of: self))
    if let cachedKey, let opened = try opener.open(cachedKey: cachedKey) { return opened }
    return try opener.open(applicationPassword)
  }

  /// Turns a grant into the right to change or delete one protected item.
  ///
  /// - Throws: `.grantMismatch`.
  public func permit(_ item: SealedItem, grant: consuming Grant) throws(StoreError) -> ChangePermit {
    guard grant.item == item.identifier else { throw .grantMismatch }
    return ChangePermit(item: grant.item, operation: grant.operation, access: item.row.access)
  }

  /// Destroys an item's wrapped key for good and keeps the row with the reason.
  ///
  /// - Throws: `.itemNotFound`, `.diskFull`, `.ioFailed`, `.damaged`, `.busy`.
  public func invalidate(_ identifier: ItemIdentifier, _ cause: DeadCause) throws(StoreError) {
    let changed = try write { connection throws(StoreError) in
      try connection.statement("UPDATE items SET wrapped_key = NULL, dead = ? WHERE id = ? AND identifier = ?")
        .run([.integer(Int64(cause.rawValue)), .integer(identifier.rowNumber), .bytes(identifier.bytes)])
    }
    guard changed > 0 else { throw .itemNotFound }
    emptyLog()
  }

  /// Whether the row still is what was found, by nothing having been written, and its value was fetched with it.
  private func isAsFound(_ item: SealedItem) -> Bool {
    guard item.row.sealedValue != nil || item.row.sealedValueBytes == nil else { return false }
    return item.foundAt != nil && item.foundAt == writes.now
  }

  private func readAgain(_ item: SealedItem) throws(StoreError) -> ItemRow {
    let found = try read { connection throws(StoreError) in
      try connection.statement(Self.withValue).first([.integer(item.row.number), .bytes(item.identifier.bytes)]) {
        row in
        StoredRow.read(row)
      }
    }
    guard let found else { throw .itemNotFound }
    guard case .whole(let row) = found else { throw .rowDamaged(item.identifier) }
    guard row.identity == item.row.identity else { throw .changedMeanwhile }
    return row
  }

  static let withValue = "SELECT \(ItemRow.columnsWithValue) FROM items WHERE id = ? AND identifier = ?"
}

/// Opens the value of one row.
struct ValueOpener {
  let row: ItemRow
  let sealedValue: [UInt8]?
  let keys: CallKeys

  private var sealing: ItemSealing { ItemSealing(identity: row.identity) }

  /// With the item key from an earlier opening, or `nil` where that is no use any more.
  func open(cachedKey: SecretBytes) throws(StoreError) -> OpenedItem? {
    guard row.dead == nil, row.wrappedKey != nil, !row.accessControl.needsApplicationPassword, let sealedValue else {
      return nil
    }
    guard let value = try sealing.openValue(sealedValue, itemKey: cachedKey) else { return nil }
    return OpenedItem(identifier: row.identifier, value: value, itemKey: cachedKey)
  }

  /// With the class key, and the application password where the item wants one.
  func open(_ password: SecretBytes?) throws(StoreError) -> OpenedItem {
    let itemKey = try itemKey(password)
    var value: SecretBytes?
    if let sealedValue {
      guard let opened = try sealing.openValue(sealedValue, itemKey: itemKey) else { throw .rowDamaged(row.identifier) }
      value = opened
    }
    return OpenedItem(
      identifier: row.identifier, value: value,
      itemKey: row.accessControl.needsApplicationPassword ? nil : itemKey)
  }

  func itemKey(_ password: SecretBytes?) throws(StoreError) -> SecretBytes {
    let outer = try unwrapped()
    guard row.accessControl.needsApplicationPassword else { return outer }
    guard let password else { throw .applicationPasswordRequired }
    guard let stretching = row.stretching else { throw .rowDamaged(row.identifier) }
    return try sealing.unwrap(inner: outer, password: PasswordKey(password, stretching))
  }

  /// Whether the value could be opened, as far as that can be told without an application's password.
  ///
  /// - Throws: as ``open(_:)``.
  func check() throws(StoreError) {
    let outer = try unwrapped()
    guard !row.accessControl.needsApplicationPassword, let sealedValue else { return }
    guard try sealing.openValue(sealedValue, itemKey: outer) != nil else { throw .rowDamaged(row.identifier) }
  }

  /// What the class key wraps: the item key, or the item key under the application password.
  func unwrapped() throws(StoreError) -> SecretBytes {
    if let cause = row.dead { throw .dead(cause) }
    guard let wrapped = row.wrappedKey else { throw .rowDamaged(row.identifier) }
    guard let classKey = keys.key(row.protection, .values) else { throw .locked(row.protection) }
    if let opened = try sealing.unwrap(wrapped, classKey: classKey) { return opened }
    throw keys.isCurrent(row.protection, .values) ? .rowDamaged(row.identifier) : .locked(row.protection)
  }
}
