internal import AccessPolicy
internal import KeychainModel
internal import PolicyFiles

/// Plays one row of a test through the evaluator: no clock, no authenticator, no store. The proofs of a row are made up here
/// and reach nothing but the evaluator: its grant is dropped, and this program opens no store.
struct Rehearsal {
  let row: PolicyTestRow
  let policy: ServicePolicy

  /// What came of it, and what the rules said.
  func run() -> (decision: PolicyTestExpectation, trace: DecisionTrace) {
    var trace = DecisionTrace.recording
    let decision: PolicyTestExpectation
    switch AccessEvaluator.evaluate(request, trace: &trace) {
    case .allow: decision = .allow
    case .deny(let reason): decision = .deny(reason)
    case .authenticate(let requirement): decision = .authenticate(Set(requirement.alternatives))
    }
    return (decision, trace)
  }

  private static let now = Instant(nanoseconds: 1_000_000_000_000_000)
  private static let bootID: [UInt8] = [1]
  private static let process = ProcessIdentity(pid: 100, startTime: 1)
  private static let otherProcess = ProcessIdentity(pid: 200, startTime: 2)
  private static let session = ProcessIdentity(pid: 10, startTime: 1)
  private static let terminal = TerminalIdentity(device: 1, leader: session)
  private static let context = ContextIdentifier(value: 1)
  private static let digest = PolicyDigest(bytes: [])
  private static let fingers: [UInt8] = [1]
  private static let otherFingers: [UInt8] = [2]

  private var request: AccessRequest {
    let given = row.given
    let isBound = given.accessControl.flags.contains(.biometryCurrentSet)
    return AccessRequest(
      item: ItemIdentifier(high: 0, low: 1), service: given.service, operation: given.operation,
      accessControl: given.accessControl, boundEnrolment: isBound ? Self.fingers : nil, currentEnrolment: enrolment,
      policy: policy, policyDigest: Self.digest, keybag: given.keybag, evidence: given.evidence.map(evidence),
      peer: peer, context: Self.context, now: Self.now, bootID: Self.bootID, mayUnlock: given.mayUnlock,
      freshSince: freshSince, callerStanding: standing, presence: given.presence)
  }

  private var enrolment: [UInt8]? {
    switch row.given.enrolment {
    case .same: Self.fingers
    case .changed: Self.otherFingers
    case .none: nil
    }
  }

  private var peer: PeerFacts {
    let executable = row.given.caller.map { ExecutableIdentity(device: 1, inode: 1, displayPath: $0) }
    return PeerFacts(
      uid: 1000, process: Self.process, terminal: Self.terminal, session: Self.session, executable: executable,
      origin: row.given.origin)
  }

  private var standing: CallerStanding {
    guard let callers = policy.callers else { return .unrestricted }
    guard let caller = row.given.caller.map({ ExactText($0) }) else { return .notListed }
    return callers.contains { ExactText($0.executable) == caller } ? .listed : .notListed
  }

  /// A request begins before the proofs that are given for it.
  private var freshSince: Instant? {
    row.given.evidence.filter { $0.from == .request }.map { provedAt($0) }.min()
  }

  private func provedAt(_ evidence: PolicyTestEvidence) -> Instant {
    Instant(nanoseconds: Self.now.nanoseconds - UInt64(evidence.seconds) * 1_000_000_000)
  }

  private func evidence(_ given: PolicyTestEvidence) -> VerifiedEvidence {
    VerifiedEvidence(
      provenBy: given.method, uid: 1000, service: row.given.service,
      requester: given.from <= .process ? Self.process : Self.otherProcess, program: nil,
      terminal: given.from <= .terminal ? Self.terminal : nil, session: given.from <= .session ? Self.session : nil,
      context: given.from <= .context ? Self.context : nil, policyDigest: Self.digest,
      enrolmentHash: given.method == .biometry ? Self.fingers : nil, bootID: Self.bootID, provedAt: provedAt(given),
      reuse: policy.reuse)
  }
}
