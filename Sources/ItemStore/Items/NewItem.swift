public import KeychainModel
public import SecretMemory

/// An item to store.
public struct NewItem: Sendable {
  /// The class.
  public var itemClass: ItemClass
  /// Its attributes; not `accessible`, `accessControl` or the dates of the system. The caller fills in the access group.
  public var attributes: ItemAttributes
  /// When and on which proof it opens.
  public var accessControl: AccessControl
  /// The value, at most `ItemLimits.valueBytes`, or `nil` for an item without one.
  public var value: SecretBytes?
  /// The hash of the enrolled fingers to bind it to, or `nil`.
  public var boundEnrolment: [UInt8]?
  /// The application password; needed where the access control says so.
  public var applicationPassword: SecretBytes?

  /// Describes an item.
  public init(
    itemClass: ItemClass, attributes: ItemAttributes, accessControl: AccessControl, value: SecretBytes?
  ) {
    self.itemClass = itemClass
    self.attributes = attributes
    self.accessControl = accessControl
    self.value = value
  }
}

/// What an update changes of every match.
public struct ItemChange: Sendable {
  /// New values; an attribute that is not named stays.
  public var attributes = ItemAttributes()
  /// Attributes to take away.
  public var removals: Set<AttributeKey> = []
  /// When the items count as made, in seconds since 1970; `nil` keeps it.
  public var creationDate: Double?
  /// What changes of the access control, or `nil` to keep the old one.
  public var access: AccessChange?
  /// The hash of the enrolled fingers to bind to, where ``access`` is a whole access control.
  public var boundEnrolment: [UInt8]?
  /// A new value, or `nil` to keep the old one.
  public var value: SecretBytes?
  /// The application password: opens the old wrap where the item has one and makes the new wrap.
  public var applicationPassword: SecretBytes?

  /// A change of nothing.
  public init() {}
}

/// The right to change or delete one protected item, made from a grant by ``ItemStore/permit(_:grant:)``.
public struct ChangePermit: Sendable {
  /// The item.
  public let item: ItemIdentifier
  /// The operation the grant was for.
  public let operation: ItemOperation
  /// The access control the grant was decided on.
  let access: [UInt8]
}

/// The outcome of ``ItemStore/add(_:onDuplicate:permit:keys:now:)``.
public struct AddedItem: Hashable, Sendable {
  /// The item's name: a new one, or the old one where it was replaced.
  public let identifier: ItemIdentifier
  /// What happened.
  public let outcome: Outcome

  /// What an add did.
  public enum Outcome: Sendable {
    /// There was no such item.
    case added
    /// An item of this primary key was changed.
    case replaced
    /// A dead or damaged row of this primary key gave way.
    case replacedUnreadable
  }
}

/// An item whose value is open.
public struct OpenedItem: Sendable {
  /// The item.
  public let identifier: ItemIdentifier
  /// The value, or `nil` where it has none.
  public let value: SecretBytes?
  /// The item's key for the caller's cache; `nil` for an item with an application password, which is asked for each time.
  public let itemKey: SecretBytes?
}
