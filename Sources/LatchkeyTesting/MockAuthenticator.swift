// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What only implements a port is documented where the port is declared, in KeychainService/Ports.

public import AccessPolicy
public import KeychainModel
public import KeychainService
internal import SecretMemory
internal import Synchronization

/// What a mock dialogue does when it is asked for a proof.
public enum ScriptedAnswer: Sendable, Equatable {
  /// The user gives this passcode; the account's own is set on the authenticator.
  case passcode(String)
  /// The user gives the account's passcode, and this one when the passcode from before is asked for.
  case passcodeFromBefore(String)
  /// The user shows a finger: one that is enrolled, or another.
  case finger(ScriptedFinger)
  /// The user gives this passcode and shows a finger, where both are wanted.
  case both(String, ScriptedFinger)
  /// The dialogue ends with this reason (cancelled, deadline, no match, ...).
  case refuse(Reason)
  /// Nobody answers until the deadline or until the client leaves.
  case never
}

/// A finger on the reader.
public enum ScriptedFinger: Sendable, Equatable { case enrolled, other }

/// An authenticator that follows a script instead of asking anybody.
///
/// Give it the account's passcode and the answers in order; when the script is used up the last answer repeats.
public final class MockAuthenticator: Authenticating {
  private struct State {
    var script: [ScriptedAnswer]
    var prompts = 0
    var shown: PromptTexts?
    var remark: Reason?
    var requirement: Requirement?
    var up = 0
    var mostUp = 0
    var removal = PasscodeRemoval.notKnownToBeRemoved
    var reader: Refusal? = Refusal(.biometryNotAvailable)
    var meanwhile: (@Sendable () -> Void)?
    var mark: UInt8 = 0
  }

  private let passcode: String
  private let clock: any ServiceClock
  private let milliseconds: UInt32
  private let state: Mutex<State>

  /// Makes one. `milliseconds`: how long each dialogue stays up.
  public init(passcode: String, script: [ScriptedAnswer], clock: any ServiceClock, milliseconds: UInt32 = 0) {
    self.passcode = passcode
    self.clock = clock
    self.milliseconds = milliseconds
    state = Mutex(State(script: script))
  }

  /// How many prompts were put up so far.
  public var prompts: Int { state.withLock { $0.prompts } }
  /// What the last prompt showed.
  public var shown: PromptTexts? { state.withLock { $0.shown } }
  /// What the last prompt remarked.
  public var remark: Reason? { state.withLock { $0.remark } }
  /// What the last prompt asked for.
  public var requirement: Requirement? { state.withLock { $0.requirement } }
  /// The most prompts that were up at the same time.
  public var mostPromptsAtOnce: Int { state.withLock { $0.mostUp } }

  /// Replaces what is left of the script.
  public func follow(_ script: [ScriptedAnswer]) { state.withLock { $0.script = script } }

  /// Has something happen while the next prompt is up, before it is answered.
  public func meanwhile(_ happening: @escaping @Sendable () -> Void) { state.withLock { $0.meanwhile = happening } }

  /// Says that the account's passcode is known to be gone.
  public func removePasscode() { state.withLock { $0.removal = .removed } }

  public func availability(
    of method: AuthenticationMethod, account: UserAccountName, peer: PeerFacts
  ) -> MethodAvailability {
    if method == .biometry {
      return state.withLock { $0.reader }.map(MethodAvailability.unavailable) ?? .ready
    }
    return state.withLock { $0.removal } == .removed ? .unavailable(Refusal(.passcodeNotSet)) : .ready
  }

  /// Connects a reader, or says why there is none.
  public func setReader(_ refusal: Refusal?) { state.withLock { $0.reader = refusal } }

  public func passcodeMark(account: UserAccountName) -> [UInt8] { state.withLock { [$0.mark] } }

  /// Says that the account's passcode was changed elsewhere.
  public func changePasscodeElsewhere() { state.withLock { $0.mark += 1 } }

  public func passcodeRemoval(account: UserAccountName) -> PasscodeRemoval { state.withLock { $0.removal } }

