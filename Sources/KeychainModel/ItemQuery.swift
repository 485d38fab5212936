/// What a search is for: class, exact attribute values, group and twin, and how many.
public struct ItemQuery: Hashable, Sendable {
  /// The class; `nil` only together with an ``identifier``.
  public var itemClass: ItemClass?
  /// One item by its persistent reference; excludes ``attributes``.
  public var identifier: ItemIdentifier?
  /// Values that must match exactly. `accessible` filters; `accessControl` and dates of the system do not belong here.
  public var attributes: ItemAttributes
  /// Local items, synchronised ones, or both.
  public var twin: SynchronizableFilter
  /// How many matches are wanted.
  public var limit: MatchLimit

  /// Makes a query; by default for one local item.
  public init(
    itemClass: ItemClass?, identifier: ItemIdentifier? = nil, attributes: ItemAttributes = ItemAttributes(),
    twin: SynchronizableFilter = .local, limit: MatchLimit = .one
  ) {
    self.itemClass = itemClass
    self.identifier = identifier
    self.attributes = attributes
    self.twin = twin
    self.limit = limit
  }
}

/// Which of the twins a query sees. Apple counterpart: `kSecAttrSynchronizable` unset/false, true, `syna`.
public enum SynchronizableFilter: UInt8, CaseIterable, Sendable {
  /// Items that stay here (the default).
  case local = 0
  /// Items marked as synchronised.
  case synchronized = 1
  /// Both.
  case any = 2
}

/// How many matches a query wants.
public enum MatchLimit: Hashable, Sendable {
  /// A single one, answered as a single object.
  case one
  /// At most so many (2 or more), answered as a list.
  case count(UInt32)
  /// Every one, answered as a list.
  case all
}

/// What a search answers for each match.
public struct ReturnedParts: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8
  /// Makes a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The value.
  public static let data = ReturnedParts(rawValue: 1)
  /// The attributes.
  public static let attributes = ReturnedParts(rawValue: 2)
  /// The persistent reference.
  public static let persistentReference = ReturnedParts(rawValue: 4)
  /// The reference object (certificates, keys, identities).
  public static let reference = ReturnedParts(rawValue: 8)
}

/// Whether a request may end in a prompt. Apple counterpart: `kSecUseAuthenticationUI`.
public enum InteractionMode: UInt8, CaseIterable, Sendable {
  /// A prompt is welcome.
  case allow = 0
  /// Where a proof would be needed: `interactionNotAllowed` (-25308), and no prompt.
  case fail = 1
  /// Items that need a proof are passed over; reads only.
  case skip = 2
}
