/// Whose proof it is, for what, and when: of this user, for this service or in this context, in this boot, not in the future.
enum EvidenceOriginClause {
  /// Whether the proof may count at all.
  static func use(of evidence: borrowing VerifiedEvidence, in request: borrowing AccessRequest) -> EvidenceUse {
    if evidence.uid != request.peer.uid { return .otherUser }
    if !serves(evidence, request) { return .otherService }
    if evidence.bootID != request.bootID { return .otherBoot }
    if evidence.provedAt > request.now { return .notYetGiven }
    return .counts
  }

  /// A proof given to a context serves every service, but only its own process with that very context.
  private static func serves(_ evidence: borrowing VerifiedEvidence, _ request: borrowing AccessRequest) -> Bool {
    guard let service = evidence.service else {
      return evidence.context != nil && evidence.context == request.context
        && evidence.isOf(request.peer)
    }
    return service == request.service
  }
}
