internal import AccessPolicy
internal import KeychainModel
internal import SecretMemory

extension UserKeychain {
  /// Changes every match or none. Value, flags and name of a protected item want its proof; label edits do not.
  func update(_ request: UpdateRequest, _ passage: inout Passage) throws(Refusal) -> Answer {
    let incoming = passage.incoming
    try requireContext(incoming)
    guard incoming.options.interaction != .skip else { throw Refusal(.invalidParameter, detail: "skip is for reads") }
    try QueryChecks.check(request.query)
    let change = try itemChange(request, incoming)
    let items = try everyMatch(request.query, passage)
    try apply(change, to: items, query: request.query, &passage)
    return Answer(.done(count: UInt32(clamping: items.count)))
  }

  private func itemChange(_ request: UpdateRequest, _ incoming: IncomingRequest) throws(Refusal) -> ItemChange {
    if let itemClass = request.query.itemClass { try QueryChecks.check(request.changes, of: itemClass) }
    try QueryChecks.checkWritable(request.changes)
    guard
      !request.changes.isEmpty || !request.removals.isEmpty || request.value != nil || request.access != nil
    else { throw Refusal(.invalidParameter, detail: "the change is empty") }
    var change = ItemChange(attributes: request.changes, removals: request.removals)
    change.creationDate = request.changes.date(.creationDate)
    change.attributes[.creationDate] = nil
    change.value = try incoming.secret(request.value)
    if let value = change.value, value.count > ItemLimits.valueBytes { throw Refusal(.valueTooLarge) }
    if request.changes[.accessGroup] != nil { _ = try visibleGroups(request.changes, incoming) }
    change.access = request.access
    if case .accessControl(let new)? = request.access {
      change.boundEnrolment = try boundEnrolment(for: new, incoming.peer)
    }
    change.applicationPassword = try incoming.secret(incoming.options.applicationPassword)
    return change
  }

  /// Every match of a query, all pages of it. Throws `itemNotFound`, or why matches are hidden: none is left out silently.
  func everyMatch(
    _ query: ItemQuery, _ passage: Passage, locked: PageRequest.LockedMatches = .named
  ) throws(Refusal) -> [any StoredItem] {
    var query = query
    query.limit = .all
    let groups = try visibleGroups(query.attributes, passage.incoming)
    var items: [any StoredItem] = []
    var hidden = 0
    var after: UInt64?
    repeat {
      let page = try store.find(
        query, groups: groups, page: PageRequest(after: after, limit: PageBounds.items, locked: locked),
        keys: passage.keys)
      items += page.items
      hidden += page.hidden
      after = page.next
    } while after != nil
    if hidden > 0 { throw Refusal(lockedReason(.whenUnlocked, try keybagState(passage.keys))) }
    guard !items.isEmpty else { throw Refusal(.itemNotFound) }
    return items
  }

  /// Applies a change once everything it touches is allowed.
  func apply(
    _ change: ItemChange, to items: [any StoredItem], query: ItemQuery, _ passage: inout Passage
  ) throws(Refusal) {
    var targets: [ProofTarget] = []
    for item in items {
      if let dead = item.dead { throw Refusal(dead) }
      try requireTwin(change, item)
      try requireMove(change, item, query: query, passage)
      guard change.touchesProtection(of: item.itemClass) else { continue }
      targets.append(try target(item, .decrypt, query: query, verb: .change))
    }
    do throws(Refusal) {
      let permits = try withGrants(targets, &passage) { (target, grant, _) throws(Refusal) in
        try store.permit(target.item, grant: grant)
      }
      for item in items {
        guard let access = change.access?.applied(to: item.accessControl) else { break }
        try requireClass(access.accessibility.protectionClass, passage.keys)
      }
      try store.update(items, change: change, permits: permits, keys: passage.keys)
    } catch {
      for target in targets { log(target, "update", passage, error) }
      throw error
    }
    if change.value != nil || change.access != nil {
      for item in items { ports.cache.forgetItemKey(for: item.identifier) }
    }
    for target in targets { log(target, "update", passage, nil) }
  }

  /// An item that goes to another service is added there: the policy of that service has to let the program do so.
  private func requireMove(
    _ change: ItemChange, _ item: any StoredItem, query: ItemQuery, _ passage: Passage
  ) throws(Refusal) {
    let keys: [AttributeKey] = [.service, .server]
    guard keys.contains(where: { change.attributes[$0] != nil || change.removals.contains($0) }) else { return }
    let before = item.attributes ?? query.attributes
    var after = before
    for key in keys {
      if change.removals.contains(key) { after[key] = nil }
      if let new = change.attributes[key] { after[key] = new }
    }
    let service = after.text(.service) ?? after.text(.server) ?? ExactText(bytes: [])
    guard service != before.text(.service) ?? before.text(.server) ?? ExactText(bytes: []) else { return }
    try requireAdding(
      to: service, change.access?.applied(to: item.accessControl) ?? item.accessControl,
      boundTo: change.boundEnrolment ?? item.boundEnrolment, passage)
  }

  /// What an item is to become must be fit to be synchronised, where it is.
  private func requireTwin(_ change: ItemChange, _ item: any StoredItem) throws(Refusal) {
    guard change.access != nil || change.attributes[.synchronizable] != nil else { return }
    var attributes = item.attributes ?? ItemAttributes()
    if let twin = change.attributes[.synchronizable] { attributes[.synchronizable] = twin }
    try QueryChecks.checkTwin(attributes, change.access?.applied(to: item.accessControl) ?? item.accessControl)
  }
}
