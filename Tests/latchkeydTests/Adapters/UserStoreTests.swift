import AccessPolicy
import Dispatch
import Foundation
import KeychainModel
import KeychainService
import SecretMemory
import Synchronization
import Testing

@testable import latchkeyd

@Suite struct UserStoreTests {
  private func new(_ account: String, _ access: AccessControl = .unconstrained(.whenUnlocked), _ value: String = "v")
    -> NewItem
  {
    NewItem(
      itemClass: .genericPassword,
      attributes: ItemAttributes([
        .service: .text("mail"), .account: .text(ExactText(account)), .accessGroup: .text("default"),
        .synchronizable: .number(0),
      ]), accessControl: access, boundEnrolment: nil, value: secret(value), applicationPassword: nil)
  }

  private func query(_ account: String? = nil) -> ItemQuery {
    var query = ItemQuery(itemClass: .genericPassword, attributes: ItemAttributes([.service: .text("mail")]))
    if let account { query.attributes[.account] = .text(ExactText(account)) }
    return query
  }

  private func found(_ store: UserStore, _ query: ItemQuery, limit: Int = 256) throws -> StoredPage {
    try store.find(
      query, groups: ["default"], page: PageRequest(after: nil, limit: limit), keys: StoreOwnKeys(store: store))
  }

  // MARK: Folder and device key

