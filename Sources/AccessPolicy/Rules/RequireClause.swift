internal import KeychainModel

/// The floor: `require` of the policy. No value of the service is used or replaced on less, whatever the item says.
enum RequireClause {
  /// Adds the floor to what is needed.
  ///
  /// - Throws: `policyInvalid` for flags that cannot stand together, `operationDenied` where the floor leaves private-key
  ///   operations only, `applicationPasswordRequired` where it wants a second wrap that the item does not have.
  static func raise(
    _ need: inout ProofNeed, _ request: borrowing AccessRequest, _ trace: inout DecisionTrace
  ) throws(Reason) {
    guard request.touchesValue else { return }
    if !request.policy.require.isEmpty { try raise(&need, to: request.policy.require, request, &trace) }
    for flags in request.policy.requireAlso { try raise(&need, to: flags, request, &trace) }
  }

  private static func raise(
    _ need: inout ProofNeed, to flags: AccessControlFlags, _ request: borrowing AccessRequest,
    _ trace: inout DecisionTrace
  ) throws(Reason) {
    guard let floor = try? AccessControl(accessibility: .always, flags: flags) else {
      throw trace.refusal(.require, .policyInvalid)
    }
    let wantsValue = request.operation == .decrypt || request.operation == .encrypt
    if floor.flags.contains(.privateKeyUsage) && wantsValue { throw trace.refusal(.require, .operationDenied) }
    if floor.needsApplicationPassword && !request.accessControl.needsApplicationPassword {
      throw trace.refusal(.require, .applicationPasswordRequired)
    }
    need.add(floor.flags)
    trace.pass(.require, "the policy requires \(floor.flags.names.joined(separator: ", "))")
  }
}
