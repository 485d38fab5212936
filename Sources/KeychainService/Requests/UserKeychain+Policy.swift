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
    if proposal.strictness == .looser { try proveLoosening(proposal, incoming) }
    try ports.policies.put(proposal)
    return Answer(.done(count: 1))
  }

  /// Asks for one proof that satisfies every policy that the change loosens.
  private func proveLoosening(_ proposal: ProposedPolicy, _ incoming: IncomingRequest) throws(Refusal) {
    var passage = passage(incoming)
    var wanted: (requirement: Requirement, effective: EffectiveServicePolicy)?
    for effective in proposal.loosened {
      let requirement = try requirement(toLoosen: effective, of: proposal.service, incoming)
      if wanted == nil { wanted = (requirement, effective) }
      wanted?.requirement.unite(requirement)
    }
    guard let wanted else { throw Refusal(.internalFailure, detail: "a looser policy that loosens nothing") }
    try require(
      wanted.requirement, wanted.effective, purpose: ProofPurpose("loosen the policy of", proposal.service),
      action: "policy", &passage)
  }

  /// What a policy in force asks for to be loosened: the proof that opens a protected item under it, from where the program is.
  ///
  /// Who may use the service does not count: a list of programs would leave none that could change it. Neither do parts of a
  /// floor that are no proof, nor the keybag: nothing is opened.
  private func requirement(
    toLoosen effective: EffectiveServicePolicy, of service: ExactText, _ incoming: IncomingRequest
  ) throws(Refusal) -> Requirement {
    guard let presence = try? AccessControl(accessibility: .always, flags: .userPresence) else {
      throw Refusal(.internalFailure)
    }
    let fingers = ports.enrolment.currentSet(of: account)
    var policy = effective.policy
    policy.callers = nil
    policy.require = []
    policy.requireAlso = effective.policy.floors.map { $0.subtracting([.applicationPassword, .privateKeyUsage]) }
    var request = AccessRequest(
      item: ItemIdentifier(high: 0, low: 0), service: service, operation: .decrypt, accessControl: presence,
      boundEnrolment: fingers.hash, policy: policy, policyDigest: effective.digest, keybag: .unlocked,
      peer: incoming.peer, now: ports.clock.now, bootID: ports.clock.bootID)
    request.currentEnrolment = fingers.hash
    switch judge(request) {
    case .authenticate(var requirement):
      requirement.reuse = Reuse(windowSeconds: 0, scope: .never)
      return requirement
    case .deny(.invalidatedByEnrolment):
      _ = try fingers.knownSet()
      throw Refusal(.biometryNotEnrolled)
    case .deny(let reason):
      throw Refusal(reason, detail: "the policy in force for \(service.string) has to be met before it is loosened")
    case .allow: throw Refusal(.internalFailure, detail: "a looser policy that wants no proof")
    }
  }
}
