internal import AccessPolicy
internal import KeychainModel
internal import SecretMemory

extension UserKeychain {
  /// The service whose policy speaks for the keychain as a whole.
  static var ownService: ExactText { "latchkey" }

  /// Unlocks the keybag; asks nothing where it is open already.
  func unlock(_ request: UnlockRequest, _ incoming: IncomingRequest) throws(Refusal) -> Answer {
    var passage = passage(incoming)
    let way: KeybagOpening.Way
    switch request {
    case .passcode:
      switch try keybagState(passage.keys) {
      case .unlocked: return Answer(.done(count: 0))
      case .locked, .beforeFirstUnlock, .passcodeChanged:
        try open(&passage)
        if try keybagState(passage.keys) == .unlocked { return Answer(.done(count: 1)) }
        // What a finger could open with has ended meanwhile: the passcode is asked for anew.
        passage = self.passage(incoming)
      case .none, .unbound, .akpuDestroyed, .damaged: break
      }
      way = .passcode
    case .recoveryKey(let index):
      guard let key = try incoming.secret(index) else { throw Refusal(.invalidParameter) }
      // Told before a passcode is asked for. The key has more bits than anybody could try.
      try store.checkRecoveryKey(key)
      way = .recoveryKey(key)
    }
    try askForPasscode(ProofPurpose("unlock the keychain"), "unlock", &passage, way)
    return Answer(.done(count: 1))
  }

  /// Asks for what opens a plain item of a locked class: the passcode, or a finger where an earlier passcode lets it do.
  private func open(_ passage: inout Passage) throws(Refusal) {
    let wanted = try requirement(of: .unconstrained(.whenUnlocked), passage.incoming)
    try ask(wanted, ProofPurpose("unlock the keychain"), "unlock", &passage)
  }

  /// What the policy of the keychain's own service wants of a request about no item, as if it were this one.
  ///
  /// - Throws: ``Refusal``: as the evaluator: the policy may close it to the program, to the session or to every method.
  func requirement(of accessControl: AccessControl, _ incoming: IncomingRequest) throws(Refusal) -> Requirement {
    let effective = try ports.policies.effective(for: Self.ownService)
    var request = AccessRequest(
      item: ItemIdentifier(high: 0, low: 0), service: Self.ownService, operation: .decrypt,
      accessControl: accessControl, policy: effective.policy, policyDigest: effective.digest,
      keybag: try keybagState(passage(incoming).keys), peer: incoming.peer, now: ports.clock.now,
      bootID: ports.clock.bootID, mayUnlock: true)
    if request.keybag == .locked, biometricUnlock(ports.enrolment.currentSet(of: account)) != nil {
      request.biometricUnlock = .possible
    }
    request.callerStanding = ports.policies.standing(of: incoming.peer, in: effective.policy)
    switch judge(request) {
    case .authenticate(let requirement): return requirement
    case .deny(let reason): throw Refusal(reason, detail: "service \(Self.ownService.string)")
    case .allow: throw Refusal(.internalFailure, detail: "a proof that nothing wants")
    }
  }

  /// Makes a recovery key after a proof of its own.
  func makeRecoveryKey(_ incoming: IncomingRequest) throws(Refusal) -> Answer {
    var passage = passage(incoming)
    try askForPasscode(ProofPurpose("make a recovery key"), "recovery-key", &passage, .passcode)
    guard case .bound = try store.keybagRecord() else { throw Refusal(.passcodeNotBound) }
    let key = try store.makeRecoveryKey(passage.keys.all)
    return Answer(.recoveryKey(0), secrets: [key])
  }

