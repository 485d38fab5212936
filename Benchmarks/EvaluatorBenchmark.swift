import AccessPolicy
import KeychainModel

/// Processor time of a decision with the trace off.
enum EvaluatorBenchmark {
  private static let decisions = 200_000

  static func run(_ setting: Setting) throws {
    let protected = try AccessControl(accessibility: .whenUnlocked, flags: .userPresence)
    let cases: [(String, AccessRequest)] = [
      ("plain item, allowed", request(.unconstrained(.whenUnlocked), evidence: [])),
      ("protected item, proof at hand", request(protected, evidence: [evidence(seconds: 30)])),
      ("protected item, seven stale proofs", request(protected, evidence: (400..<407).map { evidence(seconds: $0) })),
      ("protected item, proof wanted", request(protected, evidence: [])),
    ]
    for (name, request) in cases {
      let runs = (0..<setting.options.runs).map { _ in
        processorTime { for _ in 0..<decisions { Self.decide(request) } } / Double(decisions) / 1000
      }
      try Report.row("evaluator: \(name)", "us a decision", .atMost(1), runs)
    }
  }

  @inline(never) private static func decide(_ request: borrowing AccessRequest) {
    var trace = DecisionTrace.off
    _ = AccessEvaluator.evaluate(request, trace: &trace)
  }

  private static let caller = ProcessIdentity(pid: 4242, startTime: 99)
  private static let boot = [UInt8](repeating: 3, count: 16)
  private static let digest = PolicyDigest(bytes: [UInt8](repeating: 5, count: 32))
  private static let now = Instant(nanoseconds: 1_000_000_000_000)
  private static let reuse = Reuse(windowSeconds: 300, scope: .process)

  private static func request(_ access: AccessControl, evidence: [VerifiedEvidence]) -> AccessRequest {
    var policy = ServicePolicy.builtIn
    policy.reuse = reuse
    return AccessRequest(
      item: ItemIdentifier(high: 1, low: 2), service: "com.example.mail", operation: .decrypt, accessControl: access,
      policy: policy, policyDigest: digest, keybag: .unlocked, evidence: evidence,
      peer: PeerFacts(uid: 1000, process: caller, origin: .local), now: now, bootID: boot)
  }

  private static func evidence(seconds: UInt64) -> VerifiedEvidence {
    VerifiedEvidence(
      provenBy: .passcode, uid: 1000, service: "com.example.mail", requester: caller, program: nil, terminal: nil,
      session: nil,
      context: nil, policyDigest: digest, enrolmentHash: nil, bootID: boot,
      provedAt: Instant(nanoseconds: now.nanoseconds - seconds * 1_000_000_000), reuse: reuse)
  }
}
