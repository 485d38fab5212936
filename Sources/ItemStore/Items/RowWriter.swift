internal import KeychainModel
internal import SecretMemory

/// A row about to be written.
struct RowDraft {
  var identity: ItemIdentity
  var hashes: IndexHashes
  var synchronizable: Bool
  var generation: UInt32
  var created: Double
  var changed: Double
  var sealedMetadata: [UInt8]
}

/// Writes rows of `items` on the writing connection, inside one transaction.
final class RowWriter {
  let connection: Connection

  init(connection: Connection) { self.connection = connection }

  func insert(_ draft: RowDraft, _ parts: SealedParts) throws(StoreError) {
    try connection.statement(Self.insert).run(
      [.integer(draft.identity.identifier.rowNumber), .bytes(draft.identity.identifier.bytes)] + columns(draft)
        + keyColumns(parts) + [.optional(parts.value)])
  }

  /// Overwrites everything but identifier and, where `parts` is `nil`, the item key and the value.
  func update(_ number: Int64, _ draft: RowDraft, _ parts: SealedParts?) throws(StoreError) {
    guard let parts else {
      try connection.statement(Self.updateAttributes).run(columns(draft) + [.integer(number)])
      return
    }
    try connection.statement(Self.updateAll).run(
      columns(draft) + keyColumns(parts) + [.optional(parts.value), .integer(number)])
  }

  func delete(_ number: Int64) throws(StoreError) {
    try connection.statement("DELETE FROM items WHERE id = ?").run([.integer(number)])
  }

  func sealedValue(_ number: Int64) throws(StoreError) -> [UInt8]? {
    try connection.statement("SELECT sealed_value FROM items WHERE id = ?").first([.integer(number)]) { row in
      row.optionalBytes(0)
    } ?? nil
  }

  /// The number of the first of so many new rows: behind every row there is.
  func firstNumber(of count: Int) throws(StoreError) -> Int64 {
    let last = try connection.statement("SELECT max(id) FROM items").first { row in row.integer(0) } ?? 0
    guard last <= Int64.max - Int64(count) else { throw .damaged(.database) }
    return last + 1
  }

  func row(primaryHash: [UInt8]) throws(StoreError) -> StoredRow? {
    try connection.statement(ItemSearch.byPrimary[1]).first([.bytes(primaryHash), .integer(Int64.min)]) { row in
      StoredRow.read(row)
    }
  }

  func row(number: Int64) throws(StoreError) -> StoredRow? {
    try connection.statement(ItemSearch.byOwnNumber).first([.integer(number)]) { row in StoredRow.read(row) }
  }

  private func columns(_ draft: RowDraft) -> [SQLValue] {
    [
      .integer(Int64(draft.identity.itemClass.number)), .bytes(draft.hashes.primary),
      .bytes(draft.hashes.service), .bytes(draft.hashes.account), .bytes(draft.hashes.group),
      .integer(draft.synchronizable ? 1 : 0), .bytes(draft.identity.access), .optional(draft.identity.enrolment),
      .integer(Int64(draft.generation)), .real(draft.created), .real(draft.changed), .bytes(draft.sealedMetadata),
    ]
  }

  private func keyColumns(_ parts: SealedParts) -> [SQLValue] {
    [.null, .bytes(parts.wrappedKey), .optional(parts.stretching?.stored)]
  }

  private static let attributeColumns = """
    class, primary_hash, service_hash, account_hash, group_hash, synchronizable, access, enrolment, generation, \
    created, changed, sealed_metadata
    """
  private static let keyColumns = "dead, wrapped_key, stretching, sealed_value"
  private static let insert = """
    INSERT INTO items(id, identifier, \(attributeColumns), \(keyColumns)) \
    VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  private static let updateAttributes =
    "UPDATE items SET (\(attributeColumns)) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?"
  private static let updateAll = """
    UPDATE items SET (\(attributeColumns), \(keyColumns)) = \
    (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?
    """
}

extension ItemIdentifier {
  /// The row that bears this identifier, if any does: its upper half, so that looking it up needs no index.
  var rowNumber: Int64 { Int64(bitPattern: high) }

  /// A new identifier for a row: the number may have been another item's before, the lower half tells them apart.
  static func next(rowNumber: Int64) -> ItemIdentifier {
    ItemIdentifier(high: UInt64(bitPattern: rowNumber), low: .random(in: .min ... .max))
  }
}
