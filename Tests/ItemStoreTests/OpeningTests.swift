import Foundation
import KeychainModel
import SecretMemory
import TestSupport
import Testing

@testable import ItemStore

@Suite struct OpeningTests {
  /// A closed store with three items in it.
  private static func closedStore() throws -> String {
    let folder = try StoreFixture.makeFolder()
    let store = try open(folder)
    let keys = try store.deviceWrappedKeys()
    for account in ["a", "b", "c"] {
      let attributes = ItemAttributes([.service: .text("s"), .account: .text(ExactText(account))])
      let item = NewItem(
        itemClass: .genericPassword, attributes: attributes, accessControl: .unconstrained(.always),
        value: try .random(count: 20))
      _ = try store.add(item, keys: keys, now: 1)
    }
    return folder
  }

  private static func open(
    _ folder: String, key: UInt8 = 7, uid: UInt32 = 1000, name: String = "alice", mode: StoreOpenMode = .createIfMissing
  ) throws(StoreError) -> ItemStore {
    guard let device = try? StoreFixture.secret([UInt8](repeating: key, count: 32)) else { throw .outOfMemory }
    return try ItemStore.open(
      location: StoreLocation(folder: folder), deviceKey: device, owner: StoreOwner(uid: uid, userName: name),
      mode: mode)
  }

  private static func remove(_ folder: String) { try? FileManager.default.removeItem(atPath: folder) }

  @Test func `A missing store is made only where that is asked for`() throws {
    let folder = try StoreFixture.makeFolder()
    defer { Self.remove(folder) }
    #expect(throws: StoreError.missing) { try Self.open(folder, mode: .existingOnly) }
    #expect(try StoreFixture.files(folder).isEmpty)
    _ = try Self.open(folder)
    _ = try Self.open(folder, mode: .existingOnly)
    #expect(try StoreFixture.files(folder).keys.sorted() == ["keychain.db"])
  }

  @Test func `Another device key, user id or user name is refused and the file left as it is`() throws {
    let folder = try Self.closedStore()
    defer { Self.remove(folder) }
    let before = try StoreFixture.files(folder)
    #expect(throws: StoreError.foreign(.deviceKey)) { try Self.open(folder, key: 8) }
    #expect(throws: StoreError.foreign(.uid(1000))) { try Self.open(folder, uid: 1001) }
    #expect(throws: StoreError.foreign(.userName)) { try Self.open(folder, name: "bob") }
    #expect(try StoreFixture.files(folder) == before)
  }

  @Test func `A newer format and a foreign database are refused and left as they are`() throws {
    for (sql, error) in [
      ("PRAGMA user_version = 9999", StoreError.newer(format: 9999)), ("PRAGMA application_id = 5", .damaged(.header)),
      ("PRAGMA user_version = 0", .damaged(.header)), ("DELETE FROM header", .damaged(.header)),
      ("DELETE FROM keybag", .damaged(.keybag)), ("DROP TABLE keybag", .damaged(.database)),
      ("DROP TABLE items", .damaged(.database)),
      ("UPDATE keybag SET record = CAST(record || x'00' AS BLOB)", .damaged(.keybag)),
      ("UPDATE keybag SET mark = zeroblob(32)", .damaged(.keybag)),
      ("UPDATE header SET index_key = zeroblob(72)", .damaged(.header)),
    ] {
      let folder = try Self.closedStore()
      defer { Self.remove(folder) }
      try Connection(path: StoreLocation(folder: folder).path, access: .readWrite).execute(sql)
      let before = try StoreFixture.files(folder)
      #expect(throws: error, "\(sql)") { try Self.open(folder) }
      #expect(try StoreFixture.files(folder) == before, "\(sql)")
    }
  }

  @Test(arguments: [0, 1, 15, 16, 99, 100, 512, 4095, 4096, 8192, 12288])
  func `A cut file is refused and left as it is`(length: Int) throws {
    let folder = try Self.closedStore()
    defer { Self.remove(folder) }
    let file = URL(fileURLWithPath: folder + "/keychain.db")
    try Data(contentsOf: file).prefix(length).write(to: file)
    let before = try StoreFixture.files(folder)
    let error = #expect(throws: StoreError.self) { try Self.open(folder) }
    #expect([.damaged(.database), .damaged(.header)].contains(error))
    #expect(try StoreFixture.files(folder) == before)
  }

