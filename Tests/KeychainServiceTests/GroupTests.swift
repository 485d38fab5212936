import AccessPolicy
import KeychainModel
import KeychainService
import LatchkeyTesting
import SecretMemory
import Testing

/// Access groups, and what may be synchronised.
@Suite struct GroupTests {
  private func group(of account: String, _ test: TestKeychain) -> ExactText? {
    let query = ItemQuery(itemClass: .genericPassword, attributes: TestKeychain.name(account))
    return test.ask(.find(FindRequest(query: query, returns: .attributes))).page?.items.first?.attributes?
      .text(.accessGroup)
  }

  @Test func `an add goes to the first granted group, and to the default group where none is granted`() {
    let test = TestKeychain()
    _ = test.add("before", "value")
    #expect(group(of: "before", test) == "default")
    test.policies.grant(["com.example.a", "default", "com.example.b"])
    _ = test.add("after", "value")
    #expect(group(of: "after", test) == "com.example.a")
    #expect(group(of: "before", test) == "default", "the default group is still held")
  }

  @Test func `the log says which file grants a group that is not held, whatever the verb`() {
    let test = TestKeychain()
    var named = TestKeychain.name("a")
    named[.accessGroup] = .text("com.example.other")
    let query = ItemQuery(itemClass: .genericPassword, attributes: named)
    let change = UpdateRequest(query: query, changes: ItemAttributes([.label: .text("L")]))
    let add = AddRequest(
      itemClass: .genericPassword, attributes: named, accessControl: .unconstrained(.whenUnlocked), value: nil)
    for request in [
      KeychainRequest.add(add), .find(FindRequest(query: query, returns: [])), .update(change),
      .delete(DeleteRequest(query: query)),
    ] { _ = test.ask(request) }
    #expect(test.log.records.map(\.action) == ["add", "read", "update", "delete"])
    for record in test.log.records {
      #expect(record.refusal?.reason == .missingEntitlement)
      #expect(record.refusal?.detail.contains("policies.d/mail.yaml") == true)
      #expect(record.service == "mail")
    }
  }

  @Test func `an item moves to a group that is held and to no other`() {
    let test = TestKeychain()
    _ = test.add("a", "value")
    let query = ItemQuery(itemClass: .genericPassword, attributes: TestKeychain.name("a"))
    let move = UpdateRequest(query: query, changes: ItemAttributes([.accessGroup: .text("com.example.a")]))
    #expect(test.ask(.update(move)).reason == .missingEntitlement)
    #expect(group(of: "a", test) == "default")
    test.policies.grant(["com.example.a"])
    #expect(test.ask(.update(move)).reply == .done(count: 1))
    #expect(group(of: "a", test) == "com.example.a")
  }

  @Test(arguments: Accessibility.allCases)
  func `a synchronised item is neither protected nor for this device only`(_ accessibility: Accessibility) throws {
    let test = TestKeychain()
    var attributes = TestKeychain.name("a")
    attributes[.synchronizable] = .number(1)
    func add(_ flags: AccessControlFlags) throws -> Answer {
      test.ask(
        .add(
          AddRequest(
            itemClass: .genericPassword, attributes: attributes,
            accessControl: try AccessControl(accessibility: accessibility, flags: flags), value: nil)))
    }
    #expect(try add(.userPresence).reason == .invalidParameter)
    #expect(try add([]).reason == (accessibility.isThisDeviceOnly ? .invalidParameter : nil))
  }

  @Test func `an update can neither protect a synchronised item nor synchronise a protected one`() throws {
    let test = TestKeychain()
    _ = test.add("local", "value", .userPresence)
    var attributes = TestKeychain.name("synced")
    attributes[.synchronizable] = .number(1)
    _ = test.ask(
      .add(
        AddRequest(
          itemClass: .genericPassword, attributes: attributes, accessControl: .unconstrained(.whenUnlocked), value: nil)
      ))
    let local = ItemQuery(itemClass: .genericPassword, attributes: TestKeychain.name("local"))
    let synced = ItemQuery(
      itemClass: .genericPassword, attributes: TestKeychain.name("synced"), twin: .synchronized)
    let protect = AccessChange.accessControl(try AccessControl(accessibility: .whenUnlocked, flags: .userPresence))
    #expect(test.ask(.update(UpdateRequest(query: synced, access: protect))).reason == .invalidParameter)
    let move = AccessChange.accessibility(.whenUnlockedThisDeviceOnly)
    #expect(test.ask(.update(UpdateRequest(query: synced, access: move))).reason == .invalidParameter)
    let join = UpdateRequest(query: local, changes: ItemAttributes([.synchronizable: .number(1)]))
    #expect(test.ask(.update(join)).reason == .invalidParameter)
    #expect(test.authenticator.prompts == 0)
    #expect(test.ask(.update(UpdateRequest(query: synced, access: .accessibility(.afterFirstUnlock)))).reason == nil)
  }

  @Test func `a search for one prefers what can still be opened`() throws {
    struct NoKeys: ClassKeySource {
      func key(for protection: ProtectionClass, use: ClassKeyUse) -> SecretBytes? { nil }
    }
    let test = TestKeychain()
    _ = test.add("a", "value")
    _ = test.add("b", "value")
    let named = ItemQuery(itemClass: .genericPassword, attributes: TestKeychain.name("a"))
    let page1 = try test.store.find(named, groups: ["default"], page: PageRequest(after: nil, limit: 1), keys: NoKeys())
    try test.store.invalidate(try #require(page1.items.first), reason: .invalidatedByEnrolment)
    let query = ItemQuery(itemClass: .genericPassword, attributes: ItemAttributes([.service: .text("mail")]))
    let page = test.ask(.find(FindRequest(query: query, returns: .attributes))).page
    #expect(page?.items.map { $0.attributes?.text(.account) } == ["b"])
  }
}
