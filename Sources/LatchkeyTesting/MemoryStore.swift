// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What only implements a port is documented where the port is declared, in KeychainService/Ports.

public import AccessPolicy
public import KeychainModel
public import KeychainService
public import SecretMemory
internal import Synchronization

/// An item of a ``MemoryStore`` as a search found it.
final class FoundMemoryItem: StoredItem {
  let item: MemoryItem

  init(_ item: MemoryItem) { self.item = item }

  /// The item that the service hands back; `internalFailure` for another store's.
  static func own(_ found: any StoredItem) throws(Refusal) -> MemoryItem {
    guard let own = found as? FoundMemoryItem else { throw Refusal(.internalFailure) }
    return own.item
  }

  static func own(_ found: [any StoredItem]) throws(Refusal) -> [MemoryItem] {
    var own: [MemoryItem] = []
    for item in found { own.append(try Self.own(item)) }
    return own
  }

  var identifier: ItemIdentifier { item.identifier }
  var cursor: UInt64 { item.cursor }
  var itemClass: ItemClass { item.itemClass }
  var accessControl: AccessControl { item.accessControl }
  var boundEnrolment: [UInt8]? { item.boundEnrolment }
  var attributes: ItemAttributes? { item.attributes }
  var dead: Reason? { item.dead }
  var valueBytes: Int? { item.value?.count }
}

/// An item of a ``MemoryStore``.
struct MemoryItem: Sendable {
  let identifier: ItemIdentifier
  let cursor: UInt64
  let itemClass: ItemClass
  var accessControl: AccessControl
  var boundEnrolment: [UInt8]?
  var attributes: ItemAttributes?
  var dead: Reason?
  var value: SecretBytes?
  var applicationPassword: SecretBytes?

  /// The bytes that tell items of a class apart.
  var primaryKey: [[UInt8]] { Self.primaryKey(of: itemClass, attributes ?? ItemAttributes()) }

  /// Whether it is still the item that was found: the same flags under the same name.
  func isSame(as found: MemoryItem) -> Bool {
    identifier == found.identifier && accessControl == found.accessControl && primaryKey == found.primaryKey
  }

  static func primaryKey(of itemClass: ItemClass, _ attributes: ItemAttributes) -> [[UInt8]] {
    itemClass.primaryKey.map { attributes[$0]?.matchingBytes ?? [] }
  }
}

/// The right to change or delete one item of a ``MemoryStore``.
struct MemoryPermit: ItemPermit {
  let item: ItemIdentifier
  let operation: ItemOperation
  let accessControl: AccessControl

  func covers(_ item: MemoryItem, _ operations: Set<ItemOperation>) -> Bool {
    self.item == item.identifier && accessControl == item.accessControl && operations.contains(operation)
  }
}

/// A store in memory that follows the rules of the real one: classes lock, names are unique, nothing opens without a grant.
public final class MemoryStore: ItemStoring, KeybagStoring {
  struct Contents {
    var items: [MemoryItem] = []
    var nextCursor: UInt64 = 1
    var keybag = MemoryKeybag()
    var tally = PasscodeTally(misses: 0, retryAfterSeconds: 0)
    var biometryMisses: UInt32 = 0
    var missRefusal: Reason?
  }

  let contents = Mutex(Contents())

  private let rowsPerPage: Int

  /// An empty store without a keybag.
  ///
  /// - Parameter rowsPerPage: how many rows a page looks at, 1 or more: the real store's pages end too where they found nothing.
  public init(rowsPerPage: Int = .max) { self.rowsPerPage = rowsPerPage }

  public func find(
    _ query: ItemQuery, groups: [ExactText], page: PageRequest, keys: any ClassKeySource
  ) throws(Refusal) -> StoredPage {
    let all = contents.withLock { $0.items }
    var found: [any StoredItem] = []
    var hidden = 0
    for (looked, item) in all.filter({ $0.cursor > page.after ?? 0 }).enumerated() {
      if looked >= rowsPerPage { return StoredPage(items: found, hidden: hidden, next: item.cursor - 1) }
      guard Self.matches(item, query, groups) else { continue }
      guard isOpen(item, keys) || page.locked == .certain || Self.isExact(query) else {
        hidden += 1
        continue
      }
      guard found.count < page.limit else {
        return StoredPage(items: found, hidden: hidden, next: found.last?.cursor)
      }
      found.append(FoundMemoryItem(shown(item, keys)))
    }
    return StoredPage(items: found, hidden: hidden, next: nil)
  }

  public func existing(
    _ itemClass: ItemClass, attributes: ItemAttributes, keys: any ClassKeySource
  ) throws(Refusal) -> (any StoredItem)? {
    let wanted = MemoryItem.primaryKey(of: itemClass, attributes)
    let found = contents.withLock { $0.items.first { $0.itemClass == itemClass && $0.primaryKey == wanted } }
    return found.map { FoundMemoryItem(shown($0, keys)) }
  }

  public func open(
    _ found: any StoredItem, grant: consuming Grant, keys: any ClassKeySource, itemKey: SecretBytes?,
    applicationPassword: SecretBytes?
  ) throws(Refusal) -> OpenedItem {
    let item = try FoundMemoryItem.own(found)
    guard grant.item == item.identifier, grant.operation == .decrypt else { throw Refusal(.internalFailure) }
    guard isOpen(item, keys) else { throw Refusal(.keybagLocked) }
    if let wanted = item.applicationPassword {
      guard let applicationPassword else { throw Refusal(.applicationPasswordRequired) }
      guard wanted.equals(applicationPassword) else { throw Refusal(.applicationPasswordWrong) }
    }
    return OpenedItem(value: item.value, itemKey: nil)
  }

