internal import KeychainModel
internal import SecretMemory

/// One change, applied to rows inside a transaction.
struct RowChange {
  let change: ItemChange
  let permits: [ItemIdentifier: ChangePermit]
  let keys: CallKeys
  let index: Index
  let now: Double

  /// Rewrites a row. `attributes` are the open ones, or `nil` to open them here.
  ///
  /// Label edits touch the metadata alone. A new value, new flags or a new name seal the value anew under a new item key, and
  /// want a permit where the item is protected.
  func apply(to row: ItemRow, attributes: ItemAttributes?, _ writer: RowWriter) throws(StoreError) {
    let old: ItemAttributes
    if let attributes { old = attributes } else { old = try open(row) }
    let new = try merged(old, row.itemClass)
    let accessControl = change.access?.applied(to: row.accessControl) ?? row.accessControl
    let hashes = index.hashes(row.itemClass, new)
    var identity = row.identity
    identity.primaryHash = hashes.primary
    identity.access = accessControl.encoded
    if case .accessControl? = change.access { identity.enrolment = change.boundEnrolment }
    let protection = accessControl.accessibility.protectionClass
    let parts = try resealed(row, as: identity, accessControl, writer)
    let changed = max(now, row.changed.nextUp)
    let created = change.creationDate ?? row.created
    let metadata = try ItemSealing(identity: identity).sealMetadata(
      new, classKey: keys.current(protection, .metadata), created: created, changed: changed)
    let draft = RowDraft(
      identity: identity, hashes: hashes, synchronizable: new.isSynchronizable, generation: keys.generation,
      created: created, changed: changed, sealedMetadata: metadata)
    try writer.update(row.number, draft, parts)
  }

  private func open(_ row: ItemRow) throws(StoreError) -> ItemAttributes {
    switch try keys.metadata(of: row) {
    case .open(let attributes): return attributes
    case .locked: throw .locked(row.protection)
    case .damaged: throw .rowDamaged(row.identifier)
    }
  }

  private func merged(_ old: ItemAttributes, _ itemClass: ItemClass) throws(StoreError) -> ItemAttributes {
    var values = old.values.merging(change.attributes.values) { $1 }
    for key in change.removals { values[key] = nil }
    for key in ItemAttributes.kept where change.attributes[key] == nil { values[key] = nil }
    return try ItemAttributes(values).checked(for: itemClass)
  }

  /// The new item key and value, or `nil` where both stay as they are.
  private func resealed(
    _ row: ItemRow, as identity: ItemIdentity, _ accessControl: AccessControl, _ writer: RowWriter
  ) throws(StoreError) -> SealedParts? {
    guard change.value != nil || identity != row.identity else { return nil }
    try checkPermit(row)
    let opener = ValueOpener(row: row, sealedValue: try writer.sealedValue(row.number), keys: keys)
    var value = change.value
    if value == nil || row.accessControl.needsApplicationPassword {
      let opened = try opener.open(change.applicationPassword)
      value = value ?? opened.value
    } else if let cause = row.dead {
      throw .dead(cause)
    }
    let classKey = try keys.current(accessControl.accessibility.protectionClass, .values)
    return try ItemSealing(identity: identity).seal(value: value, classKey: classKey, password: password(accessControl))
  }

  private func password(_ accessControl: AccessControl) throws(StoreError) -> PasswordKey? {
    guard accessControl.needsApplicationPassword else { return nil }
    guard let password = change.applicationPassword else { throw .applicationPasswordRequired }
    return try PasswordKey(password, .fresh())
  }

  private func checkPermit(_ row: ItemRow) throws(StoreError) {
    guard row.accessControl.isProtected else { return }
    guard let permit = permits[row.identifier] else { throw .permitRequired(row.identifier) }
    guard permit.operation == .decrypt || permit.operation == .encrypt else { throw .grantMismatch }
    guard permit.access == row.access else { throw .changedMeanwhile }
  }
}
