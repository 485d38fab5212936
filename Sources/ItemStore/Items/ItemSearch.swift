internal import KeychainModel

/// How a search relates to one row.
enum SearchMatch {
  /// The attributes are open and match.
  case open(ItemRow, ItemAttributes)
  /// The attributes are locked; `decided` where the hashes alone say that the row matches.
  case locked(ItemRow, decided: Bool)
  /// The row cannot be read; `decided` as above.
  case unreadable(ItemRow, decided: Bool)
  /// Not even the columns can be read; `decided` as above.
  case broken(BrokenRow, decided: Bool)
}

/// A query, ready to run: which index finds the candidates, and what each row must still pass.
struct ItemSearch {
  /// Which rows are looked at.
  enum Plan: Equatable {
    case identifier(ItemIdentifier)
    case primary([[UInt8]])
    case name([UInt8])
    case service([UInt8])
    case account([UInt8])
    case everything
  }

  let query: ItemQuery
  let plan: Plan
  private let serviceHash: [UInt8]?
  private let accountHash: [UInt8]?
  private let groups: Set<[UInt8]>?

  /// Groups beyond this many are not tried one by one.
  private static let probedGroups = 8
  /// Rows one call looks at before it answers a page, full or not.
  static let rowsPerCall = 2048

  /// Prepares a query.
  ///
  /// - Throws: `.queryInvalid`.
  init(_ query: ItemQuery, groups: [ExactText]?, index: Index) throws(StoreError) {
    guard query.identifier == nil || query.attributes.isEmpty else { throw .queryInvalid }
    self.query = query
    let asked = query.attributes[.accessGroup].map { [$0.matchingBytes] }
    let wanted = Self.common(asked, groups?.map(\.bytes))
    if query.identifier == nil, query.itemClass == nil { throw .queryInvalid }
    if let itemClass = query.itemClass, let hashes = Self.primaryHashes(query, itemClass, wanted, index) {
      // A primary hash covers group, service and account: there is nothing left to compare.
      self.groups = nil
      serviceHash = nil
      accountHash = nil
      plan = .primary(hashes)
      return
    }
    self.groups = wanted.map { Set($0.map(index.group)) }
    let attributes = query.attributes
    guard query.identifier == nil, let itemClass = query.itemClass else {
      serviceHash = nil
      accountHash = nil
      plan = query.identifier.map(Plan.identifier) ?? .everything
      return
    }
    serviceHash = attributes[itemClass.serviceAttribute].map { index.service(itemClass, $0.matchingBytes) }
    accountHash = attributes[.account].map { index.account(itemClass, $0.matchingBytes) }
    plan = Self.namePlan(query, itemClass, index) ?? Self.plan(serviceHash, accountHash)
  }

  /// Whether the query names one item (but for its group and twin), so that a locked one is shown as locked.
  var isExact: Bool {
    switch plan {
    case .identifier, .primary: true
    case .name: query.itemClass == .genericPassword
    case .service, .account, .everything: false
    }
  }

  /// Looks at the rows behind `after`, at most ``rowsPerCall``, until `visit` says stop; answers where to go on.
  func run(
    on connection: Connection, after: Int64, keys: CallKeys,
    _ visit: (SearchMatch) throws(StoreError) -> RowStep
  ) throws(StoreError) -> Int64? {
    var seen = 0
    var last = after
    var goOn = false
    for (sql, values) in statements(after: after) {
      try connection.statement(sql).forEach(values) { row throws(StoreError) in
        let stored = StoredRow.read(row)
        let number = row.integer(0)
        if let match = try judge(stored, keys), try visit(match) == .stop { goOn = true }
        last = number
        seen += 1
        if seen >= Self.rowsPerCall { goOn = true }
        return goOn ? .stop : .next
      }
    }
    return goOn && !isPoint ? last : nil
  }

  private var isPoint: Bool {
    switch plan {
    case .identifier, .primary: true
    default: false
    }
  }

  // MARK: Judging a row

  private func judge(_ stored: StoredRow, _ keys: CallKeys) throws(StoreError) -> SearchMatch? {
    let row: ItemRow
    switch stored {
    case .broken(let broken):
      return matches(broken.hashes) ? .broken(broken, decided: isNarrow && isDecidedByHashes) : nil
    case .whole(let whole): row = whole
    }
    guard matchesColumns(row) else { return nil }
    switch try keys.metadata(of: row) {
    case .open(let attributes): return matches(attributes) ? .open(row, attributes) : nil
    case .locked where row.dead != nil: return .unreadable(row, decided: isDecidedByHashes)
    case .locked: return .locked(row, decided: isDecidedByHashes)
    case .damaged: return .unreadable(row, decided: isDecidedByHashes)
    }
  }

  private var isNarrow: Bool { plan != .everything }

  private func matches(_ hashes: IndexHashes) -> Bool {
    (serviceHash.map { $0 == hashes.service } ?? true) && (accountHash.map { $0 == hashes.account } ?? true)
      && (groups?.contains(hashes.group) ?? true)
  }

