public import KeychainModel

extension ItemStore {
  /// Finds the items that match a query, a page at a time. Never needs a proof; opens attributes, never values.
  ///
  /// - Parameters:
  ///   - query: class and exact values. `limit` is the caller's affair.
  ///   - groups: the access groups a query without `agrp` spans; `nil` for all.
  ///   - after: ``ItemPage/next`` of the page before, or 0.
  ///   - limit: most items in the page, 1 or more.
  ///   - keys: the class keys at hand.
  ///   - showsLocked: whether any locked row that certainly matches is shown, with locked attributes.
  /// - Returns: a page; empty where nothing matches. Locked rows are counted as hidden, but an exact look-up (identifier, or
  ///   every name of the primary key) shows them with locked attributes.
  /// - Throws: `.queryInvalid`, `.damaged`, `.ioFailed`, `.outOfMemory`.
  public func find(
    _ query: ItemQuery, groups: [ExactText]? = nil, after: UInt64 = 0, limit: Int, keys: any ClassKeySource,
    showsLocked: Bool = false
  ) throws(StoreError) -> ItemPage {
    let search = try ItemSearch(query, groups: groups, index: index)
    let keys = CallKeys(keys, of: self)
    var page = ItemPage()
    // Taken before the reading begins: what is written from here on is seen by the opening.
    let moment = writes.now
    let next = try read { connection throws(StoreError) in
      try search.run(on: connection, after: Int64(clamping: after), keys: keys) { match in
        page.take(match, at: moment, isExact: search.isExact || showsLocked)
        return page.items.count < limit ? .next : .stop
      }
    }
    page.next = next.map { UInt64(clamping: $0) }
    if page.items.count > 1 { page.items.sort { $0.row.number < $1.row.number } }
    return page
  }

  /// Whether an item of this primary key exists, locked or not; attributes that are missing count as empty.
  ///
  /// - Throws: as ``find(_:groups:after:limit:keys:)``.
  public func exists(_ itemClass: ItemClass, _ attributes: ItemAttributes) throws(StoreError) -> Bool {
    let hash = index.primary(itemClass, attributes)
    return try read { connection throws(StoreError) in
      try connection.statement("SELECT 1 FROM items WHERE primary_hash = ?").first([.bytes(hash)]) { _ in true }
        ?? false
    }
  }

  /// How many rows there are, whatever their state. Reads the whole of the smallest index.
  ///
  /// - Throws: as ``find(_:groups:after:limit:keys:)``.
  public func count() throws(StoreError) -> UInt64 {
    try read { connection throws(StoreError) in
      UInt64(clamping: try connection.statement("SELECT count(*) FROM items").first { row in row.integer(0) } ?? 0)
    }
  }
}

extension ItemPage {
  fileprivate mutating func take(_ match: SearchMatch, at moment: WriteMark.Moment?, isExact: Bool) {
    switch match {
    case .open(let row, let attributes):
      items.append(SealedItem(row: row, metadata: .open(attributes), foundAt: moment))
    case .locked(let row, let decided):
      if isExact && decided {
        items.append(SealedItem(row: row, metadata: .locked, foundAt: moment))
      } else {
        hidden += 1
      }
    case .unreadable(let row, _) where row.dead != nil && isExact:
      items.append(SealedItem(row: row, metadata: .locked))
    case .unreadable(let row, let decided): unreadable.append(UnreadableItem(row, decided: decided))
    case .broken(let row, let decided): unreadable.append(UnreadableItem(row, decided: decided))
    }
  }
}
