import Foundation
import KeychainModel
import SecretMemory
import Synchronization
import Testing

@testable import AccessPolicy
@testable import ItemStore

/// A store in a folder of its own, with the keys a daemon would hold.
final class StoreFixture {
  let folder: String
  let deviceKey: SecretBytes
  let owner = StoreOwner(uid: 1000, userName: "alice")
  let fault = FaultPlan()
  private(set) var store: ItemStore
  var keys: ClassKeySet
  var now = 1_700_000_000.0

  init(_ folder: String? = nil) throws {
    self.folder = try folder ?? Self.makeFolder()
    deviceKey = try Self.secret([UInt8](repeating: 7, count: 32))
    store = try ItemStore.open(
      location: StoreLocation(folder: self.folder), deviceKey: deviceKey, owner: owner, mode: .createIfMissing,
      fault: fault)
    keys = try store.deviceWrappedKeys()
  }

  var keepsFolder = false

  deinit { if !keepsFolder { try? FileManager.default.removeItem(atPath: folder) } }

  static func makeFolder() throws -> String {
    let path = NSTemporaryDirectory() + "latchkey-store-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  static func secret(_ bytes: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: bytes) }

  var location: StoreLocation { StoreLocation(folder: folder) }

  func reopen() throws {
    store = try ItemStore.open(
      location: location, deviceKey: deviceKey, owner: owner, mode: .existingOnly, fault: fault)
  }

  @discardableResult
  func add(
    _ service: String, _ account: String = "me", value: [UInt8]? = [1, 2, 3], label: String? = nil,
    access: AccessControl = .unconstrained(.whenUnlocked), rule: DuplicateRule = .refuse, permit: ChangePermit? = nil,
    password: String? = nil
  ) throws -> AddedItem {
    var attributes = ItemAttributes([.service: .text(ExactText(service)), .account: .text(ExactText(account))])
    if let label { attributes[.label] = .text(ExactText(label)) }
    var item = NewItem(
      itemClass: .genericPassword, attributes: attributes, accessControl: access, value: try value.map(Self.secret))
    item.applicationPassword = try password.map { try Self.secret(Array($0.utf8)) }
    now += 1
    return try store.add(item, onDuplicate: rule, permit: permit, keys: keys, now: now)
  }

  func find(_ query: ItemQuery, groups: [ExactText]? = nil) throws -> [SealedItem] {
    try pages(query, groups: groups).flatMap(\.items)
  }

  func pages(_ query: ItemQuery, groups: [ExactText]? = nil, limit: Int = 100) throws -> [ItemPage] {
    var pages: [ItemPage] = []
    var after: UInt64? = 0
    while let from = after {
      let page = try store.find(query, groups: groups, after: from, limit: limit, keys: keys)
      pages.append(page)
      after = page.next
    }
    return pages
  }

  func one(_ service: String, _ account: String = "me") throws -> SealedItem {
    let found = try find(Self.query(service, account))
    return try #require(found.first)
  }

  func open(_ item: SealedItem, cachedKey: SecretBytes? = nil, password: String? = nil) throws -> OpenedItem {
    try store.open(
      item, grant: Grant(item: item.identifier, operation: .decrypt), keys: keys, cachedKey: cachedKey,
      applicationPassword: password.map { try Self.secret(Array($0.utf8)) })
  }

  func value(_ service: String, _ account: String = "me") throws -> [UInt8]? {
    try open(one(service, account)).value?.unprotectedCopy()
  }

  func permit(_ item: SealedItem, _ operation: ItemOperation = .decrypt) throws -> ChangePermit {
    try store.permit(item, grant: Grant(item: item.identifier, operation: operation))
  }

  @discardableResult
  func update(_ query: ItemQuery, permits: [ChangePermit] = [], _ edit: (inout ItemChange) throws -> Void) throws -> Int
  {
    var change = ItemChange()
    try edit(&change)
    now += 1
    return try store.update(query, change: change, permits: permits, keys: keys, now: now)
  }

  /// Binds the keybag to a passcode that stands for itself (no Argon2id).
  @discardableResult
  func bind(_ passcode: UInt8 = 1) throws -> StretchedPasscode {
    let stretched = try Self.passcode(passcode)
    keys = try store.bind(stretched)
    return stretched
  }

  static func passcode(_ byte: UInt8) throws -> StretchedPasscode {
    StretchedPasscode(key: try secret([UInt8](repeating: byte, count: 32)), parameters: .fresh())
  }

  static func query(_ service: String, _ account: String? = nil) -> ItemQuery {
    var query = ItemQuery(
      itemClass: .genericPassword, attributes: ItemAttributes([.service: .text(ExactText(service))]))
    if let account { query.attributes[.account] = .text(ExactText(account)) }
    return query
  }

  static let everything = ItemQuery(itemClass: .genericPassword, twin: .any)

  /// Runs SQL on the file behind the store's back.
  func tamper(_ sql: String) throws {
    let connection = try Connection(path: location.path, access: .readWrite)
    try connection.execute(sql)
  }

  /// The bytes of every file in the folder.
  func files() throws -> [String: Data] {
    try Self.files(folder)
  }

  static func files(_ folder: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      files[name] = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
    }
    return files
  }
}

func access(_ accessibility: Accessibility, _ flags: AccessControlFlags = []) throws -> AccessControl {
  try AccessControl(accessibility: accessibility, flags: flags)
}
