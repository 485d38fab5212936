public import KeychainModel
internal import SecretMemory

/// An item that was found. Its value is sealed; ``ItemStore/open(_:grant:keys:cachedKey:applicationPassword:)`` opens it.
public struct SealedItem: Sendable {
  let row: ItemRow
  /// The attributes, or that they are locked.
  public let metadata: SealedMetadata
  /// When the row was read; `nil` where something was being written just then.
  let foundAt: WriteMark.Moment?

  init(row: ItemRow, metadata: SealedMetadata, foundAt: WriteMark.Moment? = nil) {
    self.row = row
    self.metadata = metadata
    self.foundAt = foundAt
  }

  /// Its name for life.
  public var identifier: ItemIdentifier { row.identifier }
  /// Its class.
  public var itemClass: ItemClass { row.itemClass }
  /// When and on which proof it opens.
  public var accessControl: AccessControl { row.accessControl }
  /// The enrolment it was bound to at add, or `nil`.
  public var boundEnrolment: [UInt8]? { row.enrolment }
  /// Why it can never be opened again, or `nil`.
  public var dead: DeadCause? { row.dead }
  /// How long its value is, in bytes; `nil` where it has none.
  public var valueBytes: Int? { row.sealedValueBytes.map { max(0, $0 - AuthenticatedCipher.overhead) } }
  /// Its place in the order of adding; a cursor for ``ItemStore/find(_:groups:after:limit:keys:)``.
  public var cursor: UInt64 { UInt64(clamping: row.number) }

  /// The attributes with `creationDate` and `modificationDate`, or `nil` where they are locked.
  public var attributes: ItemAttributes? {
    if case .open(let attributes) = metadata { return attributes }
    return nil
  }

  /// The service (or server) whose policy speaks, or `nil` where the attributes are locked.
  public var service: ExactText? {
    attributes.map { $0.text(row.itemClass == .internetPassword ? .server : .service) ?? ExactText(bytes: []) }
  }
}

/// Whether an item's attributes could be read.
public enum SealedMetadata: Hashable, Sendable {
  /// They could.
  case open(ItemAttributes)
  /// The keys of the item's class are not at hand; only an exact look-up shows such an item.
  case locked
}

/// A page of matches.
public struct ItemPage: Sendable {
  /// The matches, in the order they were added.
  public var items: [SealedItem] = []
  /// How many further rows of this page are, or may be, matches of a locked class.
  public var hidden = 0
  /// Rows that cannot be read although their keys are at hand, or whose keys were destroyed.
  public var unreadable: [UnreadableItem] = []
  /// Go on behind this; `nil` where there is nothing more. A page may be empty and still have a next one: one call looks
  /// at a bounded number of rows.
  public var next: UInt64?

  /// An empty page.
  public init() {}
}

/// A row that hides nothing but itself.
public struct UnreadableItem: Hashable, Sendable {
  /// Its name; zeros where even that is damaged.
  public let identifier: ItemIdentifier
  /// Why: `rowDamaged`, `passcodeRemoved`, ...
  public let reason: Reason
  /// Its class, where that could be read.
  public let itemClass: ItemClass?
  /// Its access control, where that could be read.
  public let accessControl: AccessControl?
  /// The row, where the hashes alone say that it matches; `nil` where it only may.
  public let found: FoundRow?

  init(_ row: ItemRow, decided: Bool) {
    identifier = row.identifier
    reason = row.dead?.reason ?? .rowDamaged
    itemClass = row.itemClass
    accessControl = row.accessControl
    found = decided ? FoundRow(row) : nil
  }

  init(_ row: BrokenRow, decided: Bool) {
    identifier = row.reportedIdentifier
    reason = .rowDamaged
    itemClass = nil
    accessControl = nil
    found = decided ? FoundRow(row) : nil
  }
}
