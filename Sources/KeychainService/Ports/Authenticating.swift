public import AccessPolicy
public import KeychainModel
public import SecretMemory

/// Runs one dialogue with the user: PAM in the daemon, a script in tests.
public protocol Authenticating: Sendable {
  /// Whether a method could run for this user and this program now, or why it cannot. Never prompts.
  func availability(of method: AuthenticationMethod, account: UserAccountName, peer: PeerFacts) -> MethodAvailability

  /// Asks for a proof. Comes back with a proof, or with the reason why there is none.
  func prove(_ request: ProofRequest, over channel: any PromptChannel) -> ProofOutcome

  /// Whether the user is known to have no passcode any more.
  func passcodeRemoval(account: UserAccountName) -> PasscodeRemoval

  /// What is another one once the passcode was changed, by whomever; empty where that cannot be told. It tells nothing of the
  /// passcode.
  func passcodeMark(account: UserAccountName) -> [UInt8]
}

/// Whether a method can run.
public enum MethodAvailability: Sendable, Equatable {
  /// It can.
  case ready
  /// It cannot, and why.
  case unavailable(Refusal)
}

/// Whether the passcode is gone.
public enum PasscodeRemoval: Sendable { case removed, notKnownToBeRemoved }

/// The user a daemon serves.
public struct UserAccountName: Hashable, Sendable {
  /// The user id.
  public let uid: UInt32
  /// The login name.
  public let name: String

  /// Names a user.
  public init(uid: UInt32, name: String) {
    self.uid = uid
    self.name = name
  }
}

/// Where a request's prompt may appear and how it may end; the daemon's own kind behind it.
public protocol PromptChannel: Sendable {
  /// Whether the client is still there and wants its answer.
  var liveness: ChannelLiveness { get }
  /// Tells the client something while it waits.
  func notify(_ notice: Notice)
  /// Takes what the values of an answer will fill out of what its user may have under way, in place of what this request
  /// took before. Waits a few seconds where too little is left.
  ///
  /// - Parameter secretBytes: 0 gives everything back.
  /// - Throws: ``Refusal``: `tooManyRequests`, or why nobody wants the answer any more.
  func hold(secretBytes: Int) throws(Refusal)
}

/// Whether anybody waits for the answer.
public enum ChannelLiveness: Sendable, Equatable {
  /// Yes.
  case alive
  /// No: `clientGone`, `appCancelled` or `systemCancelled`.
  case ended(Reason)
}

/// What is asked of the user, and what the proof will be worth.
public struct ProofRequest: Sendable {
  /// Whose proof.
  public var account: UserAccountName
  /// What would satisfy it.
  public var requirement: Requirement
  /// What the dialogue shows; untrusted.
  public var texts: PromptTexts
  /// When it ends (boot-time clock).
  public var deadline: Instant
  /// What the proof is good for, one entry for each service of the batch.
  public var terms: [EvidenceTerms]
  /// What happens to the stretched passcode.
  public var passcodeKey: any PasscodeKeyReceiving
  /// What happens to a finger.
  public var finger: any FingerReceiving
  /// The hash of the enrolled fingers before the dialogue, or `nil`: a finger counts for this set alone.
  public var enrolment: [UInt8]?
  /// Why the passcode is wanted where a finger might be expected, or `nil`; shown.
  public var remark: Reason?
  /// Whether the proof is still of use to the keychain, whatever its client wants; the dialogue ends where it is not.
  public var standing: @Sendable () -> ChannelLiveness = { .alive }
  /// Takes down where the dialogue stands, once that is known; nothing where nobody is asked.
  public var placed: @Sendable (PromptSite) -> Void = { _ in }

  /// Gathers a request.
  public init(
    account: UserAccountName, requirement: Requirement, texts: PromptTexts, deadline: Instant, terms: [EvidenceTerms],
    passcodeKey: any PasscodeKeyReceiving, finger: any FingerReceiving
  ) {
    self.finger = finger
    self.account = account
    self.requirement = requirement
    self.texts = texts
    self.deadline = deadline
    self.terms = terms
    self.passcodeKey = passcodeKey
  }
}

