public import AccessPolicy
public import KeychainModel
public import SecretMemory

/// A stored item as a search finds it: its value still sealed. Each store has a kind of its own and takes no other's.
///
/// A reference, so that a request hands on what was found a dozen times without copying it; nothing of it changes.
public protocol StoredItem: AnyObject, Sendable {
  /// Its name for life.
  var identifier: ItemIdentifier { get }
  /// Its place in the order of adding; a page goes on behind it.
  var cursor: UInt64 { get }
  /// Its class.
  var itemClass: ItemClass { get }
  /// When and on which proof it opens; authenticated when the value is opened.
  var accessControl: AccessControl { get }
  /// The hash of the fingers it was bound to at add, or `nil`.
  var boundEnrolment: [UInt8]? { get }
  /// Its attributes with the dates of the system; `nil` while its class is locked or where the row is damaged.
  var attributes: ItemAttributes? { get }
  /// Why it can never be opened again, or `nil`.
  var dead: Reason? { get }
  /// How long its value is, in bytes; `nil` where it holds none.
  var valueBytes: Int? { get }
}

extension StoredItem {
  /// Whether it holds a value at all.
  public var hasValue: Bool { valueBytes != nil }
}

/// The right to change or delete one item, made from a grant. Each store has a kind of its own and takes no other's.
public protocol ItemPermit: Sendable {}

/// A page of stored items.
public struct StoredPage: Sendable {
  /// The matches whose names could be read, and those found by their exact name although locked.
  public var items: [any StoredItem]
  /// How many rows could match but cannot be read because their class is locked.
  public var hidden: Int
  /// Ask again behind this; `nil` at the end.
  public var next: UInt64?

  /// Makes a page.
  public init(items: [any StoredItem], hidden: Int, next: UInt64?) {
    self.items = items
    self.hidden = hidden
    self.next = next
  }
}

/// A new item, checked.
public struct NewItem: Sendable {
  /// The class.
  public var itemClass: ItemClass
  /// Its attributes, with access group and synchronizable filled in; without the dates.
  public var attributes: ItemAttributes
  /// When and on which proof it opens.
  public var accessControl: AccessControl
  /// The hash of the enrolled fingers it is bound to, or `nil`.
  public var boundEnrolment: [UInt8]?
  /// The value, at most `ItemLimits.valueBytes`, or `nil`.
  public var value: SecretBytes?
  /// The application password that wraps its key a second time, or `nil`.
  public var applicationPassword: SecretBytes?

  /// Makes a new item.
  public init(
    itemClass: ItemClass, attributes: ItemAttributes, accessControl: AccessControl, boundEnrolment: [UInt8]?,
    value: SecretBytes?, applicationPassword: SecretBytes?
  ) {
    self.itemClass = itemClass
    self.attributes = attributes
    self.accessControl = accessControl
    self.boundEnrolment = boundEnrolment
    self.value = value
    self.applicationPassword = applicationPassword
  }
}

/// A change to stored items.
public struct ItemChange: Sendable {
  /// New values of attributes.
  public var attributes: ItemAttributes
  /// Attributes taken away.
  public var removals: Set<AttributeKey>
  /// When the items count as made, in seconds since 1970; `nil` keeps it.
  public var creationDate: Double?
  /// What changes of the access control, or `nil`.
  public var access: AccessChange?
  /// The enrolment a new access control is bound to, or `nil`.
  public var boundEnrolment: [UInt8]?
  /// A new value, or `nil`.
  public var value: SecretBytes?
  /// The application password: opens the item where it has one, and closes it where the new access control wants one.
  public var applicationPassword: SecretBytes?

  /// Makes a change.
  public init(attributes: ItemAttributes = ItemAttributes(), removals: Set<AttributeKey> = []) {
    self.attributes = attributes
    self.removals = removals
  }

  /// Whether a proof is needed on a protected item: its value, its flags or its name change. A label edit is free.
  public func touchesProtection(of itemClass: ItemClass) -> Bool {
    let named = Set(itemClass.primaryKey)
    return value != nil || access != nil || attributes.entries.contains { named.contains($0.key) }
      || !removals.isDisjoint(with: named)
  }
}

