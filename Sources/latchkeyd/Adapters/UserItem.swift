internal import ItemStore
internal import KeychainModel
internal import KeychainService

/// An item of a ``UserStore`` as a search found it. Copies share what was found: a request hands it on a dozen times.
struct UserItem: StoredItem {
  /// What a search found.
  private final class Finding: Sendable {
    let identifier: ItemIdentifier
    let cursor: UInt64
    let itemClass: ItemClass
    let accessControl: AccessControl
    let dead: Reason?
    let place: Place

    init(
      _ identifier: ItemIdentifier, _ itemClass: ItemClass, _ accessControl: AccessControl, dead: Reason?,
      _ place: Place
    ) {
      self.identifier = identifier
      self.itemClass = itemClass
      self.accessControl = accessControl
      self.dead = dead
      self.place = place
      cursor =
        switch place {
        case .readable(let sealed): sealed.cursor
        case .unreadable(let row): row.cursor
        }
    }
  }

  /// Where it stands in the store.
  private enum Place {
    case readable(SealedItem)
    case unreadable(FoundRow)
  }

  private let finding: Finding

  init(_ sealed: SealedItem) {
    finding = Finding(
      sealed.identifier, sealed.itemClass, sealed.accessControl, dead: sealed.dead?.reason, .readable(sealed))
  }

  /// A row that certainly matches and cannot be read: it can be deleted and says why it does not open.
  ///
  /// - Parameter asked: the class of the search, for a row that does not tell its own any more.
  init?(_ unreadable: UnreadableItem, asked: ItemClass?) {
    guard let row = unreadable.found, let itemClass = unreadable.itemClass ?? asked else { return nil }
    finding = Finding(
      unreadable.identifier, itemClass, unreadable.accessControl ?? .unconstrained(.whenUnlocked),
      dead: unreadable.reason, .unreadable(row))
  }

  var identifier: ItemIdentifier { finding.identifier }
  var cursor: UInt64 { finding.cursor }
  var itemClass: ItemClass { finding.itemClass }
  var accessControl: AccessControl { finding.accessControl }
  var boundEnrolment: [UInt8]? { sealed?.boundEnrolment }
  var attributes: ItemAttributes? { sealed?.attributes }
  var dead: Reason? { finding.dead }
  var valueBytes: Int? { sealed?.valueBytes }

  /// The row, for deleting what was found and nothing else.
  var row: FoundRow {
    switch finding.place {
    case .readable(let sealed): sealed.found
    case .unreadable(let row): row
    }
  }

  /// What the store opens and changes; `nil` where the row cannot be read.
  var sealed: SealedItem? {
    switch finding.place {
    case .readable(let sealed): sealed
    case .unreadable: nil
    }
  }
}