  @Test func `Files that are no store are refused and left as they are`() throws {
    for content in [
      Data("hello".utf8), Data(count: 4096), Data((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
    ] {
      let folder = try StoreFixture.makeFolder()
      defer { Self.remove(folder) }
      try content.write(to: URL(fileURLWithPath: folder + "/keychain.db"))
      let before = try StoreFixture.files(folder)
      #expect(throws: StoreError.damaged(.database)) { try Self.open(folder) }
      #expect(try StoreFixture.files(folder) == before)
    }
  }

  @Test func `A flipped byte anywhere either costs one row or refuses the file unchanged, and never makes a new store`()
    throws
  {
    let folder = try Self.closedStore()
    defer { Self.remove(folder) }
    let file = URL(fileURLWithPath: folder + "/keychain.db")
    let whole = try Data(contentsOf: file)
    var generator = SeededGenerator(seed: 11)
    var refused = 0
    for round in 0..<400 {
      var bytes = whole
      let place = round < 100 ? round : Int.random(in: 0..<whole.count, using: &generator)
      bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
      try bytes.write(to: file)
      do throws(StoreError) {
        let store = try Self.open(folder)
        let page = try store.find(StoreFixture.everything, limit: 10, keys: try store.deviceWrappedKeys())
        #expect(page.items.count + page.unreadable.count + page.hidden >= 2, "byte \(place)")
        #expect(page.items.count >= 2, "byte \(place)")
      } catch {
        refused += 1
        #expect(
          [Reason.storeDamaged, .storeNewer, .storeForeign, .ioFailed].contains(error.reason), "byte \(place): \(error)"
        )
        #expect(try Data(contentsOf: file) == bytes)
      }
      for name in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder + "/keychain.db" + name) }
    }
    #expect(refused > 50)
  }

  @Test func `One bad record leaves the rest readable and gives way to an add`() throws {
    let fixture = try StoreFixture()
    for account in ["a", "b", "c"] { try fixture.add("s", account, value: Array(account.utf8)) }
    for sql in [
      "UPDATE items SET sealed_metadata = zeroblob(80) WHERE id = 2", "UPDATE items SET access = x'0000' WHERE id = 2",
      "UPDATE items SET wrapped_key = zeroblob(72) WHERE id = 2",
      "UPDATE items SET sealed_value = zeroblob(80) WHERE id = 2",
    ] {
      let bad = try fixture.one("s", "b")
      try fixture.tamper(sql)
      let pages = try fixture.pages(StoreFixture.query("s"))
      #expect(pages.flatMap(\.items).filter { $0.identifier != bad.identifier }.count == 2)
      #expect(pages.map(\.hidden) == [0])
      #expect(try fixture.value("s", "a") == Array("a".utf8))
      #expect(try fixture.value("s", "c") == Array("c".utf8))
      #expect(try fixture.add("s", "b", value: [9]).outcome == .replacedUnreadable)
      #expect(try fixture.value("s", "b") == [9])
      try fixture.tamper("UPDATE items SET id = 2 WHERE id = 4")
    }
    try fixture.tamper("UPDATE items SET sealed_value = zeroblob(80) WHERE id = 2")
    let damaged = try fixture.one("s", "b")
    #expect(throws: StoreError.rowDamaged(damaged.identifier)) { try fixture.open(damaged) }
    try fixture.tamper("UPDATE items SET sealed_metadata = zeroblob(80) WHERE id = 2")
    #expect(try fixture.pages(StoreFixture.query("s")).flatMap(\.unreadable).map(\.reason) == [.rowDamaged])
    #expect(try fixture.store.delete(StoreFixture.query("s", "b"), keys: fixture.keys) == 1)
    #expect(try fixture.store.count() == 2)
  }

  @Test func `A creation killed at any step is taken up again, and an acknowledged store never is`() throws {
    for step in 0... {
      let folder = try StoreFixture.makeFolder()
      defer { Self.remove(folder) }
      let plan = FaultPlan()
      plan.arm(after: step)
      let device = try StoreFixture.secret([UInt8](repeating: 7, count: 32))
      let owner = StoreOwner(uid: 1000, userName: "alice")
      let location = StoreLocation(folder: folder)
      let first = try? ItemStore.open(
        location: location, deviceKey: device, owner: owner, mode: .createIfMissing, fault: plan)
      let store = try Self.open(folder)
      #expect(store.keybagState(holding: []) == .unbound)
      #expect(try StoreFixture.files(folder).keys.filter { $0.hasSuffix(".new") || $0.hasSuffix("-journal") } == [])
      if first != nil {
        #expect(step > 5)
        break
      }
    }
  }

  @Test func `A log without its database is not taken for a missing store`() throws {
    let folder = try StoreFixture.makeFolder()
    defer { Self.remove(folder) }
    try Data([1]).write(to: URL(fileURLWithPath: folder + "/keychain.db-wal"))
    #expect(throws: StoreError.damaged(.database)) { try Self.open(folder) }
    #expect(try StoreFixture.files(folder).count == 1)
  }

  @Test(arguments: [true, false])
  func `A store whose file goes away while it is open takes no change that would be lost`(_ isReplaced: Bool) throws {
    let fixture = try StoreFixture()
    try fixture.add("s", value: [1])
    let file = "\(fixture.folder)/\(StoreLocation.fileName)"
    if isReplaced {
      try FileManager.default.copyItem(atPath: file, toPath: file + ".copy")
      try #require(rename(file + ".copy", file) == 0)
    } else {
      try #require(unlink(file) == 0)
    }
    #expect(throws: StoreError.replaced) { try fixture.add("t", value: [2]) }
    #expect(throws: StoreError.replaced) {
      _ = try fixture.store.recordMiss(at: .init(wallSeconds: 0, bootSeconds: 0, bootID: []))
    }
    #expect(try fixture.value("s") == [1])
    #expect(StoreError.replaced.reason == .storeDamaged)
  }
}
