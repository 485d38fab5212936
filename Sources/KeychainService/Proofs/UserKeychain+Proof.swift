internal import AccessPolicy
internal import KeychainModel
internal import SecretMemory

extension UserKeychain {
  /// The state of one request on its way through decisions and prompts.
  struct Passage {
    let incoming: IncomingRequest
    let keys: RequestKeys
    /// The proofs given for this very request.
    var fresh: [VerifiedEvidence] = []
    /// When its first prompt came up.
    var freshSince: Instant?
    /// How many full locks there had been by then.
    var fullLocks: UInt64?
    /// How many prompts it had.
    var rounds = 0
    /// Its turn at the terminal, held from the wait until the prompt has ended.
    var ticket: PromptTurns.Ticket?
    /// When its prompt ends; waiting for the turn counts.
    var deadline: Instant?

    /// How a decision in this passage was proved, for the log.
    var method: String { fresh.map(\.method.name).sorted().joined(separator: "+") }
  }

  /// A request needs at most one prompt for each method, and one more where the keybag was locked meanwhile.
  static var maximumRounds: Int { AuthenticationMethod.allCases.count + 1 }

  func passage(_ incoming: IncomingRequest) -> Passage {
    Passage(incoming: incoming, keys: RequestKeys(store: store, cache: ports.cache))
  }

  /// The target of an operation on an item.
  func target(
    _ item: any StoredItem, _ operation: ItemOperation, query: ItemQuery, verb: ProofVerb = .open
  ) throws(Refusal) -> ProofTarget {
    let attributes = item.attributes ?? query.attributes
    let service = attributes.text(.service) ?? attributes.text(.server) ?? ExactText(bytes: [])
    return ProofTarget(
      item: item, service: service, effective: try ports.policies.effective(for: service), operation: operation,
      verb: verb)
  }

  /// Asks the evaluator about one target.
  func decide(_ target: ProofTarget, _ passage: Passage) throws(Refusal) -> Decision {
    let incoming = passage.incoming
    let item = target.item
    var request = AccessRequest(
      item: item.identifier, service: target.service, operation: target.operation, accessControl: item.accessControl,
      boundEnrolment: item.boundEnrolment, policy: target.effective.policy, policyDigest: target.effective.digest,
      keybag: try keybagState(passage.keys), peer: incoming.peer, now: ports.clock.now, bootID: ports.clock.bootID)
    request.evidence = passage.fresh + standingProofs(for: target.service, incoming)
    request.currentEnrolment = try currentEnrolment(target, request.evidence)
    if request.keybag == .locked, biometricUnlock(ports.enrolment.currentSet(of: account)) != nil {
      request.biometricUnlock = .possible
    }
    request.context = incoming.context
    request.mayUnlock = incoming.options.mayUnlock
    request.freshSince = passage.freshSince
    request.callerStanding = ports.policies.standing(of: incoming.peer, in: target.effective.policy)
    return judge(request)
  }

  /// The earlier proofs that may serve; the policy has the last word. In a context only its own, and others as far back as
  /// the program lets it.
  private func standingProofs(for service: ExactText, _ incoming: IncomingRequest) -> [VerifiedEvidence] {
    let standing = shelf.standing(for: service, cache: ports.cache)
    guard let context = incoming.context, !standing.isEmpty else { return standing }
    let seconds = contexts.reuseSeconds(of: context)
    let now = ports.clock.now
    return standing.filter { $0.context == context || now < $0.provedAt.adding(seconds: seconds) }
  }

  /// The fingers enrolled now, where they can change the decision.
  ///
  /// - Throws: ``Refusal``: why they cannot be told, for an item that is bound to a set: it is not judged by less.
  private func currentEnrolment(
    _ target: ProofTarget, _ evidence: [VerifiedEvidence]
  ) throws(Refusal) -> [UInt8]? {
    guard dependsOnEnrolment(target, evidence) else { return nil }
    let state = ports.enrolment.currentSet(of: account)
    return target.item.boundEnrolment == nil ? state.hash : try state.knownSet()
  }

  /// Whether the fingers enrolled now can change the decision: a set that is bound, by the item or by the policy, or a finger
  /// already shown. Reading the set costs looks at files, a tenth of a whole read, and most reads do not depend on it.
  private func dependsOnEnrolment(_ target: ProofTarget, _ evidence: [VerifiedEvidence]) -> Bool {
    let accessControl = target.item.accessControl
    return accessControl.flags.contains(.biometryCurrentSet) || !accessControl.overrides.isEmpty
      || target.effective.policy.bindsEnrolment || evidence.contains { $0.method == .biometry }
  }

