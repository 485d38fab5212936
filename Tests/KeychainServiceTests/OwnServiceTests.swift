import AccessPolicy
import KeychainModel
import KeychainService
import LatchkeyTesting
import Testing

/// The requests that are about no item obey the policy of the keychain's own service.
@Suite struct OwnServiceTests {
  private static let passcode = [MethodSet.passcode.rawValue]
  private static let biometry = [MethodSet.biometry.rawValue]

  /// A bound keychain with a reader, whose policy is changed then.
  private func bound(
    _ script: [ScriptedAnswer], _ change: (inout ServicePolicy) -> Void
  ) throws -> (test: TestKeychain, options: RequestOptions) {
    let test = TestKeychain(enrolment: .enrolled(FingerTests.fingers))
    test.authenticator.setReader(nil)
    #expect(test.ask(.unlock(.passcode)).reason == nil)
    var policy = ServicePolicy.builtIn
    change(&policy)
    test.policies.set(policy)
    test.authenticator.follow(script)
    return (test, try ContextTests.context(test))
  }

  private static var remote: PeerFacts {
    var peer = TestKeychain.peer()
    peer.origin = .remote
    return peer
  }

  /// Each of them, with what it is.
  private func requests(_ alternatives: [UInt8]) -> [KeychainRequest] {
    [
      .context(.canEvaluate(alternatives: alternatives)), .context(.evaluate(alternatives: alternatives)),
      .unlock(.passcode), .makeRecoveryKey,
    ]
  }

  @Test func `a policy that is closed to remote sessions is closed to each of them`() throws {
    let (test, options) = try bound([.passcode("right")]) { $0.remote = .deny }
    _ = test.ask(.lock)
    let prompts = test.authenticator.prompts
    for request in requests(Self.passcode) {
      #expect(test.ask(request, options: options, peer: Self.remote).reason == .remoteDenied, "\(request)")
    }
    #expect(test.authenticator.prompts == prompts)
    for request in requests(Self.passcode) { #expect(test.ask(request, options: options).reason == nil, "\(request)") }
  }

  @Test func `a policy that names other programs is closed to each of them`() throws {
    let (test, options) = try bound([.passcode("right")]) {
      $0.callers = [CallerRule(executable: "/bin/x", groups: [])]
    }
    _ = test.ask(.lock)
    for request in requests(Self.passcode) {
      #expect(test.ask(request, options: options).reason == .callerNotAllowed, "\(request)")
    }
  }

  @Test func `no finger is evaluated where the policy has the passcode alone, at all or in this session`() throws {
    let (test, options) = try bound([.finger(.enrolled)]) { $0.methods = .passcode }
    for request in requests(Self.biometry).prefix(2) {
      #expect(test.ask(request, options: options).reason == .noMethodAllowed)
    }
    var policy = ServicePolicy.builtIn
    policy.remote = .passcode
    test.policies.set(policy)
    for request in requests(Self.biometry).prefix(2) {
      #expect(test.ask(request, options: options, peer: Self.remote).reason == .remoteMethodDenied)
      #expect(test.ask(request, options: options).reason == nil)
    }
  }

  @Test func `a finger that only shows that somebody is there opens no keybag`() throws {
    let (test, options) = try bound([.finger(.enrolled)]) { _ in }
    _ = test.ask(.lock)
    #expect(test.ask(.context(.evaluate(alternatives: Self.biometry)), options: options).reason == nil)
    let status = test.ask(.status).status
    #expect(status?.keybag == .locked)
    #expect(test.ask(.unlock(.passcode)).reason == nil, "one that is asked to unlock it does")
  }
}
