import AccessPolicy
import KeychainModel
import KeychainService
import LatchkeyTesting
import SecretMemory
import Synchronization
import Testing

/// Lets something happen while a prompt is up.
private final class Interrupting: Authenticating {
  let mock: MockAuthenticator
  let meanwhile = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ mock: MockAuthenticator) { self.mock = mock }

  func availability(
    of method: AuthenticationMethod, account: UserAccountName, peer: PeerFacts
  ) -> MethodAvailability {
    mock.availability(of: method, account: account, peer: peer)
  }
  func passcodeRemoval(account: UserAccountName) -> PasscodeRemoval { mock.passcodeRemoval(account: account) }
  func passcodeMark(account: UserAccountName) -> [UInt8] { mock.passcodeMark(account: account) }
  func prove(_ request: ProofRequest, over channel: any PromptChannel) -> ProofOutcome {
    let happening = meanwhile.withLock { meanwhile in
      defer { meanwhile = nil }
      return meanwhile
    }
    happening?()
    return mock.prove(request, over: channel)
  }
}

/// What becomes of a request whose item another program changes while its prompt is up.
@Suite struct RetryTests {
  @Test func `an update whose item was replaced meanwhile is judged anew and asks no second time`() throws {
    var policy = ServicePolicy.builtIn
    policy.reuse = Reuse(windowSeconds: 0, scope: .never)
    let test = TestKeychain(policy: policy)
    _ = test.add("a", "old", .userPresence)
    let authenticator = Interrupting(test.authenticator)
    let keychain = UserKeychain(
      account: UserAccountName(uid: 1000, name: "alice"), store: test.store,
      ports: ServicePorts(
        cache: test.cache, authenticator: authenticator, policies: test.policies, enrolment: test.enrolment,
        log: test.log, clock: test.clock, host: SilentHost()))
    let query = ItemQuery(itemClass: .genericPassword, attributes: TestKeychain.name("a"))
    authenticator.meanwhile.withLock { meanwhile in
      meanwhile = {
        _ = test.ask(.delete(DeleteRequest(query: query)))
        _ = test.add("a", "another", .userPresence)
      }
    }
    let answer = keychain.answer(
      IncomingRequest(
        request: .update(UpdateRequest(query: query, value: 0)), options: RequestOptions(),
        secrets: [try .init(copying: Array("new".utf8))], peer: TestKeychain.peer(), channel: TestChannel()))
    #expect(answer.reply == .done(count: 1))
    #expect(test.authenticator.prompts == 1)
    #expect(test.read("a").values == ["new"])
  }
}