  /// Does something with each target, once all of them are allowed; asks for one proof where any needs one.
  ///
  /// All or nothing: a refusal of one ends the whole, and what was done to the others is not used.
  ///
  /// - Parameter further: what else the same proof shall serve, looked for only where a prompt is needed.
  func withGrants<Result>(
    _ targets: [ProofTarget], _ passage: inout Passage,
    further: () throws(Refusal) -> [ProofTarget] = { () throws(Refusal) in [] },
    _ body: (ProofTarget, consuming Grant, Passage) throws(Refusal) -> Result
  ) throws(Refusal) -> [Result] {
    defer { endTurn(&passage) }
    while true {
      var results: [Result] = []
      var wanted: CombinedRequirement?
      for target in targets {
        switch try decide(target, passage) {
        case .allow(let grant):
          if wanted == nil { results.append(try body(target, grant, passage)) }
        case .deny(let reason):
          if reason == .invalidatedByEnrolment { try invalidate(target, among: targets) }
          throw Refusal(reason, detail: detail(of: reason, target))
        case .authenticate(let requirement):
          combine(requirement, target, passage, into: &wanted)
        }
      }
      guard wanted != nil else { return results }
      // Nothing stays open while a prompt is up.
      results.removeAll()
      try passage.incoming.channel.hold(secretBytes: 0)
      for target in try further() {
        if case .authenticate(let requirement) = try decide(target, passage) {
          combine(requirement, target, passage, into: &wanted)
        }
      }
      if let wanted { try prove(wanted, &passage) }
    }
  }

  /// The fingers an item was bound to are no more, so that nothing may open it again: its key is destroyed, its row stays and
  /// says why. An item that only a policy binds keeps its key.
  ///
  /// - Throws: ``Refusal``: `itemChanged` where there are other targets: the search is done anew, and passes it over.
  private func invalidate(
    _ target: ProofTarget, among targets: [ProofTarget]
  ) throws(Refusal) {
    guard let bound = target.item.boundEnrolment else { return }
    for other in targets where other.item.boundEnrolment == bound {
      ports.cache.forgetItemKey(for: other.item.identifier)
      do throws(Refusal) {
        try store.invalidate(other.item, reason: .invalidatedByEnrolment)
      } catch {
        // Deleted meanwhile: then nothing is left to destroy.
        guard error.reason == .itemNotFound else { throw error }
      }
    }
    changes.advance()
    if targets.count > 1 { throw Refusal(.itemChanged) }
  }

  private func detail(of reason: Reason, _ target: ProofTarget) -> String {
    let service = target.service.string
    return reason == .callerNotAllowed || reason == .noMethodAllowed || reason == .remoteDenied
      ? "service \(service)" : ""
  }

  private func combine(
    _ requirement: Requirement, _ target: ProofTarget, _ passage: Passage,
    into wanted: inout CombinedRequirement?
  ) {
    let terms = EvidenceTerms(
      service: target.service, peer: passage.incoming.peer, context: passage.incoming.context,
      policyDigest: target.effective.digest, reuse: requirement.reuse, bootID: ports.clock.bootID)
    if wanted == nil {
      wanted = CombinedRequirement(
        requirement, terms: terms, texts: texts(for: target, passage.incoming), verb: target.verb)
    } else {
      wanted?.add(requirement, terms: terms)
    }
  }

  private func texts(for target: ProofTarget, _ incoming: IncomingRequest) -> PromptTexts {
    let attributes = target.item.attributes
    var texts = PromptTexts(
      program: incoming.peer.executable?.displayPath ?? "", service: target.service,
      label: attributes?.text(.label) ?? attributes?.text(.account) ?? ExactText(bytes: []),
      reason: incoming.options.reason ?? ExactText(bytes: []),
      purpose: target.verb.rawValue)
    texts.titles = incoming.options.titles
    return texts
  }

  /// Puts the prompt up when its turn comes, and adds what it proved to the passage.
  ///
  /// Returns without a proof where the request had to wait for another prompt: then it is judged anew first.
  func prove(
    _ wanted: CombinedRequirement, _ passage: inout Passage, way: KeybagOpening.Way = .passcode
  ) throws(Refusal) {
    do throws(Refusal) { try obtain(wanted, &passage, way) } catch {
      throw wanted.requirement.alternatives.allSatisfy { $0 == .biometry } ? FingerAlone.marked(error) : error
    }
  }

