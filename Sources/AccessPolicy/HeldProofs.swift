/// The methods that the proofs at hand are good for in one request.
enum HeldProofs {
  /// Goes through the proofs; one that is of no use is passed over.
  static func methods(_ request: borrowing AccessRequest, _ trace: inout DecisionTrace) -> MethodSet {
    var held: MethodSet = []
    let proofs = request.evidence.span
    for index in proofs.indices {
      let use = use(of: proofs[index], in: request)
      trace.pass(.evidence, "\(proofs[index].method.name): \(use.rawValue)")
      if use == .counts { held.insert(proofs[index].method.asSet) }
    }
    return held
  }

  private static func use(of evidence: borrowing VerifiedEvidence, in request: borrowing AccessRequest) -> EvidenceUse {
    var use = EvidenceOriginClause.use(of: evidence, in: request)
    if use == .counts { use = EvidenceEnrolmentClause.use(of: evidence, in: request) }
    if use == .counts && !EvidenceFreshnessClause.isFresh(evidence, in: request) {
      use = EvidenceReuseClause.use(of: evidence, in: request)
    }
    return use
  }
}

/// What a proof is good for, and why not.
enum EvidenceUse: String, Sendable {
  case counts = "counts"
  case otherUser = "proof of another user"
  case otherService = "given for another service"
  case otherBoot = "given before the machine was restarted"
  case notYetGiven = "dated in the future"
  case otherEnrolment = "the enrolled fingers changed since"
  case expired = "its window is over"
  case outOfScope = "given to another context, process, terminal or session"
}

extension AuthenticationMethod {
  /// The set of this method alone.
  var asSet: MethodSet {
    switch self {
    case .passcode: .passcode
    case .biometry: .biometry
    }
  }
}
