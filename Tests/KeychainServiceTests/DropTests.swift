import AccessPolicy
import KeychainModel
import KeychainService
import LatchkeyTesting
import Testing

/// What ends a proof before its window: `dropOn` of the policy.
@Suite struct DropTests {
  /// A keychain whose proofs serve a session for an hour, with a protected item that no lock shuts and one that a lock shuts.
  private func proved(_ drop: DropTriggers) -> TestKeychain {
    var policy = ServicePolicy.builtIn
    policy.reuse = Reuse(windowSeconds: 3600, scope: .session)
    policy.cacheTimeoutSeconds = 3600
    policy.dropOn = drop
    let test = TestKeychain(policy: policy)
    test.authenticator.follow([.passcode("right")])
    #expect(test.ask(.unlock(.passcode)).reason == nil)
    _ = test.add("open", "secret", .userPresence, accessible: .afterFirstUnlock)
    _ = test.add("shut", "secret", .userPresence)
    for name in ["open", "shut"] { #expect(test.read(name).values == ["secret"]) }
    return test
  }

  /// How many prompts a read of the item costs now.
  private func prompts(_ test: TestKeychain, _ name: String = "open") -> Int {
    let before = test.authenticator.prompts
    #expect(test.read(name).values == ["secret"])
    return test.authenticator.prompts - before
  }

  static let triggers: [DropTriggers] = [.lock, .suspend, .logout]

  @Test(arguments: triggers, (0..<8).map { DropTriggers(rawValue: $0) })
  func `a trigger ends a proof where the policy says so, and no other`(trigger: DropTriggers, drop: DropTriggers) {
    let test = proved(drop)
    #expect(prompts(test) == 0)
    test.keychain.lock(.trigger(trigger))
    #expect(prompts(test) == (drop.contains(trigger) ? 1 : 0))
  }

  @Test func `a lock shuts its classes whatever the policy spares`() {
    let test = proved([])
    #expect(test.ask(.lock).reason == nil)
    #expect(prompts(test) == 0)
    #expect(test.read("shut", options: RequestOptions(interaction: .fail)).values.isEmpty)
    #expect(prompts(test, "shut") == 1)
  }

  @Test func `a full lock ends every proof`() {
    let test = proved([])
    #expect(test.ask(.lockAll).reason == nil)
    #expect(test.read("open", options: RequestOptions(interaction: .fail)).values.isEmpty)
    #expect(prompts(test) == 1)
  }

  @Test func `a proof that was given under another policy is not spared`() {
    let test = proved([.suspend])
    var looser = ServicePolicy.builtIn
    looser.reuse = Reuse(windowSeconds: 3600, scope: .session)
    looser.dropOn = []
    test.policies.set(looser)
    test.keychain.lock(.trigger(.suspend))
    #expect(prompts(test) == 1)
  }

  @Test func `a context's proof ends by every trigger`() {
    let test = proved([])
    guard case .context(let number) = test.ask(.context(.create)).reply else {
      Issue.record("no context")
      return
    }
    let options = RequestOptions(context: number)
    test.authenticator.follow([.passcode("right")])
    #expect(test.ask(.context(.evaluate(alternatives: [MethodSet.passcode.rawValue])), options: options).reason == nil)
    let before = test.authenticator.prompts
    #expect(test.read("open", options: options).values == ["secret"])
    #expect(test.authenticator.prompts == before)
    test.keychain.lock(.trigger(.suspend))
    test.keychain.lock(.trigger(.lock))
    #expect(test.read("open", options: options).values == ["secret"])
    #expect(test.authenticator.prompts == before + 1)
  }
}
