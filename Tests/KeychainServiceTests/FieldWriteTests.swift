import AccessPolicy
import KeychainModel
import KeychainService
import LatchkeyTesting
import Testing

/// Writes that software of this kind got wrong (docs/cases.md).
@Suite struct FieldWriteTests {
  private func query(_ account: String, _ accessible: Accessibility? = nil) -> ItemQuery {
    var attributes = TestKeychain.name(account)
    if let accessible { attributes[.accessible] = .text(ExactText(accessible.rawValue)) }
    return ItemQuery(itemClass: .genericPassword, attributes: attributes)
  }

  @Test func `a refused read and the erase behind it leave a locked item whole`() {
    let value = "one\ntwo\u{0}\u{FFFD}e\u{301} \r\n"
    let test = TestKeychain()
    _ = test.add("a", value)
    _ = test.ask(.unlock(.passcode))
    _ = test.ask(.lock)
    #expect(test.read("a").reason == .keybagLocked)
    let erase = KeychainRequest.delete(DeleteRequest(query: query("a"), onlyIfValue: 0))
    #expect(test.ask(erase, secrets: [value]).reason == .keybagLocked)
    #expect(test.ask(erase, secrets: ["other"]).reason == .keybagLocked)
    _ = test.ask(.unlock(.passcode))
    #expect(test.read("a").values.map { Array($0.utf8) } == [Array(value.utf8)])
    let prompts = test.authenticator.prompts
    #expect(test.ask(.delete(DeleteRequest(query: query("a")))).reply == .done(count: 1))
    #expect(test.authenticator.prompts == prompts)
  }

  @Test(arguments: [AttributeKey.accessible, .accessControl])
  func `an add that names its class a second time is refused and stores nothing`(key: AttributeKey) {
    let test = TestKeychain()
    var attributes = TestKeychain.name("a")
    attributes[key] = key.kind == .data ? .data([1]) : .text("ak")
    let accessControl = try! AccessControl(accessibility: .whenUnlocked, flags: .userPresence)
    let add = AddRequest(
      itemClass: .genericPassword, attributes: attributes, accessControl: accessControl, value: 0)
    let refused = test.ask(.add(add), secrets: ["value"])
    #expect(refused.reason == .invalidParameter)
    #expect(test.read("a").reason == .itemNotFound)
  }

  @Test func `an item has one class, which is no part of its name`() {
    let test = TestKeychain()
    _ = test.add("a", "value", accessible: .whenUnlocked)
    #expect(test.add("a", "other", accessible: .afterFirstUnlock).reason == .duplicateItem)
    let elsewhere = query("a", .afterFirstUnlock)
    #expect(test.ask(.find(FindRequest(query: elsewhere, returns: .data))).reason == .itemNotFound)
    #expect(test.ask(.delete(DeleteRequest(query: elsewhere))).reason == .itemNotFound)
    #expect(test.ask(.find(FindRequest(query: query("a", .whenUnlocked), returns: .data))).values == ["value"])

    var change = UpdateRequest(query: query("a"))
    change.access = .accessControl(.unconstrained(.afterFirstUnlock))
    #expect(test.ask(.update(change)).reply == .done(count: 1))
    let all = ItemQuery(itemClass: .genericPassword, limit: .all)
    let page = test.ask(.find(FindRequest(query: all, returns: .attributes))).page
    #expect(page?.items.map(\.accessControl.accessibility) == [.afterFirstUnlock])
    #expect(test.ask(.find(FindRequest(query: query("a", .whenUnlocked), returns: .data))).reason == .itemNotFound)

    _ = test.add("b", "shut", accessible: .whenUnlocked)
    _ = test.ask(.unlock(.passcode))
    _ = test.ask(.lock)
    #expect(test.read("a").values == ["value"])
    #expect(test.read("b").reason == .keybagLocked)
  }

  @Test func `a delete takes locked matches with the open ones, and an update that cannot see all changes none`() {
    let test = TestKeychain()
    _ = test.add("open", "value", accessible: .afterFirstUnlock)
    _ = test.add("shut", "value")
    _ = test.ask(.unlock(.passcode))
    _ = test.ask(.lock)
    let both = ItemQuery(itemClass: .genericPassword, attributes: ItemAttributes([.service: .text("mail")]))
    let change = UpdateRequest(query: both, changes: ItemAttributes([.label: .text("L")]))
    #expect(test.ask(.update(change)).reason == .keybagLocked)
    let open = test.ask(.find(FindRequest(query: query("open"), returns: .attributes))).page
    #expect(open?.items.first?.attributes?.text(.label) == nil)
    #expect(test.ask(.delete(DeleteRequest(query: both))).reply == .done(count: 2))
    #expect(test.ask(.delete(DeleteRequest(query: both))).reason == .itemNotFound)
  }
}
