public import KeychainModel

/// Everything a decision depends on. The evaluator looks at nothing else.
public struct AccessRequest: Sendable {
  /// The item.
  public var item: ItemIdentifier
  /// The service (genp `svce`, inet `srvr`) whose policy speaks.
  public var service: ExactText
  /// What is to be done.
  public var operation: ItemOperation
  /// The item's own access control.
  public var accessControl: AccessControl
  /// The enrolment hash the item was bound to at add; `nil` where it is not bound.
  public var boundEnrolment: [UInt8]?
  /// The enrolment hash as it is now; `nil` where nothing is enrolled or it cannot be read.
  public var currentEnrolment: [UInt8]?
  /// The effective policy: the meet of the layers.
  public var policy: ServicePolicy
  /// Its digest.
  public var policyDigest: PolicyDigest
  /// The keybag.
  public var keybag: KeybagState
  /// The proofs at hand. Those of other users, services, scopes or times are simply of no use.
  public var evidence: [VerifiedEvidence]
  /// Who asks.
  public var peer: PeerFacts
  /// The context the request names, or `nil`.
  public var context: ContextIdentifier?
  /// Now.
  public var now: Instant
  /// This boot.
  public var bootID: [UInt8]
  /// Whether a plain item of a locked class may be unlocked by a prompt (the command line asks so, Apple's API does not).
  public var mayUnlock: Bool
  /// Whether the proof was given for this very request (its own evidence counts even with reuse `never`).
  public var freshSince: Instant?
  /// Whether the policy's `callers` name the program: the daemon resolves their paths to files and compares those.
  public var callerStanding: CallerStanding
  /// Whether a finger may open the keybag again after a lock.
  public var biometricUnlock: BiometricUnlock = .passcodeFirst
  /// Whether the item is stored already: writing a new one is an add, writing a stored one replaces its value.
  public var presence: ItemPresence

  /// Gathers a request.
  public init(
    item: ItemIdentifier, service: ExactText, operation: ItemOperation, accessControl: AccessControl,
    boundEnrolment: [UInt8]? = nil, currentEnrolment: [UInt8]? = nil, policy: ServicePolicy,
    policyDigest: PolicyDigest, keybag: KeybagState, evidence: [VerifiedEvidence] = [], peer: PeerFacts,
    context: ContextIdentifier? = nil, now: Instant, bootID: [UInt8], mayUnlock: Bool = false,
    freshSince: Instant? = nil, callerStanding: CallerStanding = .unrestricted, presence: ItemPresence = .stored
  ) {
    self.item = item
    self.service = service
    self.operation = operation
    self.accessControl = accessControl
    self.boundEnrolment = boundEnrolment
    self.currentEnrolment = currentEnrolment
    self.policy = policy
    self.policyDigest = policyDigest
    self.keybag = keybag
    self.evidence = evidence
    self.peer = peer
    self.context = context
    self.now = now
    self.bootID = bootID
    self.mayUnlock = mayUnlock
    self.freshSince = freshSince
    self.callerStanding = callerStanding
    self.presence = presence
  }
}

/// How a program stands to the policy's `callers`.
public enum CallerStanding: UInt8, CaseIterable, Sendable {
  /// The policy names no programs.
  case unrestricted = 0
  /// The program is one of those named.
  case listed = 1
  /// It is not, or could not be told.
  case notListed = 2
}

/// Whether a finger opens a locked keybag.
public enum BiometricUnlock: UInt8, CaseIterable, Sendable {
  /// The passcode has to: the daemon or the machine was started anew, or its last proof is too old.
  case passcodeFirst = 0
  /// It does: a passcode proof of these fingers' time still lives.
  case possible = 1
}

/// Whether an item stands in the store.
public enum ItemPresence: UInt8, CaseIterable, Sendable {
  /// It is about to be added.
  case new = 0
  /// It is stored.
  case stored = 1
}