  @Test func `folder, device key and every file of a store are closed to others`() throws {
    let folder = ScratchFolder()
    let store = try folder.store("deep/down/store")
    _ = try store.add(new("a"), keys: StoreOwnKeys(store: store))
    #expect(folder.mode("deep/down/store") == 0o700)
    #expect(folder.mode("device.key") == 0o600)
    #expect(folder.bytes("device.key")?.count == 32)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder("deep/down/store")) {
      #expect(folder.mode("deep/down/store/" + name) & 0o077 == 0, "\(name)")
    }
  }

  @Test func `a store folder that was open is closed`() throws {
    let folder = ScratchFolder()
    mkdir(folder("store"), 0o755)
    chmod(folder("store"), 0o755)
    _ = try folder.store()
    #expect(folder.mode("store") == 0o700)
  }

  @Test func `the device key is made once and kept`() throws {
    let folder = ScratchFolder()
    _ = try folder.store()
    let key = folder.bytes("device.key")
    _ = try folder.store()
    #expect(folder.bytes("device.key") == key)
  }

  @Test func `users whose stores open at the same time share one device key`() throws {
    for _ in 0..<10 {
      let folder = ScratchFolder()
      let refusals = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { number in
        let account = UserAccountName(uid: UInt32(1000 + number), name: "u\(number)")
        let refused = refusal { try folder.store("\(number)", account: account) }
        if let refused { refusals.withLock { $0.append("\(refused)") } }
      }
      #expect(refusals.withLock { $0 } == [])
      for number in 0..<8 {
        let account = UserAccountName(uid: UInt32(1000 + number), name: "u\(number)")
        _ = try folder.store("\(number)", account: account)
      }
    }
  }

  @Test(arguments: ["store", "other"])
  func `a device key that is missing beside a store is never made anew`(opened: String) throws {
    let folder = ScratchFolder()
    do { _ = try folder.store() }
    let database = folder.bytes("store/keychain.db")
    unlink(folder("device.key"))
    let refused = refusal { try folder.store(opened, account: UserAccountName(uid: 1001, name: "bob")) }
    #expect(refused?.reason == .storeDamaged)
    #expect(refused?.detail.contains("device.key is missing") == true)
    #expect(folder.bytes("device.key") == nil)
    #expect(folder.bytes("store/keychain.db") == database)
  }

  @Test func `a device key that is not what was made is refused and left alone`() throws {
    let broken: [(String, (ScratchFolder) -> Void, Reason)] = [
      ("short", { $0.write(String(repeating: "k", count: 31), to: "device.key", mode: 0o600) }, .storeDamaged),
      ("long", { $0.write(String(repeating: "k", count: 33), to: "device.key", mode: 0o600) }, .storeDamaged),
      ("open", { $0.write(String(repeating: "k", count: 32), to: "device.key", mode: 0o640) }, .storeDamaged),
      ("folder", { mkdir($0("device.key"), 0o700) }, .storeDamaged),
      (
        "link",
        {
          $0.write(String(repeating: "k", count: 32), to: "elsewhere", mode: 0o600)
          symlink($0("elsewhere"), $0("device.key"))
        }, .storeDamaged
      ),
      (
        "foreign",
        {
          $0.write(String(repeating: "k", count: 32), to: "device.key", mode: 0o600)
          chown($0("device.key"), 65_534, 65_534)
        }, .storeForeign
      ),
    ]
    for (name, spoil, reason) in broken {
      let folder = ScratchFolder()
      spoil(folder)
      let before = folder.bytes("device.key")
      #expect(refusal { try folder.store() }?.reason == reason, "\(name)")
      #expect(folder.bytes("device.key") == before, "\(name)")
    }
  }

  @Test func `a folder that is another user's, or none, is refused`() throws {
    let folder = ScratchFolder()
    mkdir(folder("foreign"), 0o700)
    chown(folder("foreign"), 65_534, 65_534)
    #expect(refusal { try folder.store("foreign") }?.reason == .storeForeign)
    folder.write("", to: "file")
    #expect(refusal { try folder.store("file") }?.reason == .storeDamaged)
    mkdir(folder("real"), 0o700)
    symlink(folder("real"), folder("link"))
    #expect(refusal { try folder.store("link") }?.reason == .storeDamaged)
  }

  @Test func `a re-used user id, another user and another device key are told apart from damage`() throws {
    let folder = ScratchFolder()
    do { _ = try folder.store() }
    let carol = refusal { try folder.store(account: UserAccountName(uid: 1000, name: "carol")) }
    #expect(carol?.reason == .storeForeign)
    #expect(carol?.detail.contains("earlier holder") == true)
    #expect(refusal { try folder.store(account: UserAccountName(uid: 1001, name: "alice")) }?.reason == .storeForeign)
    folder.write(String(repeating: "k", count: 32), to: "device.key", mode: 0o600)
    #expect(refusal { try folder.store() }?.detail.contains("another device key") == true)
    folder.write("no database", to: "store/keychain.db", mode: 0o600)
    let damaged = refusal { try folder.store() }
    #expect(damaged?.reason == .storeDamaged)
    #expect(damaged?.detail.contains(folder("store/keychain.db")) == true)
    #expect(folder.bytes("store/keychain.db").map { String(decoding: $0, as: UTF8.self) } == "no database")
  }

  // MARK: What the store itself enforces

  @Test func `the store changes no protected value, flag or name without the grant of that very item`() throws {
    let folder = ScratchFolder()
    let store = try folder.store()
    let keys = StoreOwnKeys(store: store)
    let guarded = try AccessControl(accessibility: .whenUnlocked, flags: .userPresence)
    let item = try store.add(new("a", guarded), keys: keys)
    let other = try store.add(new("b", guarded), keys: keys)
    var value = ItemChange()
    value.value = secret("w")
    var flags = ItemChange()
    flags.access = .accessControl(.unconstrained(.whenUnlocked))
    let name = ItemChange(attributes: ItemAttributes([.account: .text("c")]))
    let foreign = try store.permit(other, grant: grant(other.identifier, .decrypt))
    for change in [value, flags, name] {
      for permits in [[], [foreign]] {
        let refused = refusal { try store.update([item], change: change, permits: permits, keys: keys) }
        #expect(refused?.reason == .interactionNotAllowed)
      }
    }
    #expect(refusal { try store.permit(item, grant: grant(other.identifier, .decrypt)) }?.reason == .internalFailure)
    let label = ItemChange(attributes: ItemAttributes([.label: .text("L")]))
    try store.update([item], change: label, permits: [], keys: keys)
    let permit = try store.permit(item, grant: grant(item.identifier, .decrypt))
    try store.update([item], change: value, permits: [permit], keys: keys)
    let again = try #require(try found(store, query("a")).items.first)
    let opened = try store.open(
      again, grant: grant(again.identifier, .decrypt), keys: keys, itemKey: nil, applicationPassword: nil)
    #expect(text(opened.value) == "w")
    #expect(again.attributes?.text(.label) == "L")
  }

  @Test func `the store deletes no item whose own rule wants a proof without it`() throws {
    let folder = ScratchFolder()
    let store = try folder.store()
    let keys = StoreOwnKeys(store: store)
    let rule = try AccessControl(
      accessibility: .whenUnlocked, overrides: [.delete: .constrained(.passcode)])
    let item = try store.add(new("a", rule), keys: keys)
    let plain = try store.add(new("b"), keys: keys)
    #expect(refusal { try store.delete([plain, item], permits: []) }?.reason == .interactionNotAllowed)
    #expect(try store.count() == 2)
    let wrong = try store.permit(item, grant: grant(item.identifier, .decrypt))
    #expect(refusal { try store.delete([item], permits: [wrong]) }?.reason == .interactionNotAllowed)
    let permit = try store.permit(item, grant: grant(item.identifier, .delete))
    #expect(try store.delete([plain, item], permits: [permit]) == 2)
    #expect(refusal { try store.delete([plain], permits: []) }?.reason == .itemNotFound)
  }

  @Test func `what changed since it was found is neither changed, deleted nor opened`() throws {
    let folder = ScratchFolder()
    let store = try folder.store()
    let keys = StoreOwnKeys(store: store)
    let item = try store.add(new("a"), keys: keys)
    var change = ItemChange()
    change.access = .accessControl(try AccessControl(accessibility: .whenUnlocked, flags: .userPresence))
    try store.update([item], change: change, permits: [], keys: keys)
    #expect(refusal { try store.update([item], change: ItemChange(), permits: [], keys: keys) }?.reason == .itemChanged)
    #expect(refusal { try store.delete([item], permits: []) }?.reason == .itemChanged)
    let opened = refusal {
      try store.open(
        item, grant: grant(item.identifier, .decrypt), keys: keys, itemKey: nil, applicationPassword: nil)
    }
    #expect(opened?.reason == .itemChanged)
    #expect(try store.count() == 1)
  }

  // MARK: Pages

  @Test func `one match behind thousands of other rows is found, and pages come in order, each row once`() throws {
    let folder = ScratchFolder()
    let store = try folder.store()
    try fill(store, 5000)
    var labelled = new("last")
    labelled.attributes[.label] = .text("needle")
    let added = try store.add(labelled, keys: StoreOwnKeys(store: store))
    var wanted = ItemQuery(itemClass: .genericPassword, limit: .all)
    wanted.attributes[.label] = .text("needle")
    #expect(try found(store, wanted).items.map(\.identifier) == [added.identifier])
    wanted.attributes[.label] = .text("hay")
    let none = try found(store, wanted)
    #expect(none.items.isEmpty && none.next == nil)
    var seen: [UInt64] = []
    var after: UInt64?
    repeat {
      let page = try store.find(
        ItemQuery(itemClass: .genericPassword, limit: .all), groups: ["default"],
        page: PageRequest(after: after, limit: 256), keys: StoreOwnKeys(store: store))
      #expect(page.items.count <= 256)
      seen += page.items.map(\.cursor)
      after = page.next
    } while after != nil
    #expect(seen.count == 5001 && seen == seen.sorted() && Set(seen).count == seen.count)
  }

  @Test func `a damaged row says so by its name, hides no other, and can be deleted`() throws {
    let folder = ScratchFolder()
    do {
      let store = try folder.store()
      for name in ["a", "b", "c"] { _ = try store.add(new(name), keys: StoreOwnKeys(store: store)) }
    }
    try tamper(folder("store"), "UPDATE items SET sealed_metadata = zeroblob(60) WHERE id = 2")
    let store = try folder.store()
    let page = try found(store, query())
    #expect(page.items.map(\.dead) == [nil, .rowDamaged, nil])
    let damaged = try #require(try found(store, query("b")).items.first)
    #expect(damaged.dead == .rowDamaged && damaged.attributes == nil)
    let opened = refusal {
      try store.open(
        damaged, grant: grant(damaged.identifier, .decrypt), keys: StoreOwnKeys(store: store), itemKey: nil,
        applicationPassword: nil)
    }
    #expect(opened?.reason == .rowDamaged)
    #expect(try store.delete([damaged], permits: []) == 1)
    #expect(try found(store, query()).items.count == 2)
  }

  @Test func `attributes that a name leaves out count as empty when an item is looked up by it`() throws {
    let folder = ScratchFolder()
    let store = try folder.store()
    let keys = StoreOwnKeys(store: store)
    let bare = NewItem(
      itemClass: .internetPassword,
      attributes: ItemAttributes([.server: .text("example.com"), .accessGroup: .text("default")]),
      accessControl: .unconstrained(.whenUnlocked), boundEnrolment: nil, value: nil, applicationPassword: nil)
    let added = try store.add(bare, keys: keys)
    let existing = try store.existing(.internetPassword, attributes: bare.attributes, keys: keys)
    #expect(existing?.identifier == added.identifier)
    var other = bare.attributes
    other[.port] = .number(25)
    #expect(try store.existing(.internetPassword, attributes: other, keys: keys) == nil)
  }

  private func fill(_ store: UserStore, _ count: Int) throws {
    try addMany(store, count)
  }

  // MARK: Passcodes

  @Test func `wrong passcodes are counted over a new start, and the wait with them`() throws {
    let folder = ScratchFolder()
    do {
      let store = try folder.store()
      for _ in 0..<5 { _ = try store.countMiss() }
    }
    let store = try folder.store()
    let tally = try store.tally()
    #expect(tally.misses == 5 && (55...60).contains(tally.retryAfterSeconds))
    try store.clearMisses()
    #expect(try store.tally() == PasscodeTally(misses: 0, retryAfterSeconds: 0))
  }

  @Test func `a passcode that changed elsewhere is mended with the old one or the recovery key`() throws {
    let folder = ScratchFolder()
    let store = try folder.store()
    let parameters = try store.newStretching()
    #expect(parameters.operations == 2 && parameters.memoryBytes == 67_108_864)
    let keys = try store.bind(stretched: secret("old"), parameters: parameters)
    #expect(try store.keybagRecord() == .bound(parameters, recovery: .absent))
    #expect(refusal { try store.unlock(stretched: secret("new")) }?.reason == .passcodeChanged)
    _ = try store.rebind(oldStretched: secret("old"), newStretched: secret("new"), parameters: parameters)
    let same = try store.unlock(stretched: secret("new"))[.whenUnlocked, .values]
    #expect(same.map { keys[.whenUnlocked, .values]?.equals($0) == true } == true)
    #expect(
      refusal { try store.recover(recoveryKey: secret("x"), newStretched: secret("3"), parameters: parameters) }?.reason
        == .noRecoveryKey)
    let recovery = try store.makeRecoveryKey(keys)
    #expect(try store.keybagRecord() == .bound(parameters, recovery: .made))
    #expect(
      refusal { try store.recover(recoveryKey: secret("x"), newStretched: secret("3"), parameters: parameters) }?.reason
        == .recoveryKeyWrong)
    _ = try store.recover(recoveryKey: recovery, newStretched: secret("third"), parameters: parameters)
    _ = try store.unlock(stretched: secret("third"))
  }
}