  private func matchesColumns(_ row: ItemRow) -> Bool {
    guard matches(row.hashes), query.itemClass.map({ $0 == row.itemClass }) ?? true else { return false }
    if query.identifier != nil { return true }
    switch query.twin {
    case .local where row.synchronizable, .synchronized where !row.synchronizable: return false
    default: break
    }
    guard let wanted = query.attributes[.accessible] else { return true }
    return wanted.matchingBytes == Array(row.accessControl.accessibility.rawValue.utf8)
  }

  private func matches(_ attributes: ItemAttributes) -> Bool {
    query.attributes.entries.allSatisfy { entry in
      let (key, wanted) = (entry.key, entry.value)
      if key == .accessible || key == .accessControl { return true }
      if let value = attributes[key] { return value.matches(wanted) }
      let isKeyPart = query.itemClass?.primaryKey.contains(key) ?? false
      return isKeyPart && attributes.hashedBytes(key) == wanted.matchingBytes
    }
  }

  private var isDecidedByHashes: Bool {
    switch plan {
    case .identifier: return true
    case .primary: return query.attributes.entries.allSatisfy { decidable.contains($0.key) || isKeyPart($0.key) }
    default: return query.attributes.entries.allSatisfy { decidable.contains($0.key) }
    }
  }

  private func isKeyPart(_ key: AttributeKey) -> Bool { query.itemClass?.primaryKey.contains(key) ?? false }

  private var decidable: Set<AttributeKey> {
    var keys: Set<AttributeKey> = [.account, .accessGroup, .accessible, .synchronizable]
    if let itemClass = query.itemClass { keys.insert(itemClass.serviceAttribute) }
    return keys
  }

  // MARK: Choosing an index

  private static func namePlan(_ query: ItemQuery, _ itemClass: ItemClass, _ index: Index) -> Plan? {
    let attributes = query.attributes
    guard itemClass.hasName, let service = attributes[itemClass.serviceAttribute], let account = attributes[.account]
    else { return nil }
    return .name(index.name(itemClass, service: service.matchingBytes, account: account.matchingBytes))
  }

  private static func plan(_ service: [UInt8]?, _ account: [UInt8]?) -> Plan {
    if let service { return .service(service) }
    if let account { return .account(account) }
    return .everything
  }

  /// The hash of each item that the query names, or `nil` where it does not name all of the primary key.
  private static func primaryHashes(
    _ query: ItemQuery, _ itemClass: ItemClass, _ groups: [[UInt8]]?, _ index: Index
  ) -> [[UInt8]]? {
    guard query.identifier == nil, let groups, groups.count <= probedGroups else { return nil }
    let keys = itemClass.primaryKey
    for key in keys where key != .accessGroup && key != .synchronizable && query.attributes[key] == nil { return nil }
    let twins: [Int64] =
      switch query.twin {
      case .local: [0]
      case .synchronized: [1]
      case .any: [0, 1]
      }
    var hashes: [[UInt8]] = []
    for group in groups {
      for twin in twins {
        hashes.append(
          index.primary(itemClass, query.attributes, group: group, twin: AttributeValue.number(twin).matchingBytes))
      }
    }
    return hashes
  }

  private static func common(_ asked: [[UInt8]]?, _ held: [[UInt8]]?) -> [[UInt8]]? {
    guard let asked else { return held }
    guard let held else { return asked }
    return asked.filter(held.contains)
  }

  private func statements(after: Int64) -> [(String, [SQLValue])] {
    switch plan {
    case .identifier(let identifier):
      [(Self.byIdentifier, [.integer(identifier.rowNumber), .bytes(identifier.bytes), .integer(after)])]
    case .primary(let hashes):
      [(Self.byPrimary[hashes.count], hashes.map(SQLValue.bytes) + [.integer(after)])]
    case .name(let hash):
      [(Self.byName, [.bytes(hash), .bytes(hash + [UInt8](repeating: 0xff, count: 16)), .integer(after)])]
    case .service(let hash): [(Self.byService, [.bytes(hash), .integer(after)])]
    case .account(let hash): [(Self.byAccount, [.bytes(hash), .integer(after)])]
    case .everything: [(Self.byNumber, [.integer(after)])]
    }
  }

  private static let byIdentifier = selectOne("id = ? AND identifier = ? AND id > ?")
  /// One look for all hashes a query may name: the one of 0 finds nothing.
  static let byPrimary = (0...2 * probedGroups).map { count in
    selectOne("primary_hash IN (\(Array(repeating: "?", count: count).joined(separator: ", "))) AND +id > ?")
  }
  /// A name is the first half of the primary hash. The plus keeps SQLite from walking all rows in the order asked for.
  private static let byName = select("primary_hash BETWEEN ? AND ? AND +id > ? ORDER BY +id")
  private static let byService = select("service_hash = ? AND id > ? ORDER BY id")
  private static let byAccount = select("account_hash = ? AND id > ? ORDER BY id")
  static let byOwnNumber = select("id = ?")
  static let byNumber = select("id > ? ORDER BY id")

  private static func select(_ condition: String) -> String {
    "SELECT \(ItemRow.columns) FROM items WHERE \(condition)"
  }

  /// With the value: who names an item wants it opened as a rule.
  private static func selectOne(_ condition: String) -> String {
    "SELECT \(ItemRow.columnsWithBriefValue) FROM items WHERE \(condition)"
  }
}
