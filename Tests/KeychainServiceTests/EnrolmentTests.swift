import AccessPolicy
import KeychainModel
import KeychainService
import LatchkeyTesting
import SecretMemory
import Testing

/// Items that are bound to the enrolled fingers.
struct EnrolmentTests {
  private static func set(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }
  /// Bound to the fingers, and opened by the passcode as well, so that the mock can prove it.
  private static let bound: AccessControlFlags = [.biometryCurrentSet, .or, .devicePasscode]

  private func isDead(_ test: TestKeychain, _ account: String) -> Reason? {
    let query = ItemQuery(itemClass: .genericPassword, attributes: TestKeychain.name(account))
    return test.ask(.find(FindRequest(query: query, returns: .attributes))).page?.items.first?.dead
  }

  @Test func `another set ends a bound item for good, by the same reason each time, and its neighbours live on`() {
    let test = TestKeychain(enrolment: .enrolled(Self.set(1)))
    #expect(test.add("bound", "value", Self.bound).reason == nil)
    #expect(test.add("free", "value", .userPresence).reason == nil)
    #expect(test.read("bound").values == ["value"])
    test.enrolment.set(.enrolled(Self.set(2)))
    let before = test.keychain.changes.current
    #expect(test.read("bound").reason == .invalidatedByEnrolment)
    #expect(test.keychain.changes.current != before)
    #expect(isDead(test, "bound") == .invalidatedByEnrolment)
    // The old set brings nothing back.
    test.enrolment.set(.enrolled(Self.set(1)))
    #expect(test.read("bound").reason == .invalidatedByEnrolment)
    #expect(test.read("free").values == ["value"])
    #expect(test.read("never").reason == .itemNotFound)
    #expect(test.add("bound", "again", Self.bound).reason == nil)
    #expect(test.read("bound").values == ["again"])
  }

  @Test func `no finger at all ends it as well`() {
    let test = TestKeychain(enrolment: .enrolled(Self.set(1)))
    #expect(test.add("bound", "value", Self.bound).reason == nil)
    test.enrolment.set(.nothingEnrolled)
    #expect(test.read("bound").reason == .invalidatedByEnrolment)
    test.enrolment.set(.enrolled(Self.set(1)))
    #expect(test.read("bound").reason == .invalidatedByEnrolment)
  }

  @Test func `fingers that cannot be told destroy nothing`() {
    let test = TestKeychain(enrolment: .enrolled(Self.set(1)))
    #expect(test.add("bound", "value", Self.bound).reason == nil)
    for state in [
      EnrolmentState.unavailable(Refusal(.ioFailed)), .named(Self.set(9), Refusal(.enrolmentUnreadable)),
    ] {
      test.enrolment.set(state)
      #expect(test.read("bound").reason == (state.hash == nil ? .ioFailed : .enrolmentUnreadable))
      #expect(isDead(test, "bound") == nil)
    }
    test.enrolment.set(.enrolled(Self.set(1)))
    #expect(test.read("bound").values == ["value"])
  }

  @Test func `among others it ends without hiding them`() {
    let test = TestKeychain(enrolment: .enrolled(Self.set(1)))
    for account in ["a", "b"] { #expect(test.add(account, account, Self.bound).reason == nil) }
    #expect(test.add("c", "c").reason == nil)
    test.enrolment.set(.enrolled(Self.set(2)))
    var query = ItemQuery(itemClass: .genericPassword, attributes: ItemAttributes([.service: .text("mail")]))
    query.limit = .all
    let answer = test.ask(.find(FindRequest(query: query, returns: .data)))
    #expect(answer.values == ["c"])
    #expect(isDead(test, "a") == .invalidatedByEnrolment && isDead(test, "b") == .invalidatedByEnrolment)
  }

  @Test func `a policy's own wish for the current set refuses and destroys nothing`() {
    let test = TestKeychain(enrolment: .enrolled(Self.set(1)))
    #expect(test.add("free", "value", .userPresence).reason == nil)
    var policy = ServicePolicy.builtIn
    policy.require = [.biometryCurrentSet]
    test.policies.set(policy)
    #expect(test.read("free").reason == .invalidatedByEnrolment)
    test.policies.set(.builtIn)
    #expect(test.read("free").values == ["value"])
  }

  @Test(arguments: [AccessControlFlags.userPresence, [.biometryAny, .or, .devicePasscode], .biometryCurrentSet])
  func `a read by an earlier passcode looks at the fingers only where a floor counts them`(_ floor: AccessControlFlags)
  {
    let test = TestKeychain(enrolment: .enrolled(Self.set(1)))
    var policy = ServicePolicy.builtIn
    policy.require = [.userPresence]
    policy.requireAlso = [floor]
    policy.reuse = Reuse(windowSeconds: 60, scope: .process)
    #expect(test.add("item", "value", .userPresence).reason == nil)
    test.policies.set(policy)
    let counts = floor == .biometryCurrentSet
    #expect(test.read("item").reason == (counts ? .invalidatedByEnrolment : nil))
    let before = test.enrolment.looks
    #expect(test.read("item").reason == (counts ? .invalidatedByEnrolment : nil))
    #expect((test.enrolment.looks > before) == counts)
  }

  @Test func `names alone bind nothing and let any finger be asked for`() {
    let test = TestKeychain(enrolment: .named(Self.set(1), Refusal(.enrolmentUnreadable)))
    #expect(test.add("bound", "value", .biometryCurrentSet).reason == .enrolmentUnreadable)
    #expect(test.add("any", "value", .biometryAny).reason == nil)
    #expect(test.ask(.context(.enrolment)).reason == .enrolmentUnreadable)
  }
}
