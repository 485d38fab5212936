internal import AccessPolicy
internal import KeychainModel

extension UserKeychain {
  /// Shows or changes the user's own policies. A change that makes anything easier wants a proof under the policy in force.
  func policy(_ request: PolicyRequest, _ incoming: IncomingRequest) throws(Refusal) -> Answer {
    switch request {
    case .list: return Answer(.policy(try ports.policies.listing()))
    case .explain(let service): return Answer(.policy(try ports.policies.explanation(of: service)))
    case .apply(let text):
      guard text.bytes.count <= PolicyRequest.textBytes else {
        throw Refusal(.invalidParameter, detail: "a policy is at most \(PolicyRequest.textBytes) bytes")
      }
      return try put(try ports.policies.examine(text), incoming)
    case .remove(let service): return try put(try ports.policies.examineRemoval(of: service), incoming)
    }
  }

  private func put(_ proposal: ProposedPolicy, _ incoming: IncomingRequest) throws(Refusal) -> Answer {
    if proposal.strictness == .looser {
      var passage = passage(incoming)
      let current = proposal.current.policy
      let methods = AuthenticationMethod.allCases.filter(current.methods.contains)
      guard !methods.isEmpty else { throw Refusal(.noMethodAllowed) }
      let requirement = Requirement(
        alternatives: methods.map { MethodSet(rawValue: $0.rawValue) }, unlocksKeybag: false, boundEnrolment: false,
        tries: current.tries, deadlineSeconds: current.deadlineSeconds, reuse: Reuse(windowSeconds: 0, scope: .never),
        policyDigest: proposal.current.digest)
      try require(
        requirement, proposal.current, purpose: ProofPurpose("loosen the policy of", proposal.service),
        action: "policy", &passage)
    }
    try ports.policies.put(proposal)
    return Answer(.done(count: 1))
  }
}
