public import KeychainModel
internal import SecretMemory

// What a caller found and judged is what changes: nothing that another call put in its place meanwhile.
extension ItemStore {
  /// The item of exactly this primary key; attributes that are missing count as empty.
  ///
  /// - Returns: the item, its attributes locked where the keys of its class are not at hand; `nil` where there is none, or only
  ///   a damaged row, which gives way to a new item.
  /// - Throws: `.damaged`, `.ioFailed`, `.outOfMemory`.
  public func item(
    _ itemClass: ItemClass, named attributes: ItemAttributes, keys: any ClassKeySource
  ) throws(StoreError) -> SealedItem? {
    let hash = index.primary(itemClass, attributes)
    let stored = try read { connection throws(StoreError) in
      try RowWriter(connection: connection).row(primaryHash: hash)
    }
    guard case .whole(let row) = stored else { return nil }
    switch try CallKeys(keys, keybag).metadata(of: row) {
    case .open(let attributes): return SealedItem(row: row, metadata: .open(attributes))
    case .locked: return SealedItem(row: row, metadata: .locked)
    case .damaged: return nil
    }
  }

  /// Changes items that were found, all in one transaction or none; as ``update(_:groups:change:permits:keys:now:)``.
  ///
  /// - Throws: `.changedMeanwhile` where one was deleted, renamed or got other flags since, and as the other update.
  public func update(
    _ items: [SealedItem], change: ItemChange, permits: [ChangePermit] = [], keys: any ClassKeySource, now: Double
  ) throws(StoreError) {
    try check(change)
    try write { connection throws(StoreError) in
      let rowChange = RowChange(
        change: change, permits: Dictionary(permits.map { ($0.item, $0) }) { $1 }, keys: CallKeys(keys, keybag),
        index: index, now: now)
      let writer = RowWriter(connection: connection)
      for item in items {
        guard case .whole(let row)? = try writer.row(number: item.row.number), row.identity == item.row.identity else {
          throw .changedMeanwhile
        }
        try rowChange.apply(to: row, attributes: nil, writer)
      }
    }
  }

  /// Deletes rows that were found, all in one transaction or none. Needs no keys: works while locked and on damaged rows.
  ///
  /// - Parameter permits: one made from a `delete` grant for each row whose access control constrains deletion.
  /// - Returns: how many rows were deleted; those that somebody else deleted since are not counted.
  /// - Throws: `.itemNotFound` where all of them are gone, `.changedMeanwhile` where one was changed since, `.permitRequired`,
  ///   `.diskFull`, `.ioFailed`, `.damaged`, `.busy`.
  public func delete(_ rows: [FoundRow], permits: [ChangePermit] = []) throws(StoreError) -> Int {
    let deleted = try write { connection throws(StoreError) in
      let writer = RowWriter(connection: connection)
      var deleted = 0
      for found in rows {
        guard let stored = try writer.row(number: found.number) else { continue }
        switch found.compare(with: stored) {
        case .another: continue
        case .changed: throw .changedMeanwhile
        case .same: try Self.checkDeletion(of: stored, permits)
        }
        try writer.delete(found.number)
        deleted += 1
      }
      return deleted
    }
    guard deleted > 0 else { throw .itemNotFound }
    return deleted
  }

  private static func checkDeletion(of stored: StoredRow, _ permits: [ChangePermit]) throws(StoreError) {
    guard case .whole(let row) = stored, row.accessControl.rule(for: .delete) != .allowed else { return }
    guard let permit = permits.first(where: { $0.item == row.identifier && $0.operation == .delete }) else {
      throw .permitRequired(row.identifier)
    }
    guard permit.access == row.access else { throw .changedMeanwhile }
  }
}
