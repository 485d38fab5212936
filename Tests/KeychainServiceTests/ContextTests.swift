import AccessPolicy
import KeychainModel
import KeychainService
import LatchkeyTesting
import Testing

/// Authentication contexts: a proof given to one serves every read with it, and no other.
@Suite struct ContextTests {
  static let passcode = [MethodSet.passcode.rawValue]

  static func context(_ test: TestKeychain, peer: PeerFacts = TestKeychain.peer()) throws -> RequestOptions {
    guard case .context(let number) = test.ask(.context(.create), peer: peer).reply else {
      throw Refusal(.internalFailure)
    }
    return RequestOptions(context: number)
  }

  @Test func `an evaluated context opens three items with no more prompts; without it each asks`() throws {
    let test = TestKeychain()
    for account in ["a", "b", "c"] { _ = test.add(account, account, .userPresence) }
    let options = try Self.context(test)
    #expect(test.ask(.context(.evaluate(alternatives: Self.passcode)), options: options).reason == nil)
    #expect(test.authenticator.prompts == 1)
    for account in ["a", "b", "c"] { #expect(test.read(account, options: options).values == [account]) }
    #expect(test.authenticator.prompts == 1)
    for account in ["a", "b", "c"] { _ = test.read(account) }
    #expect(test.authenticator.prompts == 4)
    #expect(test.log.records.first?.action == "evaluate")
  }

  @Test func `a fresh context asks at its first read and not at its second`() throws {
    let test = TestKeychain()
    _ = test.add("a", "value", .userPresence)
    let options = try Self.context(test)
    for _ in 0..<2 { #expect(test.read("a", options: options).values == ["value"]) }
    #expect(test.authenticator.prompts == 1)
  }

  @Test func `a context kept for ever stops opening items at the end of the policy's window`() throws {
    for (seconds, prompts) in [(UInt32(299), 1), (300, 2), (301, 2)] {
      let test = TestKeychain()
      _ = test.add("a", "value", .userPresence)
      let options = try Self.context(test)
      _ = test.ask(.context(.evaluate(alternatives: Self.passcode)), options: options)
      test.clock.advance(seconds: seconds)
      _ = test.read("a", options: options)
      #expect(test.authenticator.prompts == prompts, "after \(seconds) s")
    }
  }

  @Test func `an invalidated context opens nothing and asks nothing`() throws {
    let test = TestKeychain()
    _ = test.add("a", "value", .userPresence)
    let options = try Self.context(test)
    _ = test.ask(.context(.evaluate(alternatives: Self.passcode)), options: options)
    #expect(test.ask(.context(.invalidate), options: options).reason == nil)
    #expect(test.read("a", options: options).reason == .contextInvalid)
    #expect(test.ask(.context(.evaluate(alternatives: Self.passcode)), options: options).reason == .contextInvalid)
    #expect(test.authenticator.prompts == 1)
  }

  @Test func `another process cannot use a context, evaluated or not`() throws {
    let test = TestKeychain()
    _ = test.add("a", "value", .userPresence)
    let options = try Self.context(test)
    _ = test.ask(.context(.evaluate(alternatives: Self.passcode)), options: options)
    let other = TestKeychain.peer(pid: 101)
    #expect(test.read("a", options: options, peer: other).reason == .contextInvalid)
    #expect(
      test.ask(.context(.evaluate(alternatives: Self.passcode)), options: options, peer: other).reason
        == .contextInvalid)
  }

  @Test func `evaluating needs a context and a method that can run`() throws {
    let test = TestKeychain()
    #expect(test.ask(.context(.evaluate(alternatives: Self.passcode))).reason == .contextInvalid)
    let options = try Self.context(test)
    let biometry = [MethodSet.biometry.rawValue]
    #expect(test.ask(.context(.evaluate(alternatives: biometry)), options: options).reason == .biometryNotAvailable)
    for bad in [[], [0], [255]] as [[UInt8]] {
      #expect(test.ask(.context(.evaluate(alternatives: bad)), options: options).reason == .invalidParameter)
    }
    #expect(test.authenticator.prompts == 0)
  }

  @Test func `an access control is evaluated by what it wants`() throws {
    let test = TestKeychain()
    _ = test.add("a", "value", .userPresence)
    let options = try Self.context(test)
    let plain = try AccessControl(accessibility: .whenUnlocked, flags: [])
    #expect(test.ask(.context(.evaluateAccessControl(plain, .decrypt)), options: options).reply == .done(count: 0))
    #expect(test.authenticator.prompts == 0)
    let presence = try AccessControl(accessibility: .whenUnlocked, flags: .userPresence)
    #expect(test.ask(.context(.evaluateAccessControl(presence, .decrypt)), options: options).reply == .done(count: 1))
    #expect(test.read("a", options: options).values == ["value"])
    #expect(test.authenticator.prompts == 1)
    let finger = try AccessControl(accessibility: .whenUnlocked, flags: .biometryAny)
    #expect(
      test.ask(.context(.evaluateAccessControl(finger, .decrypt)), options: options).reason == .biometryNotAvailable)
  }
}
