import Foundation
import KeychainModel
import SecretMemory
import Testing

@testable import AccessPolicy
@testable import ItemStore

@Suite struct ItemRuleTests {
  @Test func `A second add of a primary key is a duplicate whatever its class of accessibility`() throws {
    let fixture = try StoreFixture()
    try fixture.add("s", value: [1], access: access(.whenUnlocked))
    #expect(throws: StoreError.duplicateItem) { try fixture.add("s", value: [2], access: access(.always)) }
    #expect(try fixture.value("s") == [1])
    var query = StoreFixture.query("s", "me")
    query.attributes[.accessible] = .text("dk")
    #expect(try fixture.find(query).isEmpty)
    #expect(throws: StoreError.itemNotFound) { try fixture.store.delete(query, keys: fixture.keys) }
    try fixture.update(StoreFixture.query("s", "me")) { $0.access = .accessControl(try access(.always)) }
    #expect(try fixture.find(query).count == 1)
    #expect(try fixture.store.count() == 1)
    #expect(try fixture.value("s") == [1])
  }

  @Test func `Group and twin tell items apart, and a query spans the groups it is given`() throws {
    let fixture = try StoreFixture()
    for group in ["a", "b"] {
      for twin in [0, 1] as [Int64] {
        let item = NewItem(
          itemClass: .genericPassword,
          attributes: ItemAttributes([
            .service: .text("s"), .account: .text("me"), .accessGroup: .text(ExactText(group)),
            .synchronizable: .number(twin),
          ]), accessControl: .unconstrained(.always), value: nil)
        _ = try fixture.store.add(item, keys: fixture.keys, now: 1)
      }
    }
    for query in [StoreFixture.query("s", "me"), StoreFixture.query("s"), ItemQuery(itemClass: .genericPassword)] {
      for (twin, count) in [(SynchronizableFilter.local, 1), (.synchronized, 1), (.any, 2)] {
        var query = query
        query.twin = twin
        #expect(try fixture.find(query, groups: nil).count == count * 2)
        #expect(try fixture.find(query, groups: ["b"]).count == count)
        #expect(try fixture.find(query, groups: ["b", "c", "a"]).count == count * 2)
        #expect(try fixture.find(query, groups: []).isEmpty)
        query.attributes[.accessGroup] = .text("a")
        #expect(try fixture.find(query, groups: nil).count == count)
        #expect(try fixture.find(query, groups: ["b"]).isEmpty)
      }
    }
  }

  @Test func `Internet passwords differ in any part of their key`() throws {
    let fixture = try StoreFixture()
    let base: [AttributeKey: AttributeValue] = [.server: .text("h"), .account: .text("me")]
    let variants: [[AttributeKey: AttributeValue]] = [
      [:], [.port: .number(443)], [.path: .text("/x")], [.protocolType: .text("htps")], [.securityDomain: .text("d")],
    ]
    for variant in variants {
      let item = NewItem(
        itemClass: .internetPassword, attributes: ItemAttributes(base.merging(variant) { $1 }),
        accessControl: .unconstrained(.always), value: nil)
      _ = try fixture.store.add(item, keys: fixture.keys, now: 1)
      #expect(throws: StoreError.duplicateItem) { try fixture.store.add(item, keys: fixture.keys, now: 1) }
    }
    #expect(try fixture.find(ItemQuery(itemClass: .internetPassword, attributes: ItemAttributes(base))).count == 5)
    var query = ItemQuery(itemClass: .internetPassword, attributes: ItemAttributes(base))
    query.attributes[.port] = .number(443)
    #expect(try fixture.find(query).count == 1)
    query.attributes[.port] = .number(0)
    #expect(try fixture.find(query).count == 4)
  }

  @Test func `Matching is by exact bytes, text and data alike`() throws {
    let fixture = try StoreFixture()
    try fixture.add("caf\u{e9}")
    #expect(try fixture.find(StoreFixture.query("cafe\u{301}")).isEmpty)
    #expect(try fixture.find(StoreFixture.query("CAF\u{c9}")).isEmpty)
    var query = ItemQuery(itemClass: .genericPassword)
    query.attributes[.service] = .data(Array("caf\u{e9}".utf8))
    #expect(try fixture.find(query).count == 1)
  }

