import Foundation
import KeychainModel
import SecretMemory
import Testing

@testable import AccessPolicy
@testable import ItemStore

@Suite struct LockedTests {
  /// One item of every protection class in a bound store.
  private static func bound() throws -> StoreFixture {
    let fixture = try StoreFixture()
    try fixture.bind()
    for accessibility in Accessibility.allCases {
      try fixture.add("s", accessibility.name, value: Array(accessibility.rawValue.utf8), access: access(accessibility))
    }
    return fixture
  }

  private static func hold(_ classes: [ProtectionClass], _ fixture: StoreFixture) {
    fixture.keys = fixture.keys.only(classes)
  }

  @Test(arguments: [
    ([ProtectionClass.always], 2), ([.always, .afterFirstUnlock], 4), ([.always, .afterFirstUnlock, .whenUnlocked], 6),
    (ProtectionClass.allCases, 7), ([], 0),
  ])
  func `A list shows what is open and counts the rest`(classes: [ProtectionClass], open: Int) throws {
    let fixture = try Self.bound()
    let before = try fixture.files().filter { !$0.key.hasSuffix("-shm") }
    Self.hold(classes, fixture)
    for query in [StoreFixture.everything, StoreFixture.query("s")] {
      let pages = try fixture.pages(query)
      #expect(pages.flatMap(\.items).count == open)
      #expect(pages.map(\.hidden).reduce(0, +) == 7 - open)
      #expect(pages.flatMap(\.unreadable) == [])
    }
    for accessibility in Accessibility.allCases {
      let item = try fixture.one("s", accessibility.name)
      if classes.contains(accessibility.protectionClass) {
        #expect(try fixture.open(item).value?.unprotectedCopy() == Array(accessibility.rawValue.utf8))
      } else {
        #expect(item.metadata == .locked)
        #expect(throws: StoreError.locked(accessibility.protectionClass)) { try fixture.open(item) }
      }
    }
    #expect(
      try fixture.files().filter { !$0.key.hasSuffix("-shm") } == before, "a refused read changes nothing on the disk")
  }

  @Test func `Nothing is written to a locked class, but deleting works`() throws {
    let fixture = try Self.bound()
    Self.hold([.always], fixture)
    let locked = StoreError.locked(.whenUnlocked)
    #expect(throws: locked) { try fixture.add("new", access: access(.whenUnlocked)) }
    #expect(throws: locked) { try fixture.add("s", "whenUnlocked", access: access(.whenUnlocked), rule: .replace) }
    #expect(throws: StoreError.duplicateItem) { try fixture.add("s", "whenUnlocked", access: access(.always)) }
    #expect(throws: locked) { try fixture.add("s", "whenUnlocked", access: access(.always), rule: .replace) }
    #expect(throws: locked) {
      try fixture.update(StoreFixture.query("s", "whenUnlocked")) { $0.attributes[.label] = .text("x") }
    }
    #expect(throws: locked) {
      try fixture.update(StoreFixture.query("s", "always")) { $0.access = .accessControl(try access(.whenUnlocked)) }
    }
    #expect(try fixture.store.delete(StoreFixture.query("s", "whenUnlocked"), keys: fixture.keys) == 1)
    #expect(try fixture.store.delete(StoreFixture.query("s"), keys: fixture.keys) == 6)
    #expect(try fixture.store.count() == 0)
  }

  @Test func `A delete that locked attributes would have to decide deletes nothing`() throws {
    let fixture = try StoreFixture()
    try fixture.bind()
    try fixture.add("s", "a", label: "x", access: access(.always))
    try fixture.add("s", "b", label: "x", access: access(.whenUnlocked))
    Self.hold([.always], fixture)
    var query = StoreFixture.query("s")
    query.attributes[.label] = .text("x")
    #expect(throws: StoreError.locked(.whenUnlocked)) { try fixture.store.delete(query, keys: fixture.keys) }
    #expect(try fixture.store.count() == 2)
    #expect(try fixture.pages(query).map(\.hidden) == [1])
    query.attributes[.accessible] = .text("dk")
    #expect(try fixture.store.delete(query, keys: fixture.keys) == 1)
  }

  @Test func `A delete by value is refused while locked and deletes only that value when open`() throws {
    let fixture = try StoreFixture()
    try fixture.bind()
    try fixture.add("s", value: [1, 2])
    let keys = fixture.keys
    let query = StoreFixture.query("s", "me")
    func delete(_ value: [UInt8], _ permits: [ChangePermit] = []) throws -> Int {
      try fixture.store.delete(
        query, onlyIf: DeleteCondition(value: StoreFixture.secret(value)), permits: permits, keys: fixture.keys)
    }
    Self.hold([.always], fixture)
    #expect(throws: StoreError.locked(.whenUnlocked)) { try delete([1, 2]) }
    fixture.keys = keys
    #expect(try fixture.value("s") == [1, 2])
    for wrong in [[], [1], [1, 3], [1, 2, 0]] as [[UInt8]] {
      #expect(throws: StoreError.itemNotFound) { try delete(wrong) }
    }
    #expect(try fixture.value("s") == [1, 2])
    #expect(try delete([1, 2]) == 1)
    try fixture.add("s", value: [7], access: access(.whenUnlocked, .userPresence))
    let item = try fixture.one("s")
    #expect(throws: StoreError.permitRequired(item.identifier)) { try delete([7]) }
    #expect(throws: StoreError.permitRequired(item.identifier)) { try delete([7], [fixture.permit(item, .delete)]) }
    #expect(try delete([7], [fixture.permit(item)]) == 1)
  }

  @Test func `An item whose rule constrains deleting is deleted only with a permit for that`() throws {
    let fixture = try StoreFixture()
    let rules: [OperationRule] = [.constrained(.userPresence), .denied]
    for rule in rules {
      try fixture.add("s", access: AccessControl(accessibility: .whenUnlocked, overrides: [.delete: rule]))
      let item = try fixture.one("s")
      let query = StoreFixture.query("s")
      #expect(throws: StoreError.permitRequired(item.identifier)) {
        try fixture.store.delete(query, keys: fixture.keys)
      }
      #expect(throws: StoreError.permitRequired(item.identifier)) {
        try fixture.store.delete(query, permits: [fixture.permit(item, .decrypt)], keys: fixture.keys)
      }
      #expect(try fixture.store.delete(query, permits: [fixture.permit(item, .delete)], keys: fixture.keys) == 1)
    }
  }

  @Test func `Changing a flag, class, enrolment or date in the file makes the row unreadable, not weaker`() throws {
    let weaker = try access(.whenUnlocked).encoded
    let hex = weaker.map { String(Int($0) + 256, radix: 16).suffix(2) }.joined()
    let edits = [
      "access = x'\(hex)'", "enrolment = NULL", "enrolment = x'0909'", "class = 2", "created = 5", "changed = 5",
      "identifier = zeroblob(16)", "primary_hash = zeroblob(32)",
    ]
    for edit in edits {
      let fixture = try StoreFixture()
      let attributes = ItemAttributes([.service: .text("s"), .account: .text("me")])
      var item = NewItem(
        itemClass: .genericPassword, attributes: attributes,
        accessControl: try access(.whenUnlocked, .biometryCurrentSet), value: try StoreFixture.secret([1]))
      item.boundEnrolment = [1, 2]
      _ = try fixture.store.add(item, keys: fixture.keys, now: 1)
      let before = try fixture.one("s")
      #expect(before.boundEnrolment == [1, 2])
      #expect(try fixture.open(before).value?.unprotectedCopy() == [1])
      try fixture.tamper("UPDATE items SET \(edit)")
      let pages = try fixture.pages(StoreFixture.everything)
      #expect(pages.flatMap(\.items).isEmpty, "\(edit)")
      if edit != "class = 2" { #expect(pages.flatMap(\.unreadable).map(\.reason) == [.rowDamaged], "\(edit)") }
      if !edit.hasPrefix("c") || edit == "class = 2" {
        #expect(throws: StoreError.self, "\(edit)") { try fixture.open(before) }
      }
    }
  }

  @Test func `Sealed parts moved to another row do not open there`() throws {
    for column in ["sealed_metadata", "sealed_value", "wrapped_key", "wrapped_key, sealed_value"] {
      let fixture = try StoreFixture()
      try fixture.add("a", value: [1])
      try fixture.add("b", value: [2])
      try fixture.tamper("UPDATE items SET (\(column)) = (SELECT \(column) FROM items WHERE id = 1) WHERE id = 2")
      if let item = try fixture.find(StoreFixture.query("b", "me")).first {
        #expect(throws: StoreError.rowDamaged(item.identifier)) { try fixture.open(item) }
      }
      #expect(try fixture.value("a") == [1])
    }
  }

  @Test func `An invalidated item says why, opens never again, and gives way to a new one`() throws {
    let fixture = try StoreFixture()
    try fixture.add("s", value: [1], access: access(.whenUnlocked, .biometryCurrentSet))
    let item = try fixture.one("s")
    let key = try fixture.open(item).itemKey
    try fixture.store.invalidate(item.identifier, .invalidatedByEnrolment)
    let dead = try fixture.one("s")
    #expect(dead.dead == .invalidatedByEnrolment)
    #expect(throws: StoreError.dead(.invalidatedByEnrolment)) { try fixture.open(dead) }
    #expect(throws: StoreError.dead(.invalidatedByEnrolment)) { try fixture.open(dead, cachedKey: key) }
    #expect(throws: StoreError.dead(.invalidatedByEnrolment)) {
      try fixture.update(StoreFixture.query("s"), permits: [fixture.permit(dead)]) {
        $0.value = try StoreFixture.secret([2])
      }
    }
    let raw = try #require(dead.row.wrappedKey ?? item.row.wrappedKey)
    for (name, content) in try fixture.files() { #expect(content.range(of: Data(raw)) == nil, "\(name)") }
    #expect(try fixture.add("s", value: [3]).outcome == .replacedUnreadable)
    #expect(try fixture.value("s") == [3])
    #expect(throws: StoreError.itemNotFound) { try fixture.store.invalidate(item.identifier, .invalidatedByEnrolment) }
  }

  @Test func `An application password is asked for each time and cannot be left out`() throws {
    let fixture = try StoreFixture()
    let flags = try access(.whenUnlocked, .applicationPassword)
    #expect(throws: StoreError.applicationPasswordRequired) { try fixture.add("s", access: flags) }
    try fixture.add("s", value: [1], access: flags, password: "right")
    let item = try fixture.one("s")
    #expect(throws: StoreError.applicationPasswordRequired) { try fixture.open(item) }
    #expect(throws: StoreError.applicationPasswordRequired) { try fixture.open(item, cachedKey: .random(count: 32)) }
    #expect(throws: StoreError.applicationPasswordWrong) { try fixture.open(item, password: "wrong") }
    let opened = try fixture.open(item, password: "right")
    #expect(opened.value?.unprotectedCopy() == [1])
    #expect(opened.itemKey == nil)
    try fixture.bind()
    #expect(try fixture.open(fixture.one("s"), password: "right").value?.unprotectedCopy() == [1])
    #expect(throws: StoreError.applicationPasswordWrong) { try fixture.open(fixture.one("s"), password: "wrong") }
    #expect(throws: StoreError.applicationPasswordWrong) {
      try fixture.update(StoreFixture.query("s"), permits: [fixture.permit(fixture.one("s"))]) {
        $0.value = try StoreFixture.secret([2])
        $0.applicationPassword = try StoreFixture.secret(Array("wrong".utf8))
      }
    }
    try fixture.update(StoreFixture.query("s"), permits: [fixture.permit(fixture.one("s"))]) {
      $0.access = .accessControl(try access(.whenUnlocked))
      $0.applicationPassword = try StoreFixture.secret(Array("right".utf8))
    }
    #expect(try fixture.value("s") == [1])
  }

  @Test func `No name, label or value stands in the files in the clear`() throws {
    let fixture = try StoreFixture()
    let canaries = [
      "canary-service", "canary-account", "canary-label", "canary-group", "canary-value", "canary-policy",
    ]
    var attributes = ItemAttributes()
    attributes[.service] = .text("canary-service")
    attributes[.account] = .text("canary-account")
    attributes[.label] = .text("canary-label")
    attributes[.accessGroup] = .text("canary-group")
    let item = NewItem(
      itemClass: .genericPassword, attributes: attributes, accessControl: .unconstrained(.always),
      value: try StoreFixture.secret(Array("canary-value".utf8)))
    _ = try fixture.store.add(item, keys: fixture.keys, now: 1)
    try fixture.store.putPolicy(pattern: "canary-policy", text: "canary-policy")
    for bound in [false, true] {
      if bound { try fixture.bind() }
      let files = try fixture.files()
      #expect(files.count >= 2)
      for (name, content) in files {
        for canary in canaries { #expect(content.range(of: Data(canary.utf8)) == nil, "\(canary) in \(name)") }
      }
    }
  }
}
