internal import KeychainModel
internal import SecretMemory

/// One row of `items`. A reference: what was found is handed on from layer to layer.
final class ItemRow: Sendable {
  let number: Int64
  let identifier: ItemIdentifier
  let itemClass: ItemClass
  let hashes: IndexHashes
  let synchronizable: Bool
  let accessControl: AccessControl
  let access: [UInt8]
  let enrolment: [UInt8]?
  let generation: Int64
  let created: Double
  let changed: Double
  let dead: DeadCause?
  let wrappedKey: [UInt8]?
  let stretching: StretchingParameters?
  let sealedMetadata: [UInt8]
  /// How long the sealed value is; `nil` where there is none.
  let sealedValueBytes: Int?
  /// The sealed value, where the statement fetched it.
  let sealedValue: [UInt8]?

  /// Takes the columns that can hold anything; the others were checked.
  fileprivate init(
    _ row: borrowing Row, _ identifier: ItemIdentifier, _ itemClass: ItemClass, _ hashes: IndexHashes,
    _ access: [UInt8], _ accessControl: AccessControl
  ) {
    number = row.integer(0)
    self.identifier = identifier
    self.itemClass = itemClass
    self.hashes = hashes
    synchronizable = row.integer(7) != 0
    self.accessControl = accessControl
    self.access = access
    enrolment = row.optionalBytes(9)
    generation = row.integer(10)
    created = row.real(11)
    changed = row.real(12)
    dead = row.isNull(13) ? nil : DeadCause(rawValue: UInt8(clamping: row.integer(13)))
    wrappedKey = row.optionalBytes(14)
    stretching = row.optionalBytes(15).flatMap(StretchingParameters.init(stored:))
    sealedMetadata = row.bytes(16)
    sealedValueBytes = row.isNull(17) ? nil : Int(row.integer(17))
    sealedValue = row.optionalBytes(18)
  }

  /// Longest sealed value that a look-up of one item fetches along with its row, in bytes: longer ones may lie on pages of
  /// their own.
  static let briefValueBytes = 1024

  /// The columns in the order ``StoredRow/read(_:)`` takes them, before the value.
  private static let fixedColumns = """
    id, identifier, class, primary_hash, service_hash, account_hash, group_hash, synchronizable, access, enrolment, \
    generation, created, changed, dead, wrapped_key, stretching, sealed_metadata, length(sealed_value)
    """
  /// All columns without the value.
  static let columns = "\(fixedColumns), NULL"
  /// All columns, with the value where it is brief.
  static let columnsWithBriefValue =
    "\(fixedColumns), CASE WHEN length(sealed_value) <= \(briefValueBytes) THEN sealed_value END"
  /// All columns, with the value.
  static let columnsWithValue = "\(fixedColumns), sealed_value"

  /// The identity that everything sealed in the row is tied to.
  var identity: ItemIdentity {
    ItemIdentity(
      identifier: identifier, itemClass: itemClass, primaryHash: hashes.primary, access: access, enrolment: enrolment)
  }

  var protection: ProtectionClass { accessControl.accessibility.protectionClass }
}

/// A row as it came from the file: readable, or not.
enum StoredRow {
  case whole(ItemRow)
  /// A column holds what no version wrote; the row can still be deleted.
  case broken(BrokenRow)

  static func read(_ row: borrowing Row) -> StoredRow {
    let hashes = IndexHashes(
      primary: row.bytes(3), service: row.bytes(4), account: row.bytes(5), group: row.bytes(6))
    let access = row.bytes(8)
    guard let identifier = ItemIdentifier(bytes: row.bytes(1)),
      let itemClass = ItemClass(number: UInt8(clamping: row.integer(2))), hashes.primary.count == 32,
      let accessControl = AccessControl(encoded: access)
    else { return .broken(BrokenRow(number: row.integer(0), identifier: row.bytes(1), hashes: hashes)) }
    return .whole(ItemRow(row, identifier, itemClass, hashes, access, accessControl))
  }
}

/// What is left of a row that cannot be read.
struct BrokenRow: Sendable {
  let number: Int64
  let identifier: [UInt8]
  let hashes: IndexHashes

  /// The name it is reported by; zeros where that is broken as well.
  var reportedIdentifier: ItemIdentifier { ItemIdentifier(bytes: identifier) ?? ItemIdentifier(high: 0, low: 0) }
}

/// What a row's sealed parts are tied to by associated data.
struct ItemIdentity: Equatable, Sendable {
  var identifier: ItemIdentifier
  var itemClass: ItemClass
  var primaryHash: [UInt8]
  var access: [UInt8]
  var enrolment: [UInt8]?

  /// Which of the sealed parts.
  enum Part: UInt8 {
    case wrappedKey = 1
    case value = 2
    case passwordWrap = 3
    case metadata = 4
  }

  /// label and format | part (1) | identifier (16) | class (1) | primary hash (32) | access, enrolment behind their lengths.
  func associatedData(_ part: Part) -> [UInt8] {
    var writer = ByteWriter()
    write(part, to: &writer)
    return writer.bytes
  }

  private func write(_ part: Part, to writer: inout ByteWriter) {
    writer.raw(Self.label)
    writer.byte(part.rawValue)
    // Big-endian, as the identifier's own bytes.
    writer.fixed(identifier.high.byteSwapped)
    writer.fixed(identifier.low.byteSwapped)
    writer.byte(itemClass.number)
    writer.raw(primaryHash)
    writer.string(access)
    writer.string(enrolment ?? [])
  }

  /// As above, and the two dates as IEEE 754 bits (8 each).
  func metadataAssociatedData(created: Double, changed: Double) -> [UInt8] {
    var writer = ByteWriter()
    write(.metadata, to: &writer)
    writer.fixed(created.bitPattern)
    writer.fixed(changed.bitPattern)
    return writer.bytes
  }

  private static let label = Array("latchkey item 1".utf8)
}

extension StretchingParameters {
  /// salt (16) | operations (8) | memory in bytes (8).
  var stored: [UInt8] {
    var writer = ByteWriter()
    writer.raw(salt)
    writer.fixed(operations)
    writer.fixed(memoryBytes)
    return writer.bytes
  }

  /// The parameters, or `nil` where they are malformed or leave their bounds.
  init?(stored bytes: [UInt8]) {
    guard bytes.count == Self.saltSize + 16 else { return nil }
    var reader = ByteReader(Array(bytes[Self.saltSize...]))
    guard let operations = reader.fixed(UInt64.self), let memory = reader.fixed(UInt64.self),
      let made = try? StretchingParameters(
        salt: Array(bytes[..<Self.saltSize]), operations: operations, memoryBytes: memory)
    else { return nil }
    self = made
  }
}
