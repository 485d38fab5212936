internal import ItemStore
internal import KeychainModel
internal import KeychainService

/// An item of a ``UserStore`` as a search found it.
struct UserItem: StoredItem {
  let identifier: ItemIdentifier
  let cursor: UInt64
  let itemClass: ItemClass
  let accessControl: AccessControl
  let boundEnrolment: [UInt8]?
  let attributes: ItemAttributes?
  let dead: Reason?
  let valueBytes: Int?
  /// The row, for deleting what was found and nothing else.
  let row: FoundRow
  /// What the store opens and changes; `nil` where the row cannot be read.
  let sealed: SealedItem?

  init(_ sealed: SealedItem) {
    identifier = sealed.identifier
    cursor = sealed.cursor
    itemClass = sealed.itemClass
    accessControl = sealed.accessControl
    boundEnrolment = sealed.boundEnrolment
    attributes = sealed.attributes
    dead = sealed.dead?.reason
    valueBytes = sealed.valueBytes
    row = sealed.found
    self.sealed = sealed
  }

  /// A row that certainly matches and cannot be read: it can be deleted and says why it does not open.
  ///
  /// - Parameter asked: the class of the search, for a row that does not tell its own any more.
  init?(_ unreadable: UnreadableItem, asked: ItemClass?) {
    guard let row = unreadable.found, let itemClass = unreadable.itemClass ?? asked else { return nil }
    identifier = unreadable.identifier
    cursor = row.cursor
    self.itemClass = itemClass
    accessControl = unreadable.accessControl ?? .unconstrained(.whenUnlocked)
    boundEnrolment = nil
    attributes = nil
    dead = unreadable.reason
    valueBytes = nil
    self.row = row
    sealed = nil
  }
}
