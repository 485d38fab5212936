internal import KeychainModel

/// What may satisfy presence: `methods` of the policy, less what a remote session may not use.
enum MethodsClause {
  /// The methods that count here and now; enough of them to satisfy the item.
  ///
  /// - Throws: `companionNotAvailable`, `noMethodAllowed` or `remoteMethodDenied`: the first that leaves nothing. A
  ///   constraint that nothing at all satisfies (one of none) is `noMethodAllowed`.
  static func allowed(
    _ need: ProofNeed, _ request: borrowing AccessRequest, _ trace: inout DecisionTrace
  ) throws(Reason) -> MethodSet {
    if need.table == .impossible { throw trace.refusal(.methods, .noMethodAllowed) }
    if !need.table.isSatisfied(by: .all) { throw trace.refusal(.methods, .companionNotAvailable) }
    let methods = request.policy.methods.intersection(.all)
    if !need.table.isSatisfied(by: methods) { throw trace.refusal(.methods, .noMethodAllowed) }
    let here = methods.intersection(RemoteClause.methods(request))
    if !need.table.isSatisfied(by: here) { throw trace.refusal(.methods, .remoteMethodDenied) }
    return here
  }
}