  /// Answers the state of everything; never prompts.
  func status() throws(Refusal) -> Answer {
    var status = StatusReply()
    let keys = RequestKeys(store: store, cache: ports.cache)
    status.keybag = try keybagState(keys)
    switch try store.keybagRecord() {
    case .bound(_, recovery: .made), .akpuDestroyed(_, recovery: .made): status.hasRecoveryKey = true
    default: status.hasRecoveryKey = false
    }
    status.items = try store.count()
    let tally = try store.tally()
    status.misses = tally.misses
    status.retryAfterSeconds = tally.retryAfterSeconds
    status.cached = ports.cache.entries()
    switch ports.cache.availability {
    case .on: status.cache = "on"
    case .off(let why): status.cache = "off: \(why)"
    }
    ports.host.describe(&status)
    if let note = try fingerNote() { status.notes.append(note) }
    return Answer(.status(status))
  }

  /// Checks the machine, and whether fingers are locked out.
  func doctor() throws(Refusal) -> Answer {
    var findings = ports.host.findings(account: account)
    if let note = try fingerNote() {
      let isLocked = try store.biometryMisses() >= BiometryLockout.limit
      findings.append(
        DoctorFinding(
          level: isLocked ? .warning : .fine, check: "lockout", text: note,
          command: isLocked ? "latchkey lock && latchkey unlock" : ""))
    }
    return Answer(.doctor(findings))
  }

  /// A passcode proof for the keychain itself, which opens no item.
  func askForPasscode(
    _ purpose: ProofPurpose, _ action: String, _ passage: inout Passage, _ way: KeybagOpening.Way
  ) throws(Refusal) {
    let accessControl: AccessControl
    do throws(AccessControlError) {
      // Of no class that a lock shuts: the keybag is opened by the passcode that this asks for.
      accessControl = try AccessControl(accessibility: .always, flags: .devicePasscode)
    } catch { throw Refusal(.internalFailure) }
    try ask(try requirement(of: accessControl, passage.incoming), purpose, action, &passage, way)
  }

  private func ask(
    _ asked: Requirement, _ purpose: ProofPurpose, _ action: String, _ passage: inout Passage,
    _ way: KeybagOpening.Way = .passcode
  ) throws(Refusal) {
    var wanted = asked
    wanted.unlocksKeybag = true
    wanted.reuse = Reuse(windowSeconds: 0, scope: .never)
    try require(
      wanted, try ports.policies.effective(for: Self.ownService), purpose: purpose, action: action, &passage, way)
  }

  /// What a proof about no item is good for.
  enum ProofScope {
    /// The keychain itself.
    case ownService
    /// Any service, in the request's context.
    case context
  }

  /// Puts up the prompt of a request that is about no item, and writes the decision down.
  func require(
    _ requirement: Requirement, _ effective: EffectiveServicePolicy, purpose: ProofPurpose, action: String,
    _ passage: inout Passage, _ way: KeybagOpening.Way = .passcode, scope: ProofScope = .ownService
  ) throws(Refusal) {
    let incoming = passage.incoming
    let terms = EvidenceTerms(
      service: scope == .context ? nil : Self.ownService, peer: incoming.peer, context: incoming.context,
      policyDigest: effective.digest,
      reuse: requirement.reuse, bootID: ports.clock.bootID)
    var texts = PromptTexts(
      program: incoming.peer.executable?.displayPath ?? "", service: purpose.service,
      label: ExactText(bytes: []), reason: incoming.options.reason ?? ExactText(bytes: []), purpose: purpose.words)
    texts.titles = incoming.options.titles
    let wanted = CombinedRequirement(requirement, terms: terms, texts: texts)
    do throws(Refusal) {
      while passage.rounds == 0 { try prove(wanted, &passage, way: way) }
    } catch {
      record(action, passage, error)
      throw error
    }
    record(action, passage, nil)
  }

  private func record(_ action: String, _ passage: Passage, _ refusal: Refusal?) {
    ports.log.record(
      DecisionRecord(
        time: ports.clock.wallSeconds, peer: passage.incoming.peer, service: Self.ownService, item: nil, action: action,
        method: passage.method, refusal: refusal))
  }
}
