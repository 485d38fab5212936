internal import KeychainModel

/// What the item's own access control says of the operation.
enum OperationClause {
  /// What the item itself needs. Replacing a stored value needs what reading it needs, besides what writing needs.
  ///
  /// - Throws: `operationDenied`.
  static func need(
    _ request: borrowing AccessRequest, _ trace: inout DecisionTrace
  ) throws(Reason) -> ProofNeed {
    var need = ProofNeed()
    try add(request.operation, to: &need, request, &trace)
    if request.operation == .encrypt && request.presence == .stored {
      try add(.decrypt, to: &need, request, &trace)
    }
    return need
  }

  private static func add(
    _ operation: ItemOperation, to need: inout ProofNeed, _ request: borrowing AccessRequest,
    _ trace: inout DecisionTrace
  ) throws(Reason) {
    if let own = request.accessControl.overrides[operation] {
      return try add(own, of: operation, to: &need, &trace)
    }
    switch request.accessControl.flagRule(for: operation) {
    case .allowed: trace.pass(.operation, "\(operation) needs no proof")
    case .constrained:
      need.add(request.accessControl.flags)
      trace.pass(.operation, "\(operation) needs a proof")
    case .denied: throw trace.refusal(.operation, .operationDenied)
    }
  }

  private static func add(
    _ own: OperationRule, of operation: ItemOperation, to need: inout ProofNeed, _ trace: inout DecisionTrace
  ) throws(Reason) {
    switch own {
    case .allowed: trace.pass(.operation, "the item's own rule for \(operation) needs no proof")
    case .constrained(let constraint):
      need.add(constraint)
      trace.pass(.operation, "the item's own rule for \(operation) needs a proof")
    case .denied: throw trace.refusal(.operation, .operationDenied)
    }
  }
}
