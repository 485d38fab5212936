import AccessPolicy
import KeychainModel
import KeychainService
import LatchkeyTesting
import Testing

/// Batches of protected values that fill several replies.
@Suite struct BatchTests {
  static let everything = FindRequest(query: ItemQuery(itemClass: .genericPassword, limit: .all), returns: .data)
  static let large = String(repeating: "x", count: 700_000)

  static func keychain() -> TestKeychain {
    var policy = ServicePolicy.builtIn
    policy.reuse = Reuse(windowSeconds: 0, scope: .never)
    let test = TestKeychain(policy: policy)
    for number in 0..<3 { _ = test.add("p\(number)", large, .userPresence) }
    return test
  }

  /// Asks for the page behind the one that was answered.
  static func page(behind answer: Answer) -> FindRequest {
    var request = everything
    request.after = answer.page?.next
    return request
  }

  @Test func `one proof serves every page of a batch though no proof serves twice`() {
    let test = Self.keychain()
    var answer = test.ask(.find(Self.everything))
    var values = answer.values.count
    while answer.page?.next != nil, values < 10 {
      answer = test.ask(.find(Self.page(behind: answer)))
      values += answer.values.count
    }
    #expect(values == 3)
    #expect(test.authenticator.prompts == 1)
    _ = test.ask(.find(Self.everything))
    #expect(test.authenticator.prompts == 2)
  }

  @Test func `one proof serves the services of later pages too`() {
    let test = Self.keychain()
    let accessControl = try! AccessControl(accessibility: .whenUnlocked, flags: .userPresence)
    let attributes = ItemAttributes([.service: .text("other"), .account: .text("b")])
    let added = test.ask(
      .add(
        AddRequest(itemClass: .genericPassword, attributes: attributes, accessControl: accessControl, value: 0)),
      secrets: ["other"])
    #expect(added.reason == nil)
    var answer = test.ask(.find(Self.everything))
    while answer.page?.next != nil { answer = test.ask(.find(Self.page(behind: answer))) }
    #expect(answer.values.last == "other")
    #expect(test.authenticator.prompts == 1)
  }

  @Test(arguments: [(63, 1), (64, 1), (65, 2)])
  func `one proof is put together from 64 further pages, and what lies behind asks for its own`(
    _ between: Int, _ prompts: Int
  ) {
    var policy = ServicePolicy.builtIn
    policy.reuse = Reuse(windowSeconds: 0, scope: .never)
    // Each page looks at one row: the last item lies `between` pages behind the first.
    let test = TestKeychain(policy: policy, rowsPerPage: 1)
    for number in 0..<between { _ = test.add("p\(number)", "v", .userPresence) }
    let accessControl = try! AccessControl(accessibility: .whenUnlocked, flags: .userPresence)
    let attributes = ItemAttributes([.service: .text("other"), .account: .text("b")])
    _ = test.ask(
      .add(AddRequest(itemClass: .genericPassword, attributes: attributes, accessControl: accessControl, value: 0)),
      secrets: ["other"])
    var answer = test.ask(.find(Self.everything))
    while answer.page?.next != nil { answer = test.ask(.find(Self.page(behind: answer))) }
    #expect(answer.values == ["other"])
    #expect(test.authenticator.prompts == prompts)
  }

  @Test func `the next page belongs to the process that asked and is given once`() {
    let test = Self.keychain()
    let first = test.ask(.find(Self.everything))
    let next = Self.page(behind: first)
    _ = test.ask(.find(next), peer: TestKeychain.peer(pid: 101))
    #expect(test.authenticator.prompts == 2)
    #expect(test.ask(.find(next)).reason == nil)
    #expect(test.authenticator.prompts == 2)
    _ = test.ask(.find(next))
    #expect(test.authenticator.prompts == 3)
  }

  @Test func `a page asked for too late needs a proof of its own`() {
    for (seconds, prompts) in [(UInt32(29), 1), (30, 2), (31, 2)] {
      let test = Self.keychain()
      let first = test.ask(.find(Self.everything))
      test.clock.advance(seconds: seconds)
      _ = test.ask(.find(Self.page(behind: first)))
      #expect(test.authenticator.prompts == prompts, "after \(seconds) s")
    }
  }

  @Test func `a lock between two pages ends the batch`() {
    let test = Self.keychain()
    let first = test.ask(.find(Self.everything))
    _ = test.ask(.lock)
    _ = test.ask(.unlock(.passcode))
    #expect(test.authenticator.prompts == 2)
    _ = test.ask(.find(Self.page(behind: first)))
    #expect(test.authenticator.prompts == 3)
  }
}
