internal import SecretMemory
internal import KeychainModel

extension ItemStore {
  /// Binds an unbound keybag to a passcode: new class keys, new item keys, every row sealed anew, in one transaction.
  ///
  /// Rows are taken a few at a time, so memory stays bounded; the log grows by the size of the store until it is done. A kill
  /// in the middle leaves the unbound store as it was. Old copies of pages may survive on the disk below the file.
  ///
  /// - Parameter passcode: the passcode that PAM accepted, stretched with fresh parameters.
  /// - Returns: the new keys of every class.
  /// - Throws: `.alreadyBound`, `.damaged`, `.diskFull`, `.ioFailed`, `.busy`, `.outOfMemory`.
  public func bind(_ passcode: StretchedPasscode) throws(StoreError) -> ClassKeySet {
    let keys = try ClassKeySet.random(ProtectionClass.allCases)
    try writeKeybag { connection, record throws(StoreError) in
      guard !record.isBound else { throw .alreadyBound }
      let old = CallKeys(try record.deviceKeys(device), record)
      record = try record.bound(keys, passcode, device)
      let resealing = Resealing(old: old, new: CallKeys(keys, record), writer: RowWriter(connection: connection))
      try resealing.resealEverything()
    }
    emptyLog()
    return keys
  }
}

/// Moves every row from one set of class keys to another.
private struct Resealing {
  let old: CallKeys
  let new: CallKeys
  let writer: RowWriter

  private static let rowsAtATime = 64

  func resealEverything() throws(StoreError) {
    var after: Int64 = Int64.min
    while true {
      var rows: [StoredRow] = []
      try writer.connection.statement(ItemSearch.byNumber).forEach([.integer(after)]) { row throws(StoreError) in
        rows.append(StoredRow.read(row))
        return rows.count < Self.rowsAtATime ? .next : .stop
      }
      guard let last = rows.last else { return }
      for case .whole(let row) in rows { try reseal(row) }
      after = last.number
    }
  }

  /// A row that does not open stays as it is: it is as dead after the binding as before.
  private func reseal(_ row: ItemRow) throws(StoreError) {
    guard case .open(var attributes) = try old.metadata(of: row) else { return }
    for key in ItemAttributes.kept { attributes[key] = nil }
    let sealing = ItemSealing(identity: row.identity)
    let metadata = try sealing.sealMetadata(
      attributes, classKey: new.current(row.protection, .metadata), created: row.created, changed: row.changed)
    try writer.connection.statement("UPDATE items SET generation = ?, sealed_metadata = ? WHERE id = ?")
      .run([.integer(Int64(new.generation)), .bytes(metadata), .integer(row.number)])
    try resealKey(row, sealing)
  }

  private func resealKey(_ row: ItemRow, _ sealing: ItemSealing) throws(StoreError) {
    guard row.dead == nil, let wrapped = row.wrappedKey,
      let opened = try sealing.unwrap(wrapped, classKey: old.current(row.protection, .values))
    else { return }
    let classKey = try new.current(row.protection, .values)
    if row.accessControl.needsApplicationPassword {
      // What was unwrapped is still sealed under the application password; only its class key can change.
      try write(row, sealing.wrap(opened, classKey: classKey, password: nil), value: nil)
      return
    }
    var value: SecretBytes?
    if let sealed = try writer.sealedValue(row.number) {
      guard let plain = try sealing.openValue(sealed, itemKey: opened) else { return }
      value = plain
    }
    let parts = try sealing.seal(value: value, classKey: classKey, password: nil)
    try write(row, parts.wrappedKey, value: parts.value)
  }

  private func write(_ row: ItemRow, _ wrapped: [UInt8], value: [UInt8]?) throws(StoreError) {
    guard let value else {
      try writer.connection.statement("UPDATE items SET wrapped_key = ? WHERE id = ?")
        .run([.bytes(wrapped), .integer(row.number)])
      return
    }
    try writer.connection.statement("UPDATE items SET wrapped_key = ?, sealed_value = ? WHERE id = ?")
      .run([.bytes(wrapped), .bytes(value), .integer(row.number)])
  }
}
