internal import AccessPolicy
internal import KeychainModel
internal import SecretMemory

extension UserKeychain {
  /// The service whose policy speaks for the keychain as a whole.
  static var ownService: ExactText { "latchkey" }

  /// Unlocks the keybag; asks nothing where it is open already.
  func unlock(_ request: UnlockRequest, _ incoming: IncomingRequest) throws(Refusal) -> Answer {
    var passage = passage(incoming)
    let way: KeybagOpening<Store>.Way
    switch request {
    case .passcode:
      let state = try keybagState(passage.keys)
      if state == .unlocked { return Answer(.done(count: 0)) }
      if state == .locked {
        if try unlockByFinger(&passage) == .unlocked { return Answer(.done(count: 1)) }
        // What a finger could open with has ended meanwhile: the passcode is asked for anew.
        passage = self.passage(incoming)
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

  /// Asks for a finger or the passcode where an earlier passcode lets a finger do, and says how the keybag stands then.
  private func unlockByFinger(_ passage: inout Passage) throws(Refusal) -> KeybagState {
    let effective = try ports.policies.effective(for: Self.ownService)
    let policy = effective.policy
    let isHere = policy.remote == .any || origin(of: passage.incoming.peer) == .local
    guard policy.methods.isSuperset(of: .all), isHere,
      biometricUnlock(ports.enrolment.currentSet(of: account).hash) != nil
    else { return .locked }
    try askFor([.biometry, .passcode], effective, ProofPurpose("unlock the keychain"), "unlock", &passage)
    return try keybagState(passage.keys)
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
    _ purpose: ProofPurpose, _ action: String, _ passage: inout Passage, _ way: KeybagOpening<Store>.Way
  ) throws(Refusal) {
    try askFor([.passcode], try ports.policies.effective(for: Self.ownService), purpose, action, &passage, way)
  }

  private func askFor(
    _ alternatives: [MethodSet], _ effective: EffectiveServicePolicy, _ purpose: ProofPurpose, _ action: String,
    _ passage: inout Passage, _ way: KeybagOpening<Store>.Way = .passcode
  ) throws(Refusal) {
    let requirement = Requirement(
      alternatives: alternatives, unlocksKeybag: true, boundEnrolment: false, tries: effective.policy.tries,
      deadlineSeconds: effective.policy.deadlineSeconds, reuse: Reuse(windowSeconds: 0, scope: .never),
      policyDigest: effective.digest)
    try require(requirement, effective, purpose: purpose, action: action, &passage, way)
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
    _ passage: inout Passage, _ way: KeybagOpening<Store>.Way = .passcode, scope: ProofScope = .ownService
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
