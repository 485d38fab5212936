/// How long and for whom a proof serves again: the shorter of its own terms and of the policy's in force.
enum EvidenceReuseClause {
  /// Whether the terms cover this request. The window ends as its last second does: at 60 s of 60 the proof is over.
  static func use(of evidence: borrowing VerifiedEvidence, in request: borrowing AccessRequest) -> EvidenceUse {
    let window = min(evidence.reuse.windowSeconds, request.policy.reuse.windowSeconds)
    guard request.now < evidence.provedAt.adding(seconds: window) else { return .expired }
    let scope = min(evidence.reuse.scope, request.policy.reuse.scope)
    return covers(scope, evidence, request) ? .counts : .outOfScope
  }

  /// A wider scope holds the narrower ones, so that narrowing one never opens anything; an identity that is not known
  /// equals no other.
  private static func covers(
    _ scope: ReuseScope, _ evidence: borrowing VerifiedEvidence, _ request: borrowing AccessRequest
  ) -> Bool {
    let sameProcess = evidence.isOf(request.peer)
    switch scope {
    case .never: return false
    case .context: return sameProcess && evidence.context != nil && evidence.context == request.context
    case .process: return sameProcess
    case .terminal: return sameProcess || isSameTerminal(evidence, request)
    case .session: return sameProcess || isSameTerminal(evidence, request) || isSameSession(evidence, request)
    }
  }

  private static func isSameTerminal(
    _ evidence: borrowing VerifiedEvidence, _ request: borrowing AccessRequest
  ) -> Bool {
    evidence.terminal != nil && evidence.terminal == request.peer.terminal
  }

  private static func isSameSession(
    _ evidence: borrowing VerifiedEvidence, _ request: borrowing AccessRequest
  ) -> Bool {
    evidence.session != nil && evidence.session == request.peer.session
  }
}