  private func obtain(
    _ wanted: CombinedRequirement, _ passage: inout Passage, _ way: KeybagOpening.Way
  ) throws(Refusal) {
    let incoming = passage.incoming
    guard incoming.options.interaction == .allow else { throw Refusal(.interactionNotAllowed) }
    guard passage.rounds < Self.maximumRounds else { throw Refusal(.internalFailure, detail: "too many prompts") }
    try requireMethods(wanted.requirement, incoming.peer)
    let deadline = passage.deadline ?? ports.clock.now.adding(seconds: wanted.requirement.deadlineSeconds)
    passage.deadline = deadline
    if passage.ticket == nil {
      let place: PromptTurns.Place = incoming.peer.terminal.map { .terminal($0) } ?? .display
      let holder = PromptHolder(
        process: incoming.peer.process, program: wanted.texts.program, service: wanted.texts.service)
      let (ticket, turn) = try turns.take(
        place, for: holder, until: deadline, clock: ports.clock, channel: incoming.channel)
      passage.ticket = ticket
      // The prompt that was up may have given a proof that serves this request too.
      if turn == .afterWaiting { return }
    }
    defer { endTurn(&passage) }
    try ask(wanted, until: deadline, &passage, way)
  }

  private func endTurn(_ passage: inout Passage) {
    guard let ticket = passage.ticket else { return }
    turns.give(back: ticket)
    passage.ticket = nil
    passage.deadline = nil
  }

  private func ask(
    _ wanted: CombinedRequirement, until deadline: Instant, _ passage: inout Passage, _ way: KeybagOpening.Way
  ) throws(Refusal) {
    let set = try? fingers()
    var wanted = wanted
    if set == nil { wanted.requireNoFinger() }
    let (requirement, share) = try withTries(wanted.requirement, until: deadline, passage.incoming)
    defer { guesses.give(back: share) }
    let incoming = passage.incoming
    passage.rounds += 1
    if passage.freshSince == nil { passage.freshSince = ports.clock.now }
    let begun = passage.fullLocks ?? fullLocks.current
    passage.fullLocks = begun
    let receiver = try KeybagOpening(self, keys: passage.keys, channel: incoming.channel, way: way, since: begun)
    var request = ProofRequest(
      account: account, requirement: requirement, texts: wanted.texts, deadline: deadline, terms: wanted.terms,
      passcodeKey: receiver,
      finger: FingerCount(self, keys: passage.keys, set: set, for: wanted.requirement, since: begun))
    request.standing = { [fullLocks] in fullLocks.current == begun ? .alive : .ended(.systemCancelled) }
    if let ticket = passage.ticket { request.placed = { [turns] in turns.note($0, of: ticket) } }
    request.enrolment = set
    if set != nil, requirement.unlocksKeybag, !requirement.alternatives.contains(.biometry) {
      request.remark = .biometryNotCached
    }
    switch ports.authenticator.prove(request, over: incoming.channel) {
    case .refused(let refusal):
      noticeRemoval(refusal)
      // What ended the request from outside goes first: a sleep, say, breaks the reader as well.
      if case .ended(let reason) = incoming.channel.liveness { throw Refusal(reason) }
      throw refusal
    case .proved(let evidence):
      guard !evidence.isEmpty else { throw Refusal(.internalFailure, detail: "a proof without evidence") }
      if evidence.contains(where: { $0.method == .passcode }) { try forgetMisses() }
      try fullLocks.unlessLocked(since: begun) {
        for proof in evidence { shelf.keep(proof, cache: ports.cache) }
      }
      passage.fresh += evidence
    }
  }

  /// A passcode ends the waits and locks that wrong answers of either kind brought.
  func forgetMisses() throws(Refusal) {
    try store.clearMisses()
    try store.clearBiometryMisses()
  }

  /// What is asked for with the tries that wrong passcodes leave. Where they leave none, a finger may still do alone.
  private func withTries(
    _ requirement: Requirement, until deadline: Instant, _ incoming: IncomingRequest
  ) throws(Refusal) -> (Requirement, share: UInt8) {
    var requirement = requirement
    let fingerAlone = requirement.alternatives.filter { !$0.contains(.passcode) }
    if fingerAlone.count == requirement.alternatives.count { return (requirement, 0) }
    do throws(Refusal) {
      requirement.tries = try takeTries(requirement.tries, until: deadline, incoming.channel)
      return (requirement, requirement.tries)
    } catch {
      guard error.reason == .tooManyAttempts, !fingerAlone.isEmpty,
        (try? requireOne(of: fingerAlone, incoming.peer)) != nil
      else { throw error }
      requirement.alternatives = fingerAlone
      return (requirement, 0)
    }
  }

