internal import KeychainModel

/// Decides whether an operation on an item goes on, wants a proof, or is refused. Pure: no clock, no files, no state.
public enum AccessEvaluator {
  /// Decides one request.
  ///
  /// Each rule stands in a file of its own under `Rules` and throws the reason it refuses with; what no rule refuses and
  /// the proofs at hand satisfy is allowed, on the one line that makes a ``Grant``.
  ///
  /// - Parameters:
  ///   - request: Everything the decision depends on.
  ///   - trace: What the rules say is added here; ``DecisionTrace/off`` costs nothing.
  /// - Returns: The decision. Proofs that are of no use never make it worse, nor does their order matter.
  public static func evaluate(_ request: borrowing AccessRequest, trace: inout DecisionTrace) -> Decision {
    do throws(Reason) {
      if let requirement = try missingProof(request, &trace) { return .authenticate(requirement) }
      return .allow(Grant(item: request.item, operation: request.operation))
    } catch {
      return .deny(error)
    }
  }

  /// Asks every rule; `nil` where none refuses and no proof is missing.
  private static func missingProof(
    _ request: borrowing AccessRequest, _ trace: inout DecisionTrace
  ) throws(Reason) -> Requirement? {
    let keybag = try KeybagClause.standing(request, &trace)
    try CallersClause.check(request, &trace)
    try RemoteClause.check(request, &trace)
    var need = try OperationClause.need(request, &trace)
    try RequireClause.raise(&need, request, &trace)
    if keybag == .dead { need = ProofNeed() }
    try EnrolmentClause.check(need, request, &trace)
    let methods = try MethodsClause.allowed(need, request, &trace)
    let unlocks = try KeybagClause.unlocks(keybag, need, request, &trace)
    let held = HeldProofs.methods(request, &trace)
    let proof = MissingProof(
      table: need.table, allowed: methods, held: held, unlocksKeybag: unlocks,
      biometricUnlock: request.keybag == .locked ? request.biometricUnlock : .passcodeFirst)
    if proof.isNone { return nil }
    trace.ask(.evidence, "proof is missing: \(proof.alternatives.map(\.description).joined(separator: " or "))")
    return requirement(for: proof, need, request)
  }

  private static func requirement(
    for proof: MissingProof, _ need: ProofNeed, _ request: borrowing AccessRequest
  ) -> Requirement {
    Requirement(
      alternatives: proof.alternatives, unlocksKeybag: proof.unlocksKeybag, boundEnrolment: need.bindsEnrolment,
      tries: request.policy.tries, deadlineSeconds: request.policy.deadlineSeconds, reuse: request.policy.reuse,
      policyDigest: request.policyDigest)
  }
}
