import AccessPolicy
import KeychainModel
import KeychainService
import LatchkeyTesting
import Testing

/// What a looser policy has to prove: all that the policies ask for which it loosens.
@Suite struct LooseningTests {
  static let fingers = EnrolmentState.enrolled([UInt8](repeating: 9, count: 32))

  private func policy(_ change: (inout ServicePolicy) -> Void) -> ServicePolicy {
    var policy = ServicePolicy.builtIn
    change(&policy)
    return policy
  }

  private func loosen(
    _ policies: [ServicePolicy], _ script: [ScriptedAnswer] = [.passcode("right")], origin: PeerFacts.Origin = .local,
    enrolment: EnrolmentState = .nothingEnrolled
  ) -> (reason: Reason?, applied: Int, asked: Set<MethodSet>?) {
    let test = TestKeychain(script, enrolment: enrolment)
    test.authenticator.setReader(nil)
    let loosened = policies.map {
      EffectiveServicePolicy(policy: $0, digest: PolicyDigest(bytes: $0.canonicalBytes))
    }
    test.policies.propose(ProposedPolicy(service: "mail", text: nil, loosened: loosened))
    var peer = TestKeychain.peer()
    peer.origin = origin
    let answer = test.ask(.policy(.remove(service: "mail")), peer: peer)
    let asked = test.authenticator.requirement.map { Set($0.alternatives) }
    return (answer.reason, test.policies.applied.count, asked)
  }

  @Test func `a stricter change wants nothing`() {
    let done = loosen([])
    #expect(done.reason == nil && done.applied == 1 && done.asked == nil)
  }

  @Test func `a policy without a floor wants one of its methods`() {
    let done = loosen([.builtIn], enrolment: Self.fingers)
    #expect(done.reason == nil && done.applied == 1)
    #expect(done.asked == [.passcode, .biometry])
    #expect(loosen([.builtIn]).asked == [.passcode])
  }

  @Test func `the floor of the policy in force is asked for`() {
    let both = policy { $0.require = [.biometryAny, .and, .devicePasscode] }
    #expect(loosen([both], enrolment: Self.fingers).asked == [[.passcode, .biometry]])
    let passcode = policy { $0.require = .devicePasscode }
    #expect(loosen([passcode], enrolment: Self.fingers).asked == [.passcode])
    // No passcode does for a finger.
    let finger = policy { $0.require = .biometryAny }
    let done = loosen([finger])
    #expect(done.reason == .biometryNotEnrolled && done.applied == 0 && done.asked == nil)
    let current = policy { $0.require = .biometryCurrentSet }
    #expect(loosen([current]).reason == .biometryNotEnrolled)
    #expect(loosen([current], enrolment: Self.fingers).asked == [.biometry])
  }

  @Test func `the methods of the policy in force are the ones asked for`() {
    let passcode = policy { $0.methods = .passcode }
    #expect(loosen([passcode], enrolment: Self.fingers).asked == [.passcode])
    let none = loosen([policy { $0.methods = [] }])
    #expect(none.reason == .noMethodAllowed && none.applied == 0)
  }

  @Test func `the rule for remote sessions of the policy in force holds for its end as well`() {
    let deny = policy { $0.remote = .deny }
    let refused = loosen([deny], origin: .remote)
    #expect(refused.reason == .remoteDenied && refused.applied == 0 && refused.asked == nil)
    #expect(loosen([deny], origin: .unknown).reason == .remoteDenied)
    #expect(loosen([deny], origin: .local).applied == 1)
    let passcode = policy { $0.remote = .passcode }
    #expect(loosen([passcode], origin: .remote, enrolment: Self.fingers).asked == [.passcode])
  }

  @Test func `one proof satisfies every policy that is loosened`() {
    let passcode = policy { $0.require = .devicePasscode }
    let finger = policy {
      $0.require = .biometryAny
      $0.tries = 1
    }
    #expect(loosen([.builtIn, passcode, finger], enrolment: Self.fingers).asked == [[.passcode, .biometry]])
    #expect(loosen([.builtIn, policy { $0.remote = .deny }], origin: .remote).reason == .remoteDenied)
  }

  @Test func `what is no proof is not asked for, and neither is who may use the service`() {
    let floors = policy {
      $0.require = [.devicePasscode, .applicationPassword]
      $0.requireAlso = [.privateKeyUsage]
      $0.callers = []
    }
    let done = loosen([floors], enrolment: Self.fingers)
    #expect(done.reason == nil && done.applied == 1 && done.asked == [.passcode])
  }

  @Test func `without the proof nothing changes`() {
    let done = loosen([.builtIn], [.passcode("wrong")])
    #expect(done.reason == .wrongPasscode && done.applied == 0)
  }

  /// One change, with what of it a file of the administrator hides.
  private func loosen(
    _ loosened: [ServicePolicy], hidden: [ServicePolicy], _ script: [ScriptedAnswer], origin: PeerFacts.Origin = .local
  ) -> (test: TestKeychain, refusal: Refusal?) {
    func judged(_ policies: [ServicePolicy]) -> [EffectiveServicePolicy] {
      policies.map { EffectiveServicePolicy(policy: $0, digest: PolicyDigest(bytes: $0.canonicalBytes)) }
    }
    let test = TestKeychain(script, enrolment: Self.fingers)
    test.authenticator.setReader(nil)
    var proposal = ProposedPolicy(service: "mail", text: nil, loosened: judged(loosened))
    proposal.hidden = judged(hidden)
    test.policies.propose(proposal)
    var peer = TestKeychain.peer()
    peer.origin = origin
    let answer = test.ask(.policy(.remove(service: "mail")), peer: peer)
    guard case .refused(let refusal) = answer.reply else { return (test, nil) }
    return (test, refusal)
  }

  @Test func `what a system file hides is proved as well, and the prompt says so`() {
    let passcode = policy { $0.require = .devicePasscode }
    let (test, refusal) = loosen([], hidden: [passcode], [.passcode("right")])
    #expect(refusal == nil && test.policies.applied.count == 1)
    #expect(test.authenticator.requirement.map { Set($0.alternatives) } == [.passcode])
    #expect(test.authenticator.shown?.purpose == "loosen the policy, hidden now by a system file, of")
    #expect(test.authenticator.shown?.service == "mail")
    let both = loosen([.builtIn], hidden: [passcode], [.passcode("right")]).test
    #expect(both.authenticator.shown?.purpose == "loosen the policy of")
    #expect(both.authenticator.requirement.map { Set($0.alternatives) } == [.passcode])
  }

  @Test func `a refusal says that a system file hides what is loosened`() {
    let words = "the policy that a system file hides for mail has to be met before it is loosened"
    let (test, wrong) = loosen([], hidden: [.builtIn], [.passcode("wrong")])
    #expect(wrong == Refusal(.wrongPasscode, detail: words) && test.policies.applied.count == 0)
    let (remote, denied) = loosen([], hidden: [policy { $0.remote = .deny }], [.passcode("right")], origin: .remote)
    #expect(denied == Refusal(.remoteDenied, detail: words) && remote.policies.applied.count == 0)
    let inForce = "the policy in force for mail has to be met before it is loosened"
    #expect(loosen([.builtIn], hidden: [.builtIn], [.passcode("wrong")]).refusal?.detail == inForce)
  }
}