/// What a dialogue shows. Everything but the user's name comes from the client and is shown escaped.
public struct PromptTexts: Sendable, Hashable {
  /// The program, as the daemon found it; empty where it could not.
  public var program: String
  /// What the purpose is about: a service, or nothing where it is the keychain itself.
  public var service: ExactText
  /// The item's label.
  public var label: ExactText
  /// The program's own reason.
  public var reason: ExactText
  /// What the answer does, in front of the service where there is one ("open", "unlock the keychain"). Words of the
  /// daemon's own.
  public var purpose: String
  /// What the program calls the ways out.
  public var titles = PromptTitles.usual

  /// Gathers texts, with the usual words for the ways out.
  public init(program: String, service: ExactText, label: ExactText, reason: ExactText, purpose: String) {
    self.program = program
    self.service = service
    self.label = label
    self.reason = reason
    self.purpose = purpose
  }
}

/// What a proof will be worth: the fields of the evidence the adapter makes.
public struct EvidenceTerms: Sendable, Hashable {
  /// The service; `nil` for a proof that belongs to the context alone.
  public var service: ExactText?
  /// Who asks.
  public var peer: PeerFacts
  /// The context, or `nil`.
  public var context: ContextIdentifier?
  /// The policy.
  public var policyDigest: PolicyDigest
  /// How it may serve again.
  public var reuse: Reuse
  /// This boot.
  public var bootID: [UInt8]

  /// Gathers terms.
  public init(
    service: ExactText?, peer: PeerFacts, context: ContextIdentifier?, policyDigest: PolicyDigest, reuse: Reuse,
    bootID: [UInt8]
  ) {
    self.service = service
    self.peer = peer
    self.context = context
    self.policyDigest = policyDigest
    self.reuse = reuse
    self.bootID = bootID
  }
}

/// How a dialogue ended.
public enum ProofOutcome: Sendable {
  /// Proved: one piece of evidence for each method and each of the request's terms.
  case proved([VerifiedEvidence])
  /// Not proved.
  case refused(Refusal)
}

/// Takes the passcode's key while the dialogue is still up, so that an old passcode can be asked for in it.
public protocol PasscodeKeyReceiving: Sendable {
  /// The parameters the passcode is to be stretched with, or `nil` where no key is wanted.
  var stretching: StretchingParameters? { get }
  /// PAM took a passcode and this is its key.
  func passcodeProved(stretched: SecretBytes?) -> PasscodeKeyVerdict
  /// The old passcode's key, after ``PasscodeKeyVerdict/askOldPasscode(_:)``.
  func oldPasscode(stretched: SecretBytes) -> PasscodeKeyVerdict
  /// A wrong answer was given; says whether more are taken.
  func missed() -> MissVerdict
}

/// Takes what the reader found, while the dialogue is still up.
public protocol FingerReceiving: Sendable {
  /// Whether a finger is taken now; asked before each start of the reader.
  func standing() -> MissVerdict
  /// PAM took a finger. Answers whether it counts.
  func matched() -> MatchVerdict
  /// A finger did not match; says whether another is taken. Only true misses are told: no swipe that was too short, no fault.
  func missed() -> MissVerdict
}

/// When fingers that do not match lock biometry.
public enum BiometryLockout {
  /// So many misses in a row (Apple Platform Security, "Face ID, Touch ID, passcodes, and passwords").
  public static let limit: UInt32 = 5
}

/// What becomes of a finger that matched.
public enum MatchVerdict: Sendable, Equatable {
  /// It counts.
  case accepted
  /// It does not, and why.
  case refused(Refusal)
}

/// What becomes of a passcode's key.
public enum PasscodeKeyVerdict: Sendable {
  /// It counts.
  case accepted
  /// It does not open the keybag: ask for the passcode from before, stretched with these parameters.
  case askOldPasscode(StretchingParameters)
  /// The keybag was bound meanwhile: stretch the passcode that PAM took with these, and hand its key in again.
  case stretchAgain(StretchingParameters)
  /// It does not count.
  case refused(Refusal)
}

/// Whether more answers are taken after a wrong one.
public enum MissVerdict: Sendable, Equatable {
  /// Yes.
  case goOn
  /// No, and why.
  case stop(Refusal)
}
