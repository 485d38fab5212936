public import KeychainModel
public import SecretMemory

extension ItemStore {
  /// Deletes every match in one transaction, or none. Works while locked, and on rows that cannot be read.
  ///
  /// A row whose attributes are locked is deleted where class, service, account, group and accessibility alone decide that it
  /// matches; where they do not, the answer is `.locked` and nothing is deleted.
  ///
  /// - Parameters:
  ///   - query: which items.
  ///   - groups: as in ``find(_:groups:after:limit:keys:)``.
  ///   - condition: delete only where the value is this one; `nil` deletes by name.
  ///   - permits: one made from a `delete` grant for each match whose access control constrains deletion, and one made from a
  ///     `decrypt` grant for each protected match where there is a condition.
  ///   - keys: the class keys at hand.
  /// - Returns: how many items were deleted; at least 1.
  /// - Throws: `.itemNotFound` (nothing matched, or no value was this one), `.locked`, `.permitRequired`, `.changedMeanwhile`,
  ///   `.applicationPasswordRequired`, `.applicationPasswordWrong`, `.queryInvalid`, `.diskFull`, `.ioFailed`, `.damaged`,
  ///   `.busy`, `.outOfMemory`.
  public func delete(
    _ query: ItemQuery, groups: [ExactText]? = nil, onlyIf condition: DeleteCondition? = nil,
    permits: [ChangePermit] = [], keys: any ClassKeySource
  ) throws(StoreError) -> Int {
    let search = try ItemSearch(query, groups: groups, index: index)
    let deleted = try write { connection throws(StoreError) in
      let keys = CallKeys(keys, keybag)
      let deletion = Deletion(
        condition: condition, permits: permits, keys: keys, writer: RowWriter(connection: connection))
      var deleted = 0
      try search.forEachPage(on: connection, keys: keys) { matches throws(StoreError) in
        for match in matches where try deletion.delete(match) == .deleted { deleted += 1 }
      }
      return deleted
    }
    guard deleted > 0 else { throw .itemNotFound }
    return deleted
  }
}

/// What a value must be for its item to be deleted.
public struct DeleteCondition: Sendable {
  /// The value.
  public var value: SecretBytes
  /// The application password of the matches, where they have one.
  public var applicationPassword: SecretBytes?
  /// Names a value.
  public init(value: SecretBytes, applicationPassword: SecretBytes? = nil) {
    self.value = value
    self.applicationPassword = applicationPassword
  }
}

/// One deletion, applied to matches inside a transaction.
private struct Deletion {
  enum Outcome { case deleted, passedOver }

  let condition: DeleteCondition?
  let permits: [ChangePermit]
  let keys: CallKeys
  let writer: RowWriter

  func delete(_ match: SearchMatch) throws(StoreError) -> Outcome {
    switch match {
    case .open(let row, _): return try delete(row)
    case .locked(let row, let decided):
      guard decided, condition == nil else { throw .locked(row.protection) }
      return try delete(row)
    case .unreadable(let row, let decided):
      guard decided, condition == nil else { return .passedOver }
      return try delete(row)
    case .broken(let row, let decided):
      guard decided, condition == nil else { return .passedOver }
      try writer.delete(row.number)
      return .deleted
    }
  }

  private func delete(_ row: ItemRow) throws(StoreError) -> Outcome {
    switch row.accessControl.rule(for: .delete) {
    case .allowed: break
    case .constrained, .denied: try check(row, [.delete])
    }
    if let condition {
      if row.accessControl.isProtected { try check(row, [.decrypt]) }
      guard try holds(condition, row) else { return .passedOver }
    }
    try writer.delete(row.number)
    return .deleted
  }

  private func check(_ row: ItemRow, _ operations: Set<ItemOperation>) throws(StoreError) {
    guard let permit = permits.first(where: { $0.item == row.identifier && operations.contains($0.operation) }) else {
      throw .permitRequired(row.identifier)
    }
    guard permit.access == row.access else { throw .changedMeanwhile }
  }

  private func holds(_ condition: DeleteCondition, _ row: ItemRow) throws(StoreError) -> Bool {
    let opener = ValueOpener(row: row, sealedValue: try writer.sealedValue(row.number), keys: keys)
    return try opener.open(condition.applicationPassword).value?.equals(condition.value) ?? false
  }
}
