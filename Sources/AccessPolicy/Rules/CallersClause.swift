internal import KeychainModel

/// Which programs may use the service: `callers` of the policy.
enum CallersClause {
  /// Passes where the policy names no programs, or where this one is known and was found in the list.
  ///
  /// - Throws: `callerNotAllowed`; also where nobody looked, or the program is unknown.
  static func check(_ request: borrowing AccessRequest, _ trace: inout DecisionTrace) throws(Reason) {
    if request.callerStanding == .notListed { throw trace.refusal(.callers, .callerNotAllowed) }
    guard request.policy.callers != nil else { return }
    guard request.callerStanding == .listed, request.peer.executable != nil else {
      throw trace.refusal(.callers, .callerNotAllowed)
    }
    trace.pass(.callers, "the program is listed")
  }
}
