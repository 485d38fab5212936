import AccessPolicy
import KeychainModel
import KeychainService
import LatchkeyTesting
import SecretMemory
import Testing

@Suite struct KeybagAndWriteTests {
  /// A keychain whose keybag was bound by a first passcode proof.
  private func bound(_ script: [ScriptedAnswer] = [.passcode("right")]) -> TestKeychain {
    let test = TestKeychain(script)
    _ = test.add("plain", "value")
    _ = test.ask(.unlock(.passcode))
    return test
  }

  private func state(_ test: TestKeychain) -> KeybagState? {
    if case .status(let status) = test.ask(.status).reply { return status.keybag }
    return nil
  }

  @Test func `wrong guesses at the passcode from before bring the same waits as other wrong answers`() throws {
    let test = TestKeychain()
    _ = test.ask(.unlock(.passcode))
    _ = test.ask(.lockAll)
    // As after a change elsewhere: what PAM takes now is not what the keybag is bound to.
    _ = try test.store.rebind(
      oldStretched: SecretBytes(copying: Array("right".utf8)), newStretched: SecretBytes(copying: Array("before".utf8)),
      parameters: .fresh())
    test.authenticator.follow([.passcodeFromBefore("guess")])
    for _ in 0..<5 { #expect(test.ask(.unlock(.passcode)).reason == .passcodeChanged) }
    let prompts = test.authenticator.prompts
    #expect(test.ask(.unlock(.passcode)).reason == .tooManyAttempts)
    #expect(test.authenticator.prompts == prompts)
    test.store.endWait()
    test.authenticator.follow([.passcodeFromBefore("before")])
    #expect(test.ask(.unlock(.passcode)).reason == nil)
    #expect(try test.store.tally().misses == 0)
  }

  @Test func `the first passcode binds the keybag and says so`() {
    let test = TestKeychain()
    _ = test.add("plain", "value")
    #expect(state(test) == .unbound)
    let channel = TestChannel()
    _ = test.ask(.unlock(.passcode), channel: channel)
    #expect(state(test) == .unlocked)
    #expect(channel.notices.map(\.kind) == [.bound])
  }

  @Test func `unlocking an open keybag asks nothing`() {
    let test = bound()
    _ = test.ask(.unlock(.passcode))
    #expect(test.authenticator.prompts == 1)
  }

  @Test func `a locked plain item says locked, and a caller that may unlock is asked once`() {
    let test = bound()
    _ = test.ask(.lock)
    #expect(state(test) == .locked)
    #expect(test.read("plain").reason == .keybagLocked)
    #expect(test.read("plain", options: RequestOptions(mayUnlock: true)).values == ["value"])
    #expect(test.authenticator.prompts == 2)
  }

  @Test func `a full lock is as before the first unlock`() {
    let test = bound()
    _ = test.ask(.lockAll)
    #expect(state(test) == .beforeFirstUnlock)
    #expect(test.read("plain").reason == .beforeFirstUnlock)
  }

  @Test func `adding to a locked class answers locked and stores nothing`() {
    let test = bound()
    _ = test.ask(.lock)
    #expect(test.add("new", "value").reason == .keybagLocked)
    _ = test.ask(.unlock(.passcode))
    #expect(test.read("new").reason == .itemNotFound)
  }

  @Test func `a locked item is deleted by name, but not by value`() {
    let test = bound()
    _ = test.ask(.lock)
    let query = ItemQuery(itemClass: .genericPassword, attributes: TestKeychain.name("plain"))
    #expect(test.ask(.delete(DeleteRequest(query: query, onlyIfValue: 0)), secrets: ["value"]).reason == .keybagLocked)
    #expect(test.ask(.delete(DeleteRequest(query: query))).reply == .done(count: 1))
    #expect(test.ask(.delete(DeleteRequest(query: query))).reason == .itemNotFound)
  }

  @Test func `a delete by value spares every other value`() {
    let test = bound()
    let query = ItemQuery(itemClass: .genericPassword, attributes: TestKeychain.name("plain"))
    #expect(test.ask(.delete(DeleteRequest(query: query, onlyIfValue: 0)), secrets: ["other"]).reason == .itemNotFound)
    #expect(test.read("plain").values == ["value"])
    #expect(test.ask(.delete(DeleteRequest(query: query, onlyIfValue: 0)), secrets: ["value"]).reply == .done(count: 1))
  }

  @Test func `items that need a passcode wait for the keybag to be bound`() {
    let test = TestKeychain()
    let refused = test.add("a", "value", accessible: .whenPasscodeSetThisDeviceOnly)
    #expect(refused.reason == .passcodeNotBound)
    _ = test.ask(.unlock(.passcode))
    #expect(test.add("a", "value", accessible: .whenPasscodeSetThisDeviceOnly).reason == nil)
    #expect(test.read("a").values == ["value"])
  }

  @Test func `a removed passcode ends the items that need one`() {
    let test = bound()
    _ = test.add("a", "value", accessible: .whenPasscodeSetThisDeviceOnly)
    test.authenticator.removePasscode()
    #expect(test.read("a").reason == .passcodeRemoved)
    #expect(test.read("a").reason == .passcodeRemoved)
    #expect(state(test) == .akpuDestroyed)
  }

  @Test func `a duplicate is refused and leaves the first value`() {
    let test = TestKeychain()
    _ = test.add("a", "one")
    #expect(test.add("a", "two").reason == .duplicateItem)
    #expect(test.add("a", "two", accessible: .afterFirstUnlock).reason == .duplicateItem)
    #expect(test.read("a").values == ["one"])
  }

  @Test func `replacing a protected value wants a proof and keeps its flags`() {
    let test = TestKeychain([.refuse(.userCancelled), .passcode("right")])
    _ = test.add("a", "one", .userPresence)
    #expect(test.add("a", "two", rule: .replaceKeepingAccessControl).reason == .userCancelled)
    #expect(test.add("a", "two", rule: .replaceKeepingAccessControl).reason == nil)
    #expect(test.read("a", options: RequestOptions(interaction: .fail)).reason == .interactionNotAllowed)
    #expect(test.read("a").values == ["two"])
  }

  @Test func `a prompt says what its answer does`() {
    let test = TestKeychain()
    _ = test.add("a", "one", .userPresence)
    _ = test.read("a")
    #expect(test.authenticator.shown?.purpose == "open")
    #expect(test.authenticator.shown?.service == "mail")
    _ = test.ask(.makeRecoveryKey)
    #expect(test.authenticator.shown?.purpose == "make a recovery key")
    #expect(test.authenticator.shown?.service == "")
    _ = test.add("a", "two", rule: .replaceKeepingAccessControl)
    #expect(test.authenticator.shown?.purpose == "change")
    _ = test.add("b", "one", .userPresence)
    let all = ItemQuery(
      itemClass: .genericPassword, attributes: ItemAttributes([.service: .text("mail")]), limit: .all)
    _ = test.ask(.update(UpdateRequest(query: all, value: 0)), secrets: ["three"])
    #expect(test.authenticator.shown?.purpose == "change 2 items")
  }

  @Test func `a wrong recovery key is told before anything is asked`() throws {
    let test = TestKeychain()
    _ = test.ask(.unlock(.passcode))
    #expect(test.ask(.unlock(.recoveryKey(0)), secrets: ["AAAA"]).reason == .noRecoveryKey)
    let made = test.ask(.makeRecoveryKey)
    let prompts = test.authenticator.prompts
    #expect(test.ask(.unlock(.recoveryKey(0)), secrets: ["AAAA"]).reason == .recoveryKeyWrong)
    #expect(test.authenticator.prompts == prompts)
    let right = try #require(made.secrets.first)
    let answer = test.keychain.answer(
      IncomingRequest(
        request: .unlock(.recoveryKey(0)), options: RequestOptions(), secrets: [right], peer: TestKeychain.peer(),
        channel: TestChannel()))
    #expect(answer.reason == nil && test.authenticator.prompts == prompts + 1)
  }

  @Test func `a label edit of a protected item is free, a rename is not`() {
    let test = TestKeychain()
    _ = test.add("a", "one", .userPresence)
    let query = ItemQuery(itemClass: .genericPassword, attributes: TestKeychain.name("a"))
    let label = UpdateRequest(query: query, changes: ItemAttributes([.label: .text("L")]))
    #expect(test.ask(.update(label)).reply == .done(count: 1))
    #expect(test.authenticator.prompts == 0)
    let rename = UpdateRequest(query: query, changes: ItemAttributes([.account: .text("b")]))
    #expect(test.ask(.update(rename)).reply == .done(count: 1))
    #expect(test.authenticator.prompts == 1)
  }

  @Test(arguments: [(1_048_575, nil), (1_048_576, nil), (1_048_577, Reason.valueTooLarge)] as [(Int, Reason?)])
  func `a value may be 1 MiB long and no longer`(size: Int, reason: Reason?) {
    let test = TestKeychain()
    #expect(test.add("a", String(repeating: "x", count: size)).reason == reason)
    #expect(test.read("a").reason == (reason == nil ? nil : .itemNotFound))
  }

  @Test func `finger flags need an enrolled finger`() {
    let test = TestKeychain()
    #expect(test.add("a", "value", .biometryCurrentSet).reason == .biometryNotAvailable, "no reader comes first")
    test.authenticator.setReader(nil)
    #expect(test.add("a", "value", .biometryCurrentSet).reason == .biometryNotEnrolled)
    test.enrolment.set(.unavailable(Refusal(.biometryNotAvailable)))
    #expect(test.add("a", "value", .biometryAny).reason == .biometryNotAvailable)
    test.enrolment.set(.enrolled([UInt8](repeating: 1, count: 32)))
    #expect(test.add("a", "value", .biometryCurrentSet).reason == nil)
    test.enrolment.set(.enrolled([UInt8](repeating: 2, count: 32)))
    #expect(test.read("a").reason == .invalidatedByEnrolment)
  }

  @Test func `a group that is not held is refused for every verb`() {
    let test = TestKeychain()
    var named = TestKeychain.name("a")
    named[.accessGroup] = .text("com.example.other")
    let query = ItemQuery(itemClass: .genericPassword, attributes: named)
    let add = AddRequest(
      itemClass: .genericPassword, attributes: named, accessControl: .unconstrained(.whenUnlocked), value: nil)
    #expect(test.ask(.add(add)).reason == .missingEntitlement)
    #expect(test.ask(.find(FindRequest(query: query, returns: []))).reason == .missingEntitlement)
    #expect(test.ask(.delete(DeleteRequest(query: query))).reason == .missingEntitlement)
    let update = UpdateRequest(query: query, changes: ItemAttributes([.label: .text("L")]))
    #expect(test.ask(.update(update)).reason == .missingEntitlement)
  }

  @Test func `an invalidated context opens nothing`() {
    let test = TestKeychain()
    _ = test.add("a", "value", .userPresence)
    guard case .context(let number) = test.ask(.context(.create)).reply else {
      Issue.record("no context was made")
      return
    }
    let options = RequestOptions(context: number)
    for _ in 0..<3 { #expect(test.read("a", options: options).values == ["value"]) }
    #expect(test.authenticator.prompts == 1)
    #expect(test.read("a", options: options, peer: TestKeychain.peer(pid: 7)).reason == .contextInvalid)
    _ = test.ask(.context(.invalidate), options: options)
    #expect(test.read("a", options: options).reason == .contextInvalid)
    #expect(test.authenticator.prompts == 1)
  }
}
