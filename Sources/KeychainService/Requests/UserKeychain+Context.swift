internal import AccessPolicy
internal import KeychainModel
internal import SecretMemory

extension UserKeychain {
  /// Makes, uses and ends authentication contexts.
  func context(_ request: ContextRequest, _ incoming: IncomingRequest) throws(Refusal) -> Answer {
    switch request {
    case .create:
      return makeContext(incoming)
    case .invalidate:
      guard let context = incoming.context else { throw Refusal(.contextInvalid) }
      try contexts.invalidate(context, of: incoming.peer.process)
      shelf.drop(context: context)
      return Answer(.done(count: 1))
    case .canEvaluate(let alternatives):
      try requireContext(incoming)
      try requireOne(of: try allowed(try methodSets(alternatives), incoming).alternatives, incoming.peer)
      return Answer(.done(count: 1))
    case .evaluate(let alternatives):
      // Whose context it is comes before what could be done in it.
      guard incoming.context != nil else { throw Refusal(.contextInvalid) }
      try requireContext(incoming)
      return try evaluate(try methodSets(alternatives), incoming)
    case .evaluateAccessControl(let accessControl, let operation):
      try requireContext(incoming)
      return try evaluate(accessControl, operation, incoming)
    case .allowReuse(let seconds):
      guard let context = incoming.context else { throw Refusal(.contextInvalid) }
      try contexts.allowReuse(context, of: incoming.peer.process, seconds: seconds)
      return Answer(.done(count: 1))
    case .enrolment: return try enrolment()
    }
  }

  private func makeContext(_ incoming: IncomingRequest) -> Answer {
    let (made, forgotten) = contexts.make(for: incoming.peer.process, hasEnded: ports.host.hasEnded)
    for context in forgotten { shelf.drop(context: context) }
    return Answer(.context(made.value))
  }

  /// A digest of the set's hash: it changes with the set, and the hash that items are bound to stays here.
  private func enrolment() throws(Refusal) -> Answer {
    guard let hash = try ports.enrolment.currentSet(of: account).knownSet() else { throw Refusal(.biometryNotEnrolled) }
    return Answer(.enrolment(Digest.sha256(Array("enrolment state".utf8) + hash)))
  }

  /// How long a proof may serve in its context; the policy of each item it opens sets a shorter end, counted from the proof.
  private static var contextSeconds: UInt32 { 86_400 }

  /// Asks for a proof that belongs to the context. Where one is there that still serves, another is asked for all the same:
  /// the program wants to see its user now.
  private func evaluate(_ alternatives: [MethodSet], _ incoming: IncomingRequest) throws(Refusal) -> Answer {
    let requirement = try allowed(alternatives, incoming)
    try requireOne(of: requirement.alternatives, incoming.peer)
    try evaluate(requirement, try ports.policies.effective(for: Self.ownService), incoming)
    return Answer(.done(count: 1))
  }

  /// What the policy of the keychain's own service leaves of these alternatives. That a method cannot run at all goes before that
  /// it may not.
  private func allowed(_ alternatives: [MethodSet], _ incoming: IncomingRequest) throws(Refusal) -> Requirement {
    try requireOne(of: alternatives, incoming.peer)
    // Of no class that a lock shuts: the keybag is none of an evaluation's business.
    let accessControl: AccessControl
    do throws(AccessControlError) {
      accessControl = try AccessControl(accessibility: .always, flags: AccessControlFlags(satisfiedBy: alternatives))
    } catch { throw Refusal(.internalFailure) }
    return try requirement(of: accessControl, incoming)
  }

  /// Asks for what an access control wants; asks nothing where it wants nothing.
  private func evaluate(
    _ accessControl: AccessControl, _ operation: ItemOperation, _ incoming: IncomingRequest
  ) throws(Refusal) -> Answer {
    let effective = try ports.policies.effective(for: Self.ownService)
    if accessControl.flags.contains(.biometryCurrentSet) { _ = try boundEnrolment(for: accessControl, incoming.peer) }
    var request = AccessRequest(
      item: ItemIdentifier(high: 0, low: 0), service: Self.ownService, operation: operation,
      accessControl: accessControl, boundEnrolment: ports.enrolment.currentSet(of: account).hash,
      policy: effective.policy, policyDigest: effective.digest,
      keybag: try keybagState(passage(incoming).keys), peer: incoming.peer, now: ports.clock.now,
      bootID: ports.clock.bootID)
    request.currentEnrolment = request.boundEnrolment
    // Writing means adding here: it is for an item that is to be made.
    request.presence = operation == .encrypt ? .new : .stored
    request.context = incoming.context
    request.mayUnlock = incoming.options.mayUnlock
    request.callerStanding = ports.policies.standing(of: incoming.peer, in: effective.policy)
    switch judge(request) {
    case .allow: return Answer(.done(count: 0))
    case .deny(let reason): throw Refusal(reason)
    case .authenticate(let requirement):
      try evaluate(requirement, effective, incoming)
      return Answer(.done(count: 1))
    }
  }

  private func evaluate(
    _ requirement: Requirement, _ effective: EffectiveServicePolicy, _ incoming: IncomingRequest
  ) throws(Refusal) {
    guard let context = incoming.context else { throw Refusal(.contextInvalid) }
    try contexts.require(context, of: incoming.peer.process)
    var wanted = requirement
    wanted.reuse = Reuse(windowSeconds: Self.contextSeconds, scope: .context)
    var passage = passage(incoming)
    try require(
      wanted, effective, purpose: ProofPurpose("confirm that it is you"), action: "evaluate", &passage, scope: .context)
  }

  private func methodSets(_ bits: [UInt8]) throws(Refusal) -> [MethodSet] {
    let sets = bits.map(MethodSet.init(rawValue:))
    guard !sets.isEmpty, sets.allSatisfy({ !$0.isEmpty && $0.isSubset(of: .all) }) else {
      throw Refusal(.invalidParameter, detail: "a set of methods")
    }
    return sets
  }
}

extension AccessControlFlags {
  /// The flags that one of these sets of methods satisfies.
  fileprivate init(satisfiedBy alternatives: [MethodSet]) {
    switch (alternatives.contains(.biometry), alternatives.contains(.passcode)) {
    case (true, true): self = .userPresence
    case (true, false): self = .biometryAny
    case (false, true): self = .devicePasscode
    case (false, false): self = [.biometryAny, .devicePasscode, .and]
    }
  }
}