/// An opened value and the item key that opened it, for the cache.
public struct OpenedItem: Sendable {
  /// The value; `nil` where the item has none.
  public var value: SecretBytes?
  /// The item key.
  public var itemKey: SecretBytes?

  /// Makes an opened item.
  public init(value: SecretBytes?, itemKey: SecretBytes?) {
    self.value = value
    self.itemKey = itemKey
  }
}

/// One user's store. Everything but opening a value works without a proof; opening consumes the proof's grant.
///
/// Every call throws a ``Refusal``: `keybagLocked` where a class key is missing, `storeDamaged`, `storeReadOnly`,
/// `diskFull`, `ioFailed`, `outOfMemory`, `internalFailure` for an item of another store, and what the call itself names. A call
/// that throws has changed nothing. A permit of another store permits nothing.
public protocol ItemStoring: Sendable {
  /// One page of matches in the order of adding. `groups`: whose items are seen.
  func find(
    _ query: ItemQuery, groups: [ExactText], page: PageRequest, keys: any ClassKeySource
  ) throws(Refusal) -> StoredPage

  /// The row with the primary key of these attributes, locked or not.
  func existing(
    _ itemClass: ItemClass, attributes: ItemAttributes, keys: any ClassKeySource
  ) throws(Refusal) -> (any StoredItem)?

  /// Opens a value. Throws `applicationPasswordRequired`, `applicationPasswordWrong`, `rowDamaged`.
  func open(
    _ item: any StoredItem, grant: consuming Grant, keys: any ClassKeySource, itemKey: SecretBytes?,
    applicationPassword: SecretBytes?
  ) throws(Refusal) -> OpenedItem

  /// Stores a new item. Throws `duplicateItem`.
  func add(_ item: NewItem, keys: any ClassKeySource) throws(Refusal) -> any StoredItem

  /// Turns a grant into the right to change or delete the item as it was found. Throws `internalFailure` for another item's
  /// grant.
  func permit(_ item: any StoredItem, grant: consuming Grant) throws(Refusal) -> any ItemPermit

  /// Changes all of these items or none; refuses to touch the value, flags or name of a protected one without its permit.
  /// Throws `duplicateItem`, `itemChanged` where one is not what was found any more, `interactionNotAllowed` without a permit.
  func update(
    _ items: [any StoredItem], change: ItemChange, permits: [any ItemPermit], keys: any ClassKeySource
  ) throws(Refusal)

  /// Deletes all of these items or none; refuses one whose own rule for deletion wants a proof without its permit. Answers how
  /// many there still were. Throws `itemNotFound` where all are gone, `itemChanged`, `interactionNotAllowed`.
  func delete(_ items: [any StoredItem], permits: [any ItemPermit]) throws(Refusal) -> Int

  /// Destroys the item's wrapped key and keeps the row, with the reason.
  func invalidate(_ item: any StoredItem, reason: Reason) throws(Refusal)

  /// How many items there are.
  func count() throws(Refusal) -> UInt64
}

/// Which page.
public struct PageRequest: Sendable {
  /// Behind this cursor; `nil` for the first page.
  public var after: UInt64?
  /// At most so many items; 1 or more.
  public var limit: Int
  /// Which locked matches stand among the items.
  public var locked: LockedMatches

  /// Names a page.
  public init(after: UInt64?, limit: Int, locked: LockedMatches = .named) {
    self.after = after
    self.limit = limit
    self.locked = locked
  }

  /// What a page shows of items whose attributes are locked; the others are counted as hidden.
  public enum LockedMatches: Sendable {
    /// Those that the query names in full.
    case named
    /// Every one that certainly matches: for what needs no key.
    case certain
  }
}

/// Where a class key comes from during one request.
public protocol ClassKeySource: Sendable {
  /// The key, or `nil` while the class is locked.
  func key(for protection: ProtectionClass, use: ClassKeyUse) -> SecretBytes?
}

/// What a class key is for.
public enum ClassKeyUse: UInt8, CaseIterable, Sendable {
  /// Wraps item keys.
  case values = 1
  /// Seals names and attributes.
  case metadata = 2
}