  public func prove(_ request: ProofRequest, over channel: any PromptChannel) -> ProofOutcome {
    let answer = state.withLock { state -> ScriptedAnswer in
      state.prompts += 1
      state.shown = request.texts
      state.remark = request.remark
      state.requirement = request.requirement
      state.up += 1
      state.mostUp = max(state.mostUp, state.up)
      let next = state.script.first ?? .refuse(.userCancelled)
      if state.script.count > 1 { state.script.removeFirst() }
      return next
    }
    defer { state.withLock { $0.up -= 1 } }
    let happening = state.withLock { state in
      defer { state.meanwhile = nil }
      return state.meanwhile
    }
    happening?()
    if milliseconds > 0 { clock.pause(milliseconds: milliseconds) }
    switch answer {
    case .refuse(let reason): return .refused(Refusal(reason))
    case .never: return wait(request, channel)
    case .passcode(let given): return prove(request, [.passcode], [judge(given, request)])
    case .passcodeFromBefore(let old): return prove(request, [.passcode], [judge(passcode, request, before: old)])
    case .finger(let finger): return prove(request, [.biometry], [judge(finger, request)])
    case .both(let given, let finger):
      return prove(request, [.passcode, .biometry], [judge(given, request), judge(finger, request)])
    }
  }

  /// Proved where nothing was refused and these methods are what is wanted.
  private func prove(
    _ request: ProofRequest, _ methods: [AuthenticationMethod], _ faults: [Refusal?]
  ) -> ProofOutcome {
    if let fault = faults.compactMap({ $0 }).first { return .refused(fault) }
    return .proved(methods.flatMap { method in request.terms.map { evidence($0, request, method) } })
  }

  private func wait(_ request: ProofRequest, _ channel: any PromptChannel) -> ProofOutcome {
    while clock.now < request.deadline {
      if case .ended(let reason) = channel.liveness { return .refused(Refusal(reason)) }
      if case .ended(let reason) = request.standing() { return .refused(Refusal(reason)) }
      clock.pause(milliseconds: 1)
    }
    return .refused(Refusal(.deadlinePassed))
  }

  private func judge(_ finger: ScriptedFinger, _ request: ProofRequest) -> Refusal? {
    guard request.requirement.alternatives.contains(where: { $0.contains(MethodSet.biometry) }) else {
      return Refusal(.noMethodAllowed)
    }
    if let refusal = state.withLock({ $0.reader }) { return refusal }
    if case .stop(let refusal) = request.finger.standing() { return refusal }
    guard finger == .enrolled else {
      if case .stop(let refusal) = request.finger.missed() { return refusal }
      return Refusal(.noMatch)
    }
    if case .refused(let refusal) = request.finger.matched() { return refusal }
    return nil
  }

  private func judge(_ given: String, _ request: ProofRequest, before: String? = nil) -> Refusal? {
    guard request.requirement.alternatives.contains(where: { $0.contains(MethodSet.passcode) }) else {
      return Refusal(.biometryNotAvailable)
    }
    guard given == passcode else {
      if case .stop(let refusal) = request.passcodeKey.missed() { return refusal }
      return Refusal(.wrongPasscode)
    }
    guard let stretched = try? SecretBytes(copying: Array(given.utf8)) else { return Refusal(.outOfMemory) }
    var verdict = request.passcodeKey.passcodeProved(stretched: stretched)
    // Nothing is stretched here, whatever the parameters.
    if case .stretchAgain = verdict { verdict = request.passcodeKey.passcodeProved(stretched: stretched) }
    if case .askOldPasscode = verdict, let before, let old = try? SecretBytes(copying: Array(before.utf8)) {
      verdict = request.passcodeKey.oldPasscode(stretched: old)
    }
    switch verdict {
    case .accepted: return nil
    case .askOldPasscode, .stretchAgain: return Refusal(.passcodeChanged)
    case .refused(let refusal): return refusal
    }
  }

  private func evidence(
    _ terms: EvidenceTerms, _ request: ProofRequest, _ method: AuthenticationMethod
  ) -> VerifiedEvidence {
    VerifiedEvidence(
      provenBy: method, uid: request.account.uid, service: terms.service, requester: terms.peer.process,
      program: terms.peer.executable, terminal: terms.peer.terminal, session: terms.peer.session,
      context: terms.context,
      policyDigest: terms.policyDigest, enrolmentHash: method == .biometry ? request.enrolment : nil,
      bootID: terms.bootID, provedAt: clock.now,
      reuse: terms.reuse)
  }
}
