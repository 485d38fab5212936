public import KeychainModel
public import SecretMemory

/// One found item with its value.
public struct FoundValue: Sendable {
  /// The item; its `value` says only whether there is one.
  public let item: FoundItem
  /// The value, where it was asked for and the item has one.
  public let value: SecretBytes?

  /// Pairs an item with its value.
  public init(item: FoundItem, value: SecretBytes?) {
    self.item = item
    self.value = value
  }
}

/// What a search found.
public struct FindResult: Sendable {
  /// The matches, in the order they were added.
  public var items: [FoundValue] = []
  /// How many more are hidden because their class is locked.
  public var hidden: UInt32 = 0
}

extension Keychain {
  /// Stores an item.
  ///
  /// - Returns: the item as it was stored.
  /// - Throws: `Refusal`: `duplicateItem`, `valueTooLarge`, `keybagLocked`, `passcodeNotBound` and others.
  @discardableResult
  public func add(
    _ item: NewItem, returning parts: ReturnedParts = [], onDuplicate: DuplicateRule = .refuse,
    options: CallOptions = CallOptions()
  ) throws(Refusal) -> FoundItem {
    var list = SecretList()
    let request = AddRequest(
      itemClass: item.itemClass, attributes: item.attributes, accessControl: item.accessControl,
      value: try list.placeValue(item.value), returns: parts, onDuplicate: onDuplicate)
    guard case .added(let stored) = try perform(.add(request), options, list).reply else { throw .unexpected }
    return stored
  }

  /// Stores an item or replaces the one of its name, in one step; replacing a protected value wants a proof.
  ///
  /// - Throws: `Refusal`, as ``add(_:returning:onDuplicate:options:)`` without `duplicateItem`.
  @discardableResult
  public func set(_ item: NewItem, options: CallOptions = CallOptions()) throws(Refusal) -> FoundItem {
    try add(item, onDuplicate: .replace, options: options)
  }

  /// The value of the first match.
  ///
  /// - Throws: `Refusal`: `itemNotFound` where nothing matches or the match has no value, `keybagLocked` where matches
  ///   are hidden, the item's own reason where it can never be opened again, and others.
  public func value(_ query: ItemQuery, options: CallOptions = CallOptions()) throws(Refusal) -> SecretBytes {
    var single = query
    single.limit = .one
    let result = try find(single, returning: .data, options: options)
    guard let found = result.items.first else {
      throw Refusal(result.hidden > 0 ? .keybagLocked : .itemNotFound)
    }
    if let value = found.value { return value }
    throw Refusal(found.item.dead ?? .itemNotFound)
  }

  /// Every match the query's limit allows, however many pages they fill.
  ///
  /// - Throws: `Refusal`: `itemNotFound` where nothing matches, and others.
  public func find(
    _ query: ItemQuery, returning parts: ReturnedParts, options: CallOptions = CallOptions()
  ) throws(Refusal) -> FindResult {
    var result = FindResult()
    try forEachPage(query, returning: parts, options: options) { page in
      result.items += page.items
      result.hidden = max(result.hidden, page.hidden)
      return true
    }
    return result
  }

  /// The matches page by page, for those who do not want them all at once; `use` returns `false` to stop.
  ///
  /// - Throws: `Refusal`: `itemNotFound` where nothing matches, and others.
  public func forEachPage(
    _ query: ItemQuery, returning parts: ReturnedParts, options: CallOptions = CallOptions(),
    _ use: (FindResult) -> Bool
  ) throws(Refusal) {
    var request = FindRequest(query: query, returns: parts)
    var left = query.limit.most
    while left > 0 {
      let answer = try perform(.find(request), options)
      guard case .found(let page) = answer.reply else { throw .unexpected }
      let result = try FindResult(page, secrets: answer.secrets)
      left -= min(left, UInt64(page.items.count))
      guard use(result), let next = page.next, left > 0 else { return }
      guard next != request.after else { throw .unexpected }
      request.after = next
      request.query.limit = query.limit.lowered(to: left)
    }
  }

  /// Whether an item matches; never prompts.
  ///
  /// - Throws: `Refusal`: `keybagLocked` where only hidden items could match, and others but `itemNotFound`.
  public func exists(_ query: ItemQuery, options: CallOptions = CallOptions()) throws(Refusal) -> Bool {
    var single = query
    single.limit = .one
    do throws(Refusal) {
      let result = try find(single, returning: [], options: options)
      if result.items.isEmpty, result.hidden > 0 { throw Refusal(.keybagLocked) }
      return !result.items.isEmpty
    } catch  where error.reason == .itemNotFound { return false }
  }

  /// Changes every match, or none.
  ///
  /// - Returns: how many were changed.
  /// - Throws: `Refusal`: `itemNotFound`, `duplicateItem`, `valueTooLarge` and others.
  @discardableResult
  public func update(
    _ query: ItemQuery, _ changes: ItemChanges, options: CallOptions = CallOptions()
  ) throws(Refusal) -> UInt32 {
    var list = SecretList()
    let request = UpdateRequest(
      query: query, changes: changes.attributes, removals: changes.removals, access: changes.access,
      value: try list.placeValue(changes.value))
    return try count(.update(request), options, list)
  }

  /// Deletes every match.
  ///
  /// - Parameters:
  ///   - query: which items.
  ///   - onlyIfValue: delete only where the value is this one; needs what reading it needs.
  ///   - options: what it says about prompting.
  /// - Returns: how many were deleted.
  /// - Throws: `Refusal`: `itemNotFound` and others.
  @discardableResult
  public func delete(
    _ query: ItemQuery, onlyIfValue: SecretBytes? = nil, options: CallOptions = CallOptions()
  ) throws(Refusal) -> UInt32 {
    var list = SecretList()
    let request = DeleteRequest(query: query, onlyIfValue: try list.placeValue(onlyIfValue))
    return try count(.delete(request), options, list)
  }
}

/// What an update changes; what is not named stays.
public struct ItemChanges: Sendable {
  /// New values of attributes.
  public var attributes: ItemAttributes
  /// Attributes to take away.
  public var removals: Set<AttributeKey>
  /// What changes of the access control.
  public var access: AccessChange?
  /// A new value, at most 1 MiB.
  public var value: SecretBytes?

  /// Makes changes; by default none.
  public init(
    attributes: ItemAttributes = ItemAttributes(), removals: Set<AttributeKey> = [],
    access: AccessChange? = nil, value: SecretBytes? = nil
  ) {
    self.attributes = attributes
    self.removals = removals
    self.access = access
    self.value = value
  }
}

extension FindResult {
  /// Joins a page's items and its secrets.
  init(_ page: FindReply, secrets: [SecretBytes]) throws(Refusal) {
    for item in page.items {
      guard let index = item.value else {
        items.append(FoundValue(item: item, value: nil))
        continue
      }
      guard secrets.indices.contains(Int(index)) else { throw .unexpected }
      items.append(FoundValue(item: item, value: secrets[Int(index)]))
    }
    hidden = page.hidden
  }
}

extension MatchLimit {
  /// The most matches.
  var most: UInt64 {
    switch self {
    case .one: 1
    case .count(let count): UInt64(count)
    case .all: .max
    }
  }

  /// The limit for what is left to find.
  func lowered(to left: UInt64) -> MatchLimit {
    switch self {
    case .count: left == 1 ? .one : .count(UInt32(clamping: left))
    default: self
    }
  }
}
