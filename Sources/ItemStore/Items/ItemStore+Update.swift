public import KeychainModel
internal import SecretMemory

extension ItemStore {
  /// Changes every match in one transaction, or none.
  ///
  /// The modification date becomes `now`, and is always later than it was; creation date and name for life stay. Rows that are
  /// damaged are passed over unless nothing else matches.
  ///
  /// - Parameters:
  ///   - query: which items.
  ///   - groups: as in ``find(_:groups:after:limit:keys:)``.
  ///   - change: what changes.
  ///   - permits: one for each protected match whose value, flags or name change.
  ///   - keys: the class keys at hand.
  ///   - now: seconds since 1970.
  /// - Returns: how many items changed; at least 1.
  /// - Throws: `.itemNotFound`, `.duplicateItem` (a new name that exists), `.locked` (also where a locked row might match),
  ///   `.permitRequired`, `.grantMismatch`, `.changedMeanwhile`, `.dead`, `.rowDamaged`, `.applicationPasswordRequired`,
  ///   `.applicationPasswordWrong`, `.attributeRefused`, `.attributesTooLarge`, `.valueTooLarge`, `.passcodeNotBound`,
  ///   `.queryInvalid`, `.diskFull`, `.ioFailed`, `.damaged`, `.busy`, `.outOfMemory`.
  public func update(
    _ query: ItemQuery, groups: [ExactText]? = nil, change: ItemChange, permits: [ChangePermit] = [],
    keys: any ClassKeySource, now: Double
  ) throws(StoreError) -> Int {
    try check(change)
    let search = try ItemSearch(query, groups: groups, index: index)
    return try write { connection throws(StoreError) in
      let keys = CallKeys(keys, keybag)
      let rowChange = RowChange(
        change: change, permits: Dictionary(permits.map { ($0.item, $0) }) { $1 }, keys: keys, index: index, now: now)
      let writer = RowWriter(connection: connection)
      var tally = UpdateTally()
      try search.forEachPage(on: connection, keys: keys) { matches throws(StoreError) in
        for match in matches { try tally.count(match, rowChange, writer) }
      }
      return try tally.outcome()
    }
  }

  func check(_ change: ItemChange) throws(StoreError) {
    guard (change.value?.count ?? 0) <= ItemLimits.valueBytes else { throw .valueTooLarge }
    for entry in change.attributes.entries where ItemAttributes.kept.contains(entry.key) {
      throw .attributeRefused(entry.key)
    }
    if case .accessControl(let new)? = change.access { try new.checkEncoding() }
  }
}

/// Counts what an update met.
private struct UpdateTally {
  var changed = 0
  var damaged: ItemIdentifier?

  mutating func count(_ match: SearchMatch, _ change: RowChange, _ writer: RowWriter) throws(StoreError) {
    switch match {
    case .open(let row, let attributes):
      try change.apply(to: row, attributes: attributes, writer)
      changed += 1
    case .locked(let row, _): throw .locked(row.protection)
    case .unreadable(let row, decided: true): damaged = row.identifier
    case .broken(let row, decided: true): damaged = row.reportedIdentifier
    case .unreadable, .broken: break
    }
  }

  func outcome() throws(StoreError) -> Int {
    if changed > 0 { return changed }
    if let damaged { throw .rowDamaged(damaged) }
    throw .itemNotFound
  }
}

extension ItemSearch {
  /// Hands over the matches in groups, with no statement open, so that `body` may write.
  func forEachPage(
    on connection: Connection, keys: CallKeys, _ body: ([SearchMatch]) throws(StoreError) -> Void
  ) throws(StoreError) {
    var after: Int64? = 0
    while let from = after {
      var matches: [SearchMatch] = []
      after = try run(on: connection, after: from, keys: keys) { match in
        matches.append(match)
        return matches.count < Self.rowsPerPage ? .next : .stop
      }
      try body(matches)
    }
  }

  /// Matches kept in memory at a time.
  private static let rowsPerPage = 256
}