  @Test func `A page holds the items in the order of adding and goes on where it stopped`() throws {
    let fixture = try StoreFixture()
    for number in 0..<25 { try fixture.add(number % 2 == 0 ? "even" : "odd", String(number), label: "l\(number % 5)") }
    for (query, count) in [
      (StoreFixture.everything, 25), (StoreFixture.query("even"), 13),
      (ItemQuery(itemClass: .genericPassword, attributes: ItemAttributes([.label: .text("l3")])), 5),
      (ItemQuery(itemClass: .genericPassword, attributes: ItemAttributes([.account: .text("7")])), 1),
    ] {
      for limit in [1, 2, 7, 100] {
        let pages = try fixture.pages(query, limit: limit)
        let accounts = pages.flatMap(\.items).compactMap { $0.attributes?.text(.account).flatMap { Int($0.string) } }
        #expect(accounts.count == count)
        #expect(accounts == accounts.sorted())
        #expect(pages.allSatisfy { $0.items.count <= limit })
      }
    }
  }

  @Test func `An item is found by its identifier, and by nothing else beside it`() throws {
    let fixture = try StoreFixture()
    let added = try fixture.add("s")
    try fixture.add("t")
    #expect(
      try fixture.find(ItemQuery(itemClass: nil, identifier: added.identifier)).map(\.identifier) == [added.identifier])
    #expect(try fixture.find(ItemQuery(itemClass: .certificate, identifier: added.identifier)).isEmpty)
    let both = ItemQuery(
      itemClass: nil, identifier: added.identifier, attributes: ItemAttributes([.service: .text("s")]))
    #expect(throws: StoreError.queryInvalid) { try fixture.find(both) }
    #expect(throws: StoreError.queryInvalid) { try fixture.find(ItemQuery(itemClass: nil)) }
  }

  @Test func `A row number that is used again does not bring an old identifier back`() throws {
    let fixture = try StoreFixture()
    try fixture.add("s")
    let old = try fixture.add("t")
    let found = try fixture.one("t")
    #expect(try fixture.store.delete(StoreFixture.query("t"), keys: fixture.keys) == 1)
    let new = try fixture.add("u")
    #expect(new.identifier.high == old.identifier.high && new.identifier != old.identifier)
    #expect(try fixture.find(ItemQuery(itemClass: nil, identifier: old.identifier)).isEmpty)
    #expect(throws: StoreError.itemNotFound) { try fixture.open(found) }
    #expect(throws: StoreError.itemNotFound) { try fixture.store.invalidate(old.identifier, .passcodeRemoved) }
    #expect(try fixture.one("u").identifier == new.identifier)
  }

  @Test func `A name is found in every group, in the order of adding, and no other name with it`() throws {
    let fixture = try StoreFixture()
    for number in 0..<40 {
      var attributes = ItemAttributes([.service: .text("s"), .account: .text("me")])
      attributes[.accessGroup] = .text(ExactText("group-\(number * 7 % 40)"))
      let item = NewItem(
        itemClass: .genericPassword, attributes: attributes, accessControl: .unconstrained(.always), value: nil)
      _ = try fixture.store.add(item, keys: fixture.keys, now: 1)
      try fixture.add("s", "other-\(number)")
    }
    let pages = try fixture.pages(StoreFixture.query("s", "me"), limit: 7)
    let groups = pages.flatMap(\.items).compactMap { $0.attributes?.text(.accessGroup) }
    #expect(groups == (0..<40).map { ExactText("group-\($0 * 7 % 40)") })
    #expect(pages.count >= 6)
  }

  @Test func `An update keeps creation date and name for life, and its date is always later`() throws {
    let fixture = try StoreFixture()
    try fixture.add("s", value: [1], label: "old")
    let before = try fixture.one("s")
    fixture.now = 5
    try fixture.update(StoreFixture.query("s")) { $0.attributes[.label] = .text("new") }
    let after = try fixture.one("s")
    #expect(after.identifier == before.identifier)
    #expect(after.attributes?.date(.creationDate) == before.attributes?.date(.creationDate))
    #expect(
      try #require(after.attributes?.date(.modificationDate)) > #require(before.attributes?.date(.modificationDate)))
    #expect(after.attributes?.text(.label) == "new")
    #expect(try fixture.value("s") == [1])
    try fixture.update(StoreFixture.query("s")) { $0.removals = [.label] }
    #expect(try fixture.one("s").attributes?.text(.label) == nil)
  }

  @Test func `A value update leaves every attribute as it was`() throws {
    let fixture = try StoreFixture()
    try fixture.add("s", value: [1], label: "l", access: access(.whenUnlocked, .userPresence))
    let before = try fixture.one("s")
    try fixture.update(StoreFixture.query("s"), permits: [fixture.permit(before)]) {
      $0.value = try StoreFixture.secret([2])
    }
    let after = try fixture.one("s")
    var (left, right) = (before.attributes, after.attributes)
    left?[.modificationDate] = nil
    right?[.modificationDate] = nil
    #expect(left == right)
    #expect(after.accessControl == before.accessControl)
    #expect(try fixture.value("s") == [2])
  }

  @Test func `Every match changes or none does`() throws {
    let fixture = try StoreFixture()
    for account in ["a", "b", "c"] { try fixture.add("s", account, value: [1]) }
    try fixture.add("t", "b")
    let before = try fixture.find(StoreFixture.everything).map(\.attributes)
    #expect(throws: StoreError.duplicateItem) {
      try fixture.update(StoreFixture.query("s")) { $0.attributes[.service] = .text("t") }
    }
    #expect(throws: StoreError.duplicateItem) {
      try fixture.update(StoreFixture.query("s")) { $0.attributes[.account] = .text("same") }
    }
    #expect(try fixture.find(StoreFixture.everything).map(\.attributes) == before)
    #expect(try fixture.update(StoreFixture.query("s")) { $0.value = try StoreFixture.secret([5]) } == 3)
    for account in ["a", "b", "c"] { #expect(try fixture.value("s", account) == [5]) }
    #expect(throws: StoreError.itemNotFound) {
      try fixture.update(StoreFixture.query("none")) { $0.removals = [.label] }
    }
  }

  @Test func `A rename moves the item to its new name`() throws {
    let fixture = try StoreFixture()
    try fixture.add("old", value: [4])
    try fixture.update(StoreFixture.query("old")) { $0.attributes[.service] = .text("new") }
    #expect(try fixture.find(StoreFixture.query("old", "me")).isEmpty)
    #expect(try fixture.value("new") == [4])
    try fixture.add("old", value: [5])
    #expect(try fixture.value("old") == [5])
  }

  @Test func `Replacing keeps name and date, and takes value and given attributes`() throws {
    let fixture = try StoreFixture()
    let first = try fixture.add("s", value: [1], label: "l")
    let date = try fixture.one("s").attributes?.date(.creationDate)
    let second = try fixture.add("s", value: [2], rule: .replace)
    #expect(second.outcome == .replaced)
    #expect(second.identifier == first.identifier)
    #expect(try fixture.value("s") == [2])
    #expect(try fixture.one("s").attributes?.text(.label) == "l")
    #expect(try fixture.one("s").attributes?.date(.creationDate) == date)
  }

  @Test func `A protected value, its flags and its name change only with a permit; its label needs none`() throws {
    let fixture = try StoreFixture()
    try fixture.add("s", value: [1], access: access(.whenUnlocked, .userPresence))
    let item = try fixture.one("s")
    let other = try fixture.add("other", access: access(.whenUnlocked, .userPresence))
    let refused = StoreError.permitRequired(item.identifier)
    let edits: [(inout ItemChange) throws -> Void] = [
      { $0.value = try StoreFixture.secret([2]) }, { $0.access = .accessControl(.unconstrained(.whenUnlocked)) },
      { $0.attributes[.account] = .text("new") },
    ]
    for edit in edits {
      #expect(throws: refused) { try fixture.update(StoreFixture.query("s"), edit) }
      #expect(throws: refused) {
        try fixture.update(StoreFixture.query("s"), permits: [fixture.permit(fixture.one("other"))], edit)
      }
      #expect(throws: StoreError.grantMismatch) {
        try fixture.update(StoreFixture.query("s"), permits: [fixture.permit(item, .delete)], edit)
      }
    }
    #expect(throws: refused) { try fixture.add("s", value: [3], rule: .replace) }
    #expect(try fixture.value("s") == [1])
    try fixture.update(StoreFixture.query("s")) { $0.attributes[.label] = .text("free") }
    #expect(try fixture.value("s") == [1])
    for edit in edits {
      try fixture.update(StoreFixture.query("s"), permits: [fixture.permit(fixture.one("s", "me"))], edit)
    }
    #expect(try fixture.value("s", "new") == [2])
    #expect(other.outcome == .added)
  }

  @Test func `A permit given for other flags is worth nothing`() throws {
    let fixture = try StoreFixture()
    try fixture.add("s", access: access(.whenUnlocked, .userPresence))
    let permit = try fixture.permit(fixture.one("s"))
    try fixture.update(StoreFixture.query("s"), permits: [permit]) {
      $0.access = .accessControl(try access(.whenUnlocked, .biometryAny))
    }
    #expect(throws: StoreError.changedMeanwhile) {
      try fixture.update(StoreFixture.query("s"), permits: [permit]) { $0.value = try StoreFixture.secret([2]) }
    }
  }

  @Test func `A grant opens its own item for reading and nothing else`() throws {
    let fixture = try StoreFixture()
    try fixture.add("s")
    try fixture.add("t")
    let (one, other) = (try fixture.one("s"), try fixture.one("t"))
    #expect(throws: StoreError.grantMismatch) {
      try fixture.store.open(one, grant: Grant(item: other.identifier, operation: .decrypt), keys: fixture.keys)
    }
    for operation in ItemOperation.allCases where operation != .decrypt {
      #expect(throws: StoreError.grantMismatch) {
        try fixture.store.open(one, grant: Grant(item: one.identifier, operation: operation), keys: fixture.keys)
      }
    }
    #expect(throws: StoreError.grantMismatch) {
      try fixture.store.permit(one, grant: Grant(item: other.identifier, operation: .decrypt))
    }
  }

  @Test func `A new class of accessibility keeps the flags and wants the permit of a protected item`() throws {
    let fixture = try StoreFixture()
    try fixture.add("plain", value: [1])
    try fixture.add("shut", value: [2], access: access(.whenUnlocked, .userPresence))
    try fixture.update(StoreFixture.query("plain")) { $0.access = .accessibility(.always) }
    #expect(try fixture.one("plain").accessControl == .unconstrained(.always))
    let shut = try fixture.one("shut")
    #expect(throws: StoreError.permitRequired(shut.identifier)) {
      try fixture.update(StoreFixture.query("shut")) { $0.access = .accessibility(.always) }
    }
    let permit = try fixture.store.permit(shut, grant: Grant(item: shut.identifier, operation: .decrypt))
    var change = ItemChange()
    change.access = .accessibility(.afterFirstUnlock)
    try fixture.store.update([shut], change: change, permits: [permit], keys: fixture.keys, now: 5)
    #expect(try fixture.one("shut").accessControl == access(.afterFirstUnlock, .userPresence))
    #expect(try fixture.value("shut") == [2])
  }

  @Test func `A creation date is changed where one is given and kept where none is`() throws {
    let fixture = try StoreFixture()
    try fixture.add("s", value: [1])
    try fixture.update(StoreFixture.query("s")) { $0.creationDate = 7.5 }
    try fixture.update(StoreFixture.query("s")) { $0.value = try StoreFixture.secret([2]) }
    var query = StoreFixture.query("s")
    query.attributes[.creationDate] = .date(7.5)
    #expect(try fixture.find(query).count == 1)
    query.attributes[.creationDate] = .date(7.25)
    #expect(try fixture.find(query).isEmpty)
  }

  @Test func `An item changed since it was found is not opened on the old decision`() throws {
    let fixture = try StoreFixture()
    try fixture.add("s", value: [1])
    let found = try fixture.one("s")
    try fixture.update(StoreFixture.query("s")) { $0.access = .accessControl(try access(.whenUnlocked, .userPresence)) }
    #expect(throws: StoreError.changedMeanwhile) { try fixture.open(found) }
    _ = try fixture.store.delete(StoreFixture.query("s"), keys: fixture.keys)
    #expect(throws: StoreError.itemNotFound) { try fixture.open(found) }
  }

  @Test func `A cached item key opens the item, and a stale one is passed over`() throws {
    let fixture = try StoreFixture()
    try fixture.add("s", value: [1])
    let key = try #require(try fixture.open(fixture.one("s")).itemKey)
    let item = try fixture.one("s")
    let keys = fixture.keys
    fixture.keys = ClassKeySet()
    #expect(try fixture.open(item, cachedKey: key).value?.unprotectedCopy() == [1])
    #expect(throws: StoreError.locked(.whenUnlocked)) { try fixture.open(item, cachedKey: .random(count: 32)) }
    fixture.keys = keys
    try fixture.update(StoreFixture.query("s")) { $0.value = try StoreFixture.secret([2]) }
    #expect(try fixture.open(fixture.one("s"), cachedKey: key).value?.unprotectedCopy() == [2])
  }

  @Test func `Eight threads that set the same name leave one item with one of their values`() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    let keys = fixture.keys
    let failures = LockedList<String>()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<100 {
        do {
          let item = NewItem(
            itemClass: .genericPassword, attributes: ItemAttributes([.service: .text("s"), .account: .text("me")]),
            accessControl: .unconstrained(.whenUnlocked), value: try StoreFixture.secret([UInt8(thread), UInt8(round)]))
          _ = try store.add(item, onDuplicate: .replace, keys: keys, now: 1)
          let page = try store.find(StoreFixture.query("s", "me"), limit: 2, keys: keys)
          if page.items.count != 1 { failures.append("\(page.items.count) items") }
        } catch { failures.append("\(error)") }
      }
    }
    #expect(failures.all == [])
    #expect(try store.count() == 1)
    let value = try #require(try fixture.value("s"))
    #expect(value.count == 2 && value[0] < 8 && value[1] == 99)
  }
}

/// A list that several threads add to.
final class LockedList<Element: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var elements: [Element] = []
  func append(_ element: Element) { lock.withLock { elements.append(element) } }
  var all: [Element] { lock.withLock { elements } }
}