  public func add(_ item: NewItem, keys: any ClassKeySource) throws(Refusal) -> any StoredItem {
    let refusal = contents.withLock { contents -> Refusal? in
      let wanted = MemoryItem.primaryKey(of: item.itemClass, item.attributes)
      if let place = contents.items.firstIndex(where: { $0.itemClass == item.itemClass && $0.primaryKey == wanted }) {
        guard contents.items[place].dead != nil else { return Refusal(.duplicateItem) }
        contents.items.remove(at: place)
      }
      if contents.keybag.record == .none { contents.keybag.record = .unbound }
      contents.items.append(
        MemoryItem(
          identifier: .random(), cursor: contents.nextCursor, itemClass: item.itemClass,
          accessControl: item.accessControl, boundEnrolment: item.boundEnrolment, attributes: item.attributes,
          value: item.value, applicationPassword: item.applicationPassword))
      contents.nextCursor += 1
      return nil
    }
    if let refusal { throw refusal }
    guard let added = try existing(item.itemClass, attributes: item.attributes, keys: keys) else {
      throw Refusal(.internalFailure)
    }
    return added
  }

  public func permit(_ found: any StoredItem, grant: consuming Grant) throws(Refusal) -> any ItemPermit {
    let item = try FoundMemoryItem.own(found)
    guard grant.item == item.identifier else { throw Refusal(.internalFailure) }
    return MemoryPermit(item: grant.item, operation: grant.operation, accessControl: item.accessControl)
  }

  public func update(
    _ found: [any StoredItem], change: ItemChange, permits: [any ItemPermit], keys: any ClassKeySource
  ) throws(Refusal) {
    let items = try FoundMemoryItem.own(found)
    let permits = permits.compactMap { $0 as? MemoryPermit }
    guard items.allSatisfy({ isOpen($0, keys) }) else { throw Refusal(.keybagLocked) }
    let refusal = contents.withLock { contents -> Refusal? in
      var changed = contents.items
      for item in items {
        guard let place = contents.items.firstIndex(where: { $0.isSame(as: item) }) else {
          return Refusal(.itemChanged)
        }
        if item.accessControl.isProtected, change.touchesProtection(of: item.itemClass),
          !permits.contains(where: { $0.covers(item, [.decrypt, .encrypt]) })
        {
          return Refusal(.interactionNotAllowed)
        }
        changed[place] = Self.changed(changed[place], change)
      }
      let names = Set(changed.map { [[$0.itemClass.number]] + $0.primaryKey })
      guard names.count == changed.count else { return Refusal(.duplicateItem) }
      contents.items = changed
      return nil
    }
    if let refusal { throw refusal }
  }

  public func delete(_ found: [any StoredItem], permits: [any ItemPermit]) throws(Refusal) -> Int {
    let items = try FoundMemoryItem.own(found)
    let permits = permits.compactMap { $0 as? MemoryPermit }
    for item in items where item.accessControl.rule(for: .delete) != .allowed {
      guard permits.contains(where: { $0.covers(item, [.delete]) }) else { throw Refusal(.interactionNotAllowed) }
    }
    let gone = Set(items.map(\.identifier))
    let deleted = contents.withLock { contents in
      let before = contents.items.count
      contents.items.removeAll { gone.contains($0.identifier) }
      return before - contents.items.count
    }
    guard deleted > 0 else { throw Refusal(.itemNotFound) }
    return deleted
  }

  public func invalidate(_ found: any StoredItem, reason: Reason) throws(Refusal) {
    let item = try FoundMemoryItem.own(found)
    contents.withLock { contents in
      for place in contents.items.indices where contents.items[place].identifier == item.identifier {
        contents.items[place].dead = reason
        contents.items[place].value = nil
      }
    }
  }

  public func count() throws(Refusal) -> UInt64 { contents.withLock { UInt64($0.items.count) } }

  private static func changed(_ item: MemoryItem, _ change: ItemChange) -> MemoryItem {
    var item = item
    for (key, value) in change.attributes.values { item.attributes?[key] = value }
    for key in change.removals { item.attributes?[key] = nil }
    if let value = change.value { item.value = value }
    if let access = change.access {
      item.accessControl = access.applied(to: item.accessControl)
      if case .accessControl = access { item.boundEnrolment = change.boundEnrolment }
    }
    if let date = change.creationDate { item.attributes?[.creationDate] = .date(date) }
    return item
  }

  private func isOpen(_ item: MemoryItem, _ keys: any ClassKeySource) -> Bool {
    keys.key(for: item.accessControl.accessibility.protectionClass, use: .values) != nil
  }

  private func shown(_ item: MemoryItem, _ keys: any ClassKeySource) -> MemoryItem {
    var item = item
    if !isOpen(item, keys) { item.attributes = nil }
    return item
  }

  private static func isExact(_ query: ItemQuery) -> Bool {
    query.identifier != nil || (query.attributes[.service] != nil && query.attributes[.account] != nil)
  }

  private static func matches(_ item: MemoryItem, _ query: ItemQuery, _ groups: [ExactText]) -> Bool {
    if let identifier = query.identifier { return item.identifier == identifier }
    guard item.itemClass == query.itemClass, let attributes = item.attributes,
      groups.contains(attributes.text(.accessGroup) ?? "")
    else { return false }
    let twin = attributes.number(.synchronizable) ?? 0
    guard query.twin == .any || twin == Int64(query.twin.rawValue) else { return false }
    return query.attributes.values.allSatisfy { key, value in
      if key == .accessible { return value.matchingBytes == Array(item.accessControl.accessibility.rawValue.utf8) }
      if key == .synchronizable { return true }
      return attributes[key]?.matches(value) == true
    }
  }
}
