internal import ItemStore
internal import KeychainModel
internal import KeychainService

/// An item of a ``UserStore`` as a search found it.
final class UserItem: StoredItem {
  /// Where it stands in the store.
  private enum Place {
    case readable(SealedItem)
    case unreadable(FoundRow)
  }

  let identifier: ItemIdentifier
  let cursor: UInt64
  let itemClass: ItemClass
  let accessControl: AccessControl
  let boundEnrolment: [UInt8]?
  let attributes: ItemAttributes?
  let dead: Reason?
  let valueBytes: Int?
  private let place: Place

  init(_ sealed: SealedItem) {
    identifier = sealed.identifier
    cursor = sealed.cursor
    itemClass = sealed.itemClass
    accessControl = sealed.accessControl
    boundEnrolment = sealed.boundEnrolment
    attributes = sealed.attributes
    dead = sealed.dead?.reason
    valueBytes = sealed.valueBytes
    place = .readable(sealed)
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
    place = .unreadable(row)
  }

  /// An item that the service hands back.
  ///
  /// - Throws: ``Refusal``: `internalFailure` for another store's.
  static func own(_ item: any StoredItem) throws(Refusal) -> UserItem {
    guard let own = item as? UserItem else { throw Refusal(.internalFailure, detail: "an item of another store") }
    return own
  }

  /// As ``own(_:)``, for each of them.
  static func own(_ items: [any StoredItem]) throws(Refusal) -> [UserItem] {
    var own: [UserItem] = []
    for item in items { own.append(try Self.own(item)) }
    return own
  }

  /// The row, for deleting what was found and nothing else.
  var row: FoundRow {
    switch place {
    case .readable(let sealed): sealed.found
    case .unreadable(let row): row
    }
  }

  /// What the store opens and changes; `nil` where the row cannot be read.
  var sealed: SealedItem? {
    switch place {
    case .readable(let sealed): sealed
    case .unreadable: nil
    }
  }
}

/// The right to change or delete an item of a ``UserStore``.
struct UserPermit: ItemPermit {
  /// The store's own; `nil` for a row that cannot be read: there is nothing left to protect.
  let change: ChangePermit?

  /// The store's own permits among these.
  static func changes(_ permits: [any ItemPermit]) -> [ChangePermit] {
    permits.compactMap { ($0 as? UserPermit)?.change }
  }
}
