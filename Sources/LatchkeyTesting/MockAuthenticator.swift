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
  /// The dialogue ends with this reason (cancelled, deadline, no match, ...).
  case refuse(Reason)
  /// Nobody answers until the deadline or until the client leaves.
  case never
}

/// An authenticator that follows a script instead of asking anybody.
///
/// Give it the account's passcode and the answers in order; when the script is used up the last answer repeats.
public final class MockAuthenticator: Authenticating {
  private struct State {
    var script: [ScriptedAnswer]
    var prompts = 0
    var shown: PromptTexts?
    var up = 0
    var mostUp = 0
    var removal = PasscodeRemoval.notKnownToBeRemoved
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
  /// The most prompts that were up at the same time.
  public var mostPromptsAtOnce: Int { state.withLock { $0.mostUp } }

  /// Replaces what is left of the script.
  public func follow(_ script: [ScriptedAnswer]) { state.withLock { $0.script = script } }

  /// Says that the account's passcode is known to be gone.
  public func removePasscode() { state.withLock { $0.removal = .removed } }

  public func availability(of method: AuthenticationMethod, account: UserAccountName) -> MethodAvailability {
    if method == .biometry { return .unavailable(Refusal(.biometryNotAvailable)) }
    return state.withLock { $0.removal } == .removed ? .unavailable(Refusal(.passcodeNotSet)) : .ready
  }

  public func passcodeRemoval(account: UserAccountName) -> PasscodeRemoval { state.withLock { $0.removal } }

  public func prove(_ request: ProofRequest, over channel: any PromptChannel) -> ProofOutcome {
    let answer = state.withLock { state -> ScriptedAnswer in
      state.prompts += 1
      state.shown = request.texts
      state.up += 1
      state.mostUp = max(state.mostUp, state.up)
      let next = state.script.first ?? .refuse(.userCancelled)
      if state.script.count > 1 { state.script.removeFirst() }
      return next
    }
    defer { state.withLock { $0.up -= 1 } }
    if milliseconds > 0 { clock.pause(milliseconds: milliseconds) }
    switch answer {
    case .refuse(let reason): return .refused(Refusal(reason))
    case .never: return wait(request, channel)
    case .passcode(let given): return judge(given, request)
    }
  }

  private func wait(_ request: ProofRequest, _ channel: any PromptChannel) -> ProofOutcome {
    while clock.now < request.deadline {
      if case .ended(let reason) = channel.liveness { return .refused(Refusal(reason)) }
      clock.pause(milliseconds: 1)
    }
    return .refused(Refusal(.deadlinePassed))
  }

  private func judge(_ given: String, _ request: ProofRequest) -> ProofOutcome {
    guard request.requirement.alternatives.contains(where: { $0 == .passcode }) else {
      return .refused(Refusal(.biometryNotAvailable))
    }
    guard given == passcode else {
      if case .stop(let refusal) = request.passcodeKey.missed() { return .refused(refusal) }
      return .refused(Refusal(.wrongPasscode))
    }
    guard let stretched = try? SecretBytes(copying: Array(given.utf8)) else { return .refused(Refusal(.outOfMemory)) }
    switch request.passcodeKey.passcodeProved(stretched: stretched) {
    case .accepted: return .proved(request.terms.map { evidence($0, request) })
    case .askOldPasscode: return .refused(Refusal(.passcodeChanged))
    case .refused(let refusal): return .refused(refusal)
    }
  }

  private func evidence(_ terms: EvidenceTerms, _ request: ProofRequest) -> VerifiedEvidence {
    VerifiedEvidence(
      provenBy: .passcode, uid: request.account.uid, service: terms.service, requester: terms.peer.process,
      terminal: terms.peer.terminal, session: terms.peer.session, context: terms.context,
      policyDigest: terms.policyDigest, enrolmentHash: nil, bootID: terms.bootID, provedAt: clock.now,
      reuse: terms.reuse)
  }
}