  /// Waits until the dialogues that run leave a wrong answer to this one.
  ///
  /// - Throws: ``Refusal``: `tooManyAttempts`, `deadlinePassed`, why misses cannot be counted, or why nobody wants the answer any more.
  private func takeTries(
    _ wanted: UInt8, until deadline: Instant, _ channel: any PromptChannel
  ) throws(Refusal) -> UInt8 {
    var isTold = false
    while true {
      switch try guesses.take(wanted, store) {
      case .tries(let tries): return tries
      case .waitOut(let tally): throw Self.refusal(for: tally)
      case .busy: break
      }
      if !isTold { channel.notify(Notice(kind: .waiting, text: "other prompts are up; waiting for the end of one")) }
      isTold = true
      if case .ended(let reason) = channel.liveness { throw Refusal(reason) }
      guard ports.clock.now < deadline else {
        throw Refusal(.deadlinePassed, detail: "other prompts were up all the time")
      }
      ports.clock.pause(milliseconds: 5)
    }
  }

  /// Refuses at once what no method here could satisfy, before anything is shown.
  private func requireMethods(_ requirement: Requirement, _ peer: PeerFacts) throws(Refusal) {
    do throws(Refusal) {
      try requireOne(of: requirement.alternatives, peer)
    } catch {
      noticeRemoval(error)
      throw error
    }
  }

  /// Refuses where none of the alternatives could run here and now, with the reason of the passcode's where there is one: it
  /// is what everybody has. Else with that of the last.
  func requireOne(of alternatives: [MethodSet], _ peer: PeerFacts) throws(Refusal) {
    var why = Refusal(.noMethodAllowed)
    var isPasscodes = false
    for alternative in alternatives {
      do throws(Refusal) {
        for method in AuthenticationMethod.allCases where alternative.contains(method) {
          try require(method, peer)
        }
        // A passcode in the same dialogue ends a lockout before the finger is asked for.
        if alternative == .biometry { try requireBiometryUnlocked() }
        return
      } catch {
        if isPasscodes, !alternative.contains(.passcode) { continue }
        why = error
        isPasscodes = alternative.contains(.passcode)
      }
    }
    throw why
  }

  private func require(_ method: AuthenticationMethod, _ peer: PeerFacts) throws(Refusal) {
    if case .unavailable(let refusal) = ports.authenticator.availability(of: method, account: account, peer: peer) {
      throw refusal
    }
    if method == .biometry { _ = try fingers() }
  }

  /// The hash of the enrolled fingers, without which a finger proves nothing.
  ///
  /// - Throws: ``Refusal``: `biometryNotEnrolled`, why they cannot be told.
  private func fingers() throws(Refusal) -> [UInt8] {
    let state = ports.enrolment.currentSet(of: account)
    if case .unavailable(let refusal) = state { throw refusal }
    guard let hash = state.hash else { throw Refusal(.biometryNotEnrolled) }
    return hash
  }

  /// Destroys the `whenPasscodeSet` keys once the passcode is known to be gone.
  func noticeRemoval(_ refusal: Refusal) {
    guard refusal.reason == .passcodeNotSet else { return }
    _ = destroyKeysOfRemovedPasscode()
  }

  /// Whether the keys of `whenPasscodeSet` items had to be destroyed just now.
  enum RemovalOutcome { case destroyed, nothingToDo }

  /// Destroys the `whenPasscodeSet` keys where the passcode is known to be removed. Anything less certain destroys nothing.
  func destroyKeysOfRemovedPasscode() -> RemovalOutcome {
    guard case .bound? = try? store.keybagRecord(), ports.authenticator.passcodeRemoval(account: account) == .removed,
      (try? store.destroyPasscodeSetKeys()) != nil
    else { return .nothingToDo }
    ports.cache.revoke(.everyClass)
    forgetProofs()
    return .destroyed
  }

  /// Writes a decision down where it is about a protected item.
  func log(_ target: ProofTarget, _ action: String, _ passage: Passage, _ refusal: Refusal?) {
    guard target.isProtected else { return }
    ports.log.record(
      DecisionRecord(
        time: ports.clock.wallSeconds, peer: passage.incoming.peer, service: target.service,
        item: target.item.identifier, action: action,
        method: passage.fresh.isEmpty ? (refusal == nil ? "earlier proof" : "") : passage.method, refusal: refusal))
  }
}
