/// Whose proof it is, for what, and when: of this user, for this service, in this boot, not in the future.
enum EvidenceOriginClause {
  /// Whether the proof may count at all.
  static func use(of evidence: borrowing VerifiedEvidence, in request: borrowing AccessRequest) -> EvidenceUse {
    if evidence.uid != request.peer.uid { return .otherUser }
    if evidence.service != request.service { return .otherService }
    if evidence.bootID != request.bootID { return .otherBoot }
    if evidence.provedAt > request.now { return .notYetGiven }
    return .counts
  }
}
