/// A proof given for this very request counts for it, whatever the reuse terms say of later ones.
enum EvidenceFreshnessClause {
  /// Whether the asking process gave the proof since the request began.
  static func isFresh(_ evidence: borrowing VerifiedEvidence, in request: borrowing AccessRequest) -> Bool {
    guard let since = request.freshSince else { return false }
    return evidence.provedAt >= since && evidence.isOf(request.peer)
  }
}
