internal import AccessPolicy
internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import PAMModel

/// Proves presence through PAM: in a helper process, asked by a prompter where the client said that a prompt may appear.
///
/// A proof runs wholly in the caller's thread: the helper dies with the thread that started it.
struct PAMAuthenticator: Authenticating {
  private let programs: AuthenticationPrograms
  private let stacks: StackFinder
  private let pinentries: [String]
  private let gate = DerivationGate()

  /// Looks for programs and stacks where `places` says, and for pinentry in a fixed list.
  init(places: DaemonPlaces, pinentries: [String] = DisplayCheck.programs) {
    self.pinentries = pinentries
    programs = AuthenticationPrograms(places: places)
    stacks = StackFinder(places: places)
  }

  func availability(of method: AuthenticationMethod, account: UserAccountName) -> MethodAvailability {
    do throws(Refusal) {
      _ = try prepare(method, account)
      return .ready
    } catch { return .unavailable(error) }
  }

  func prove(_ request: ProofRequest, over channel: any PromptChannel) -> ProofOutcome {
    do throws(Refusal) {
      guard let channel = channel as? any PresentingChannel else {
        throw Refusal(.internalFailure, detail: "a channel that cannot be asked where to prompt")
      }
      let method = try method(for: request.requirement, request.account)
      return .proved(try prove(request, by: method, over: channel))
    } catch { return .refused(error) }
  }

  func passcodeRemoval(account: UserAccountName) -> PasscodeRemoval { AccountFacts(account).removal() }

  /// The first way that a single method satisfies and that can run here and now; else why the last cannot.
  private func method(
    for requirement: Requirement, _ account: UserAccountName
  ) throws(Refusal) -> AuthenticationMethod {
    var last = Refusal(.noMethodAllowed)
    for alternative in requirement.alternatives {
      let wanted = AuthenticationMethod.allCases.filter(alternative.contains)
      do throws(Refusal) {
        for method in wanted { _ = try prepare(method, account) }
        // Two proofs at once have to wait for the second method.
        guard wanted.count == 1 else { throw Refusal(.noMethodAllowed) }
        return wanted[0]
      } catch { last = error }
    }
    throw last
  }

  /// Everything that can be known before anything is shown: programs, account, stack.
  private func prepare(_ method: AuthenticationMethod, _ account: UserAccountName) throws(Refusal) -> CheckedStack {
    guard method == .passcode else {
      throw Refusal(.biometryNotAvailable, detail: "this build has no fingerprint support yet")
    }
    try programs.requireHelper()
    let stack = try stacks.find(.passcode)
    try AccountFacts(account).requirePasscode()
    return stack
  }

  private func prove(
    _ request: ProofRequest, by method: AuthenticationMethod, over channel: any PresentingChannel
  ) throws(Refusal) -> [VerifiedEvidence] {
    guard let peer = request.terms.first?.peer else { throw Refusal(.internalFailure, detail: "a proof for nothing") }
    let stack = try prepare(method, request.account)
    let watch = DialogueWatch(channel: channel, deadline: request.deadline.nanoseconds)
    let presentation = try channel.presentation(until: watch.deadline)
    try watch.requireWanted()
    let place = try PromptPlace(presentation, account: request.account, peer: peer, pinentries: pinentries)
    let dialogue = PasscodeDialogue(
      request: request, stack: stack, place: place, programs: programs, gate: gate, watch: watch)
    try dialogue.run()
    return Evidence.of(method, for: request)
  }
}
