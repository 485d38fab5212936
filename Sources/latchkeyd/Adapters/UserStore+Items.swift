internal import AccessPolicy
internal import ItemStore
internal import KeychainModel
internal import KeychainService
internal import SecretMemory

extension UserStore {
  /// Calls of the store that one page may take: each looks at 2,048 rows at most. A page that found nothing by then says where
  /// to go on.
  private static let callsPerPage = 16

  func find(
    _ query: ItemQuery, groups: [ExactText], page: PageRequest, keys: any KeychainService.ClassKeySource
  ) throws(Refusal) -> StoredPage {
    var query = query
    // Which twin is meant stands in `twin`.
    if query.attributes[.synchronizable] != nil { query.attributes[.synchronizable] = nil }
    let asked = query
    let keys = RequestStoreKeys(source: keys)
    var found = StoredPage(items: [], hidden: 0, next: page.after ?? 0)
    for _ in 0..<Self.callsPerPage {
      guard let after = found.next, found.items.isEmpty else { break }
      let part = try call { store throws(StoreError) in
        try store.find(
          asked, groups: groups, after: after, limit: page.limit, keys: keys, showsLocked: page.locked == .certain)
      }
      found.take(part, asked: query.itemClass, limit: page.limit)
    }
    return found
  }

  func existing(
    _ itemClass: ItemClass, attributes: ItemAttributes, keys: any KeychainService.ClassKeySource
  ) throws(Refusal) -> (any StoredItem)? {
    try call { store throws(StoreError) in
      try store.item(itemClass, named: attributes, keys: RequestStoreKeys(source: keys))
    }.map(UserItem.init)
  }

  func open(
    _ found: any StoredItem, grant: consuming Grant, keys: any KeychainService.ClassKeySource, itemKey: SecretBytes?,
    applicationPassword: SecretBytes?
  ) throws(Refusal) -> KeychainService.OpenedItem {
    let item = try UserItem.own(found)
    guard let sealed = item.sealed else { throw Refusal(item.dead ?? .rowDamaged) }
    do throws(StoreError) {
      let opened = try store.open(
        sealed, grant: grant, keys: RequestStoreKeys(source: keys), cachedKey: itemKey,
        applicationPassword: applicationPassword)
      return KeychainService.OpenedItem(value: opened.value, itemKey: opened.itemKey)
    } catch .itemNotFound {
      // It was there when the search ran: search again.
      throw Refusal(.itemChanged)
    } catch {
      throw Refusal(error, at: store.location.file)
    }
  }

  func add(_ item: KeychainService.NewItem, keys: any KeychainService.ClassKeySource) throws(Refusal) -> any StoredItem
  {
    var new = StoreNewItem(
      itemClass: item.itemClass, attributes: item.attributes, accessControl: item.accessControl, value: item.value)
    new.boundEnrolment = item.boundEnrolment
    new.applicationPassword = item.applicationPassword
    let adding = new
    let keys = RequestStoreKeys(source: keys)
    let found = try call { store throws(StoreError) in
      let added = try store.add(adding, keys: keys, now: wallSeconds)
      return try store.find(ItemQuery(itemClass: nil, identifier: added.identifier), limit: 1, keys: keys).items.first
    }
    guard let found else { throw Refusal(.itemNotFound, detail: "another program deleted it at once") }
    return UserItem(found)
  }

  func permit(_ item: any StoredItem, grant: consuming Grant) throws(Refusal) -> any ItemPermit {
    guard let sealed = try UserItem.own(item).sealed else { return UserPermit(change: nil) }
    do throws(StoreError) {
      return UserPermit(change: try store.permit(sealed, grant: grant))
    } catch {
      throw Refusal(error, at: store.location.file)
    }
  }

  func update(
    _ found: [any StoredItem], change: KeychainService.ItemChange, permits: [any ItemPermit],
    keys: any KeychainService.ClassKeySource
  ) throws(Refusal) {
    let items = try UserItem.own(found)
    for item in items where item.sealed == nil { throw Refusal(item.dead ?? .rowDamaged) }
    var wanted = StoreItemChange()
    wanted.attributes = change.attributes
    wanted.removals = change.removals
    wanted.creationDate = change.creationDate
    wanted.access = change.access
    wanted.boundEnrolment = change.boundEnrolment
    wanted.value = change.value
    wanted.applicationPassword = change.applicationPassword
    let changing = wanted
    try call { store throws(StoreError) in
      try store.update(
        items.compactMap(\.sealed), change: changing, permits: UserPermit.changes(permits),
        keys: RequestStoreKeys(source: keys), now: wallSeconds)
    }
  }

  func delete(_ found: [any StoredItem], permits: [any ItemPermit]) throws(Refusal) -> Int {
    let rows = try UserItem.own(found).map(\.row)
    return try call { store throws(StoreError) in
      try store.delete(rows, permits: UserPermit.changes(permits))
    }
  }

  func invalidate(_ item: any StoredItem, reason: Reason) throws(Refusal) {
    let item = try UserItem.own(item)
    guard let cause = DeadCause.allCases.first(where: { $0.reason == reason }) else { throw Refusal(.internalFailure) }
    try call { store throws(StoreError) in try store.invalidate(item.identifier, cause) }
  }

  func count() throws(Refusal) -> UInt64 { try call { store throws(StoreError) in try store.count() } }
}

extension StoredPage {
  /// Adds what one call of the store found. Rows that cannot be read stand among the others, in the same order.
  fileprivate mutating func take(_ part: ItemPage, asked: ItemClass?, limit: Int) {
    items = part.items.map(UserItem.init)
    hidden += part.hidden
    next = part.next
    guard !part.unreadable.isEmpty else { return }
    items += part.unreadable.compactMap { UserItem($0, asked: asked) }
    items.sort { $0.cursor < $1.cursor }
    guard items.count > limit else { return }
    items.removeSubrange(limit...)
    next = items.last?.cursor
  }
}
