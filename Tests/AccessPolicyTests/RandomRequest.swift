import AccessPolicy
import KeychainModel
import TestSupport

/// A request's facts in one line, for a failure.
func describe(_ request: AccessRequest) -> String {
  "\(request.accessControl.flags.names) \(request.accessControl.overrides) \(request.accessControl.accessibility) "
    + "\(request.keybag) \(request.operation) \(request.presence) \(request.policy) "
    + "\(request.evidence) unlock \(request.mayUnlock) \(request.biometricUnlock) fresh \(String(describing: request.freshSince)) "
    + "origin \(request.peer.origin) bound \(String(describing: request.boundEnrolment?.first)) "
    + "now \(String(describing: request.currentEnrolment?.first))"
}

/// Drawn requests that several tests share, because drawing one costs more than deciding it.
enum Pool {
  static let requests: [AccessRequest] = {
    var random = SeededGenerator(seed: 0xD1CE)
    return (0..<30_000).map { _ in random.request() }
  }()
}

extension SeededGenerator {
  /// A request with every fact drawn, most of them likely to fit.
  mutating func request() -> AccessRequest {
    var request = Scene.request(pick(ExhaustionTests.flags), pick(Accessibility.allCases))
    if chance(4) { request.accessControl = overridden(request.accessControl) }
    (request.operation, request.presence) = chance(2) ? (.decrypt, .stored) : pick(ExhaustionTests.operations)
    request.keybag = chance(2) ? .unlocked : pick(KeybagState.allCases)
    request.policy = policy()
    request.callerStanding = chance(8) ? pick(CallerStanding.allCases) : .listed
    request.evidence = (0..<pick([0, 0, 1, 1, 2, 3, 4])).map { _ in proof() }
    request.peer.origin = chance(3) ? pick([.remote, .unknown]) : .local
    if chance(8) { request.peer.executable = nil }
    if chance(6) { request.peer.terminal = pick([nil, Scene.otherTerminal]) }
    if chance(6) { request.peer.session = pick([nil, Scene.otherLeader]) }
    if chance(4) { request.context = pick([nil, ContextIdentifier(value: 8)]) }
    if chance(8) { request.currentEnrolment = pick([nil, Scene.otherFingers]) }
    if chance(8) { request.boundEnrolment = pick([nil, Scene.otherFingers]) }
    request.mayUnlock = chance(2)
    if chance(2) { request.biometricUnlock = .possible }
    if chance(4) { request.freshSince = Scene.second(pick([989, 990, 991, 999])) }
    return request
  }

  /// A policy with every part drawn.
  mutating func policy() -> ServicePolicy {
    var policy = Scene.policy
    if chance(3) { policy.require = floor() }
    if chance(4) { policy.requireAlso = (0..<pick([1, 2])).map { _ in floor() } }
    if chance(3) { policy.methods = pick([.passcode, .biometry, [], MethodSet(rawValue: 0xFF)]) }
    policy.remote = pick(RemoteRule.allCases)
    policy.reuse = Reuse(windowSeconds: pick([0, 9, 10, 11, 60, 60]), scope: pick(ReuseScope.allCases))
    policy.tries = pick([1, 3, 10])
    policy.deadlineSeconds = pick([5, 60, 600])
    policy.cacheTimeoutSeconds = pick([0, 600])
    policy.dropOn = DropTriggers(rawValue: UInt8(next() % 8))
    if chance(4) { policy.callers = callers() }
    return policy
  }

  private mutating func callers() -> [CallerRule] {
    (0..<pick([0, 1, 2, 3])).map { _ in
      CallerRule(
        executable: pick(["/usr/bin/mail", "/usr/bin/git", "/caf\u{E9}", "/cafe\u{301}"]),
        groups: (0..<pick([0, 1, 2])).map { _ in pick(["a", "b", "c"]) })
    }
  }

  /// A floor: mostly a valid one, at times one of flags that cannot stand together.
  mutating func floor() -> AccessControlFlags {
    if chance(20) { return pick([[.or, .and], [.biometryAny, .biometryCurrentSet], [.userPresence, .companion]]) }
    return chance(2)
      ? pick([.userPresence, .biometryAny, .devicePasscode, [.biometryAny, .devicePasscode]])
      : pick(ExhaustionTests.flags)
  }

  private mutating func proof() -> VerifiedEvidence {
    Proof.of(pick(AuthenticationMethod.allCases)) { proof in
      if chance(10) { proof.uid = 0 }
      if chance(6) { proof.service = pick([nil, "com.example.other"]) }
      if chance(10) { proof.boot = [1] }
      if chance(3) { proof.requester = Scene.otherProcess }
      if chance(3) { proof.program = pick([Scene.program, Scene.otherProgram]) }
      if chance(4) { proof.terminal = pick([nil, Scene.otherTerminal]) }
      if chance(4) { proof.session = pick([nil, Scene.otherLeader]) }
      if chance(4) { proof.context = pick([nil, ContextIdentifier(value: 8)]) }
      if chance(6) { proof.enrolment = pick([nil, Scene.fingers, Scene.otherFingers]) }
      if chance(3) { proof.provedAt = Scene.second(pick([939, 940, 941, 991, 1000, 1001])) }
      proof.reuse = Reuse(windowSeconds: pick([0, 10, 11, 60, 60, 300]), scope: pick(ReuseScope.allCases))
    }
  }

  private mutating func overridden(_ control: AccessControl) -> AccessControl {
    var overrides: [ItemOperation: OperationRule] = [:]
    for operation in ItemOperation.allCases where chance(3) {
      overrides[operation] = pick([.allowed, .denied, .constrained(tree(depth: 2)), .constrained(tree(depth: 1))])
    }
    return try! AccessControl(accessibility: control.accessibility, flags: control.flags, overrides: overrides)
  }

  private mutating func tree(depth: Int) -> Constraint {
    let leaves: [Constraint] = [.userPresence, .passcode, .biometryAny, .biometryCurrentSet, .companion]
    if depth == 0 || chance(3) { return pick(leaves) }
    let members = (0..<pick([0, 1, 2, 2, 3])).map { _ in tree(depth: depth - 1) }
    return chance(2) ? .anyOf(members) : .allOf(members)
  }
}
