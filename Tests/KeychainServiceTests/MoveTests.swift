import AccessPolicy
import KeychainModel
import KeychainService
import LatchkeyTesting
import Testing

/// An item that is renamed into another service is added there.
@Suite struct MoveTests {
  private func move(_ test: TestKeychain, _ changes: ItemAttributes, origin: PeerFacts.Origin = .local) -> Answer {
    let query = ItemQuery(itemClass: .genericPassword, attributes: TestKeychain.name("a"))
    var peer = TestKeychain.peer()
    peer.origin = origin
    return test.ask(.update(UpdateRequest(query: query, changes: changes)), peer: peer)
  }

  private func policy(_ change: (inout ServicePolicy) -> Void) -> ServicePolicy {
    var policy = ServicePolicy.builtIn
    change(&policy)
    return policy
  }

  @Test func `an item goes nowhere where its program could not add it`() {
    let test = TestKeychain()
    #expect(test.add("a", "value").reason == nil)
    test.policies.set(policy { $0.callers = [] }, for: "closed")
    test.policies.set(policy { $0.remote = .deny }, for: "near")
    #expect(move(test, ItemAttributes([.service: .text("closed")])).reason == .callerNotAllowed)
    #expect(move(test, ItemAttributes([.service: .text("near")]), origin: .remote).reason == .remoteDenied)
    #expect(test.read("a").reason == nil, "nothing changed")
    #expect(test.authenticator.prompts == 0)
    #expect(move(test, ItemAttributes([.service: .text("near")])).reason == nil)
    #expect(test.read("a").reason == .itemNotFound)
  }

  @Test func `a change that leaves the service alone asks nothing of adding`() {
    let test = TestKeychain()
    #expect(test.add("a", "value").reason == nil)
    test.policies.set(policy { $0.callers = [] }, for: "mail")
    #expect(move(test, ItemAttributes([.label: .text("new")])).reason == nil)
  }
}
