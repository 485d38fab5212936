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
    if proposal.strictness != .sameOrStricter { try proveLoosening(proposal, incoming) }
    try ports.policies.put(proposal)
    return Answer(.done(count: 1))
  }

  /// Asks for one proof that satisfies every policy that the change loosens, in force or hidden.
  private func proveLoosening(_ proposal: ProposedPolicy, _ incoming: IncomingRequest) throws(Refusal) {
    var passage = passage(incoming)
    var wanted: (requirement: Requirement, effective: EffectiveServicePolicy)?
    let loosening = Loosening(of: proposal)
    for effective in proposal.loosened + proposal.hidden {
      let requirement = try requirement(of: effective, for: loosening, incoming)
      if wanted == nil { wanted = (requirement, effective) }
      wanted?.requirement.unite(requirement)
    }
    guard let wanted else { throw Refusal(.internalFailure, detail: "a looser policy that loosens nothing") }
    do throws(Refusal) {
      try require(
        wanted.requirement, wanted.effective, purpose: loosening.purpose, action: "policy", &passage)
    } catch {
      throw error.detail.isEmpty ? Refusal(error.reason, detail: loosening.condition) : error
    }
  }

  /// What a policy in force asks for to be loosened: the proof that opens a protected item under it, from where the program is.
  ///
  /// Who may use the service does not count: a list of programs would leave none that could change it. Neither do parts of a
  /// floor that are no proof, nor the keybag: nothing is opened.
  private func requirement(
    of effective: EffectiveServicePolicy, for loosening: Loosening, _ incoming: IncomingRequest
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
      item: ItemIdentifier(high: 0, low: 0), service: loosening.service, operation: .decrypt, accessControl: presence,
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
      throw Refusal(reason, detail: loosening.condition)
    case .allow: throw Refusal(.internalFailure, detail: "a looser policy that wants no proof")
    }
  }
}

/// What a person is told of a change that makes something easier.
private struct Loosening {
  /// The service pattern of the change.
  let service: ExactText
  private let place: Place

  private enum Place {
    case inForce
    /// What comes into force once files of the administrator are gone.
    case hidden
  }

  init(of proposal: ProposedPolicy) {
    service = proposal.service
    place = proposal.strictness == .looser ? .inForce : .hidden
  }

  /// What the proof does.
  var purpose: ProofPurpose {
    switch place {
    case .inForce: ProofPurpose("loosen the policy of", service)
    case .hidden: ProofPurpose("loosen the policy, hidden now by a system file, of", service)
    }
  }

  /// Why the change is refused without the proof.
  var condition: String {
    let words =
      switch place {
      case .inForce: "the policy in force for"
      case .hidden: "the policy that a system file hides for"
      }
    return "\(words) \(service.string) has to be met before it is loosened"
  }
}
