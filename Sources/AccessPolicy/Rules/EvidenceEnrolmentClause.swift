/// A finger counts only while the fingers enrolled are those that were enrolled when it was shown.
enum EvidenceEnrolmentClause {
  /// Whether the enrolment still is the proof's own.
  static func use(of evidence: borrowing VerifiedEvidence, in request: borrowing AccessRequest) -> EvidenceUse {
    guard evidence.method == .biometry else { return .counts }
    guard evidence.enrolmentHash != nil, evidence.enrolmentHash == request.currentEnrolment else {
      return .otherEnrolment
    }
    return .counts
  }
}
