internal import AccessPolicy
internal import KeychainModel
internal import SecretMemory

extension UserKeychain {
  /// Deletes every match, locked and damaged ones too. No proof but where an item's own rule wants one, or where only a
  /// certain value is to go.
  func delete(_ request: DeleteRequest, _ passage: inout Passage) throws(Refusal) -> Answer {
    let incoming = passage.incoming
    try requireContext(incoming)
    guard incoming.options.interaction != .skip else { throw Refusal(.invalidParameter, detail: "skip is for reads") }
    try QueryChecks.check(request.query)
    var items = try everyMatch(request.query, passage, locked: .certain)
    if let expected = try incoming.secret(request.onlyIfValue) {
      items = try holding(expected, items, request.query, &passage)
    }
    var targets: [ProofTarget] = []
    for item in items { targets.append(try target(item, .delete, query: request.query, verb: .delete)) }
    let deleted: Int
    do throws(Refusal) {
      let permits = try withGrants(targets, &passage) { (target, grant, _) throws(Refusal) in
        try store.permit(target.item, grant: grant)
      }
      deleted = try store.delete(items, permits: permits)
    } catch {
      for target in targets { log(target, "delete", passage, error) }
      throw error
    }
    for item in items { ports.cache.forgetItemKey(for: item.identifier) }
    for target in targets { log(target, "delete", passage, nil) }
    return Answer(.done(count: UInt32(clamping: deleted)))
  }

  /// Those of the items that hold this value. Telling is reading: it wants what a read wants.
  private func holding(
    _ expected: SecretBytes, _ items: [any StoredItem], _ query: ItemQuery, _ passage: inout Passage
  ) throws(Refusal) -> [any StoredItem] {
    var targets: [ProofTarget] = []
    for item in items where item.dead == nil && item.hasValue {
      targets.append(try target(item, .decrypt, query: query))
    }
    let password = try passage.incoming.secret(passage.incoming.options.applicationPassword)
    let held = try withGrants(targets, &passage) { (target, grant, passage) throws(Refusal) -> (any StoredItem)? in
      // What is of another length is not opened: a comparison needs no more memory than the request brought.
      guard target.item.valueBytes == expected.count else { return nil }
      let opened = try store.open(
        target.item, grant: grant, keys: passage.keys, itemKey: nil, applicationPassword: password)
      return opened.value?.equals(expected) == true ? target.item : nil
    }
    let matching = held.compactMap { $0 }
    guard !matching.isEmpty else { throw Refusal(.itemNotFound, detail: "no match holds this value") }
    return matching
  }
}
