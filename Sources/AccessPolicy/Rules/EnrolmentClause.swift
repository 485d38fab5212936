internal import KeychainModel

/// `biometryCurrentSet`: the item ends with the set of fingers it was bound to.
enum EnrolmentClause {
  /// Passes where no bound set is asked for, or where it is still the enrolled one.
  ///
  /// - Throws: `invalidatedByEnrolment`; also where the item was never bound or nothing is enrolled any more.
  static func check(
    _ need: ProofNeed, _ request: borrowing AccessRequest, _ trace: inout DecisionTrace
  ) throws(Reason) {
    guard need.bindsEnrolment else { return }
    guard request.boundEnrolment != nil, request.boundEnrolment == request.currentEnrolment else {
      throw trace.refusal(.enrolment, .invalidatedByEnrolment)
    }
    trace.pass(.enrolment, "the enrolled fingers are those the item was bound to")
  }
}
