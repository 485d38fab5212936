import AccessPolicy
import KeychainModel
import KeychainService
import LatchkeyTesting
import Testing

/// Where a request comes from, where its connection did not tell.
@Suite struct OriginTests {
  private static var unknown: PeerFacts {
    var peer = TestKeychain.peer()
    peer.origin = .unknown
    return peer
  }

  private func bound(_ remote: RemoteRule) -> TestKeychain {
    var policy = ServicePolicy.builtIn
    policy.reuse = Reuse(windowSeconds: 0, scope: .never)
    policy.remote = remote
    let test = TestKeychain(policy: policy, enrolment: .enrolled(FingerTests.fingers))
    test.authenticator.setReader(nil)
    test.authenticator.follow([.passcode("right")])
    #expect(test.ask(.unlock(.passcode)).reason == nil)
    _ = test.add("any", "secret", .biometryAny)
    _ = test.add("presence", "secret", .userPresence)
    _ = test.add("plain", "secret")
    test.authenticator.follow([FingerTests.finger])
    return test
  }

  @Test(arguments: [
    (PeerFacts.Origin.local, Reason?.none), (.remote, .remoteMethodDenied), (.unknown, .remoteMethodDenied),
  ])
  func `a finger opens where the machine says that the session is here, and nowhere else`(
    origin: PeerFacts.Origin, reason: Reason?
  ) {
    let test = bound(.passcode)
    test.host.place(origin)
    #expect(test.read("any", peer: Self.unknown).reason == reason)
    // Where either does, a session that is not here is asked the passcode alone, which this person does not give.
    #expect(test.read("presence", peer: Self.unknown).values == (reason == nil ? ["secret"] : []))
  }

  @Test(arguments: [(PeerFacts.Origin.local, Reason?.none), (.remote, .remoteDenied), (.unknown, .remoteDenied)])
  func `a service that is closed to remote sessions is open where the machine says that it is here`(
    origin: PeerFacts.Origin, reason: Reason?
  ) {
    let test = bound(.deny)
    test.host.place(origin)
    #expect(test.read("plain", peer: Self.unknown).reason == reason)
  }

  @Test func `the machine is asked only where that may change the decision`() {
    let open = bound(.any)
    #expect(open.read("any", peer: Self.unknown).values == ["secret"])
    let shut = bound(.passcode)
    shut.host.place(.local)
    #expect(shut.read("plain", peer: Self.unknown).values == ["secret"])
    _ = shut.read("any")
    var remote = Self.unknown
    remote.origin = .remote
    #expect(shut.read("any", peer: remote).reason == .remoteMethodDenied, "what the connection told stands")
    #expect(open.host.timesAskedForOrigin == 0 && shut.host.timesAskedForOrigin == 0)
    #expect(shut.read("any", peer: Self.unknown).values == ["secret"])
    #expect(shut.host.timesAskedForOrigin > 0)
  }
}
