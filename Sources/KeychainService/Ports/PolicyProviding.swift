public import AccessPolicy
public import KeychainModel

/// The policies in force for one user.
public protocol PolicyProviding: Sendable {
  /// The effective policy of a service. Throws `policyInvalid` where a file that matters cannot be read.
  func effective(for service: ExactText) throws(Refusal) -> EffectiveServicePolicy

  /// Whether the policy lets the program use the service.
  func standing(of peer: PeerFacts, in policy: ServicePolicy) -> CallerStanding

  /// The access groups the program holds beside the user's default group.
  func groups(of peer: PeerFacts) -> [ExactText]

  /// The file in which an administrator grants a program a group for the items of a service; every service where it is empty.
  func grantingFile(for service: ExactText) -> String

  /// Reads a user's policy text and says what it would be. Throws `invalidParameter` with place and sentence.
  func examine(_ text: ExactText) throws(Refusal) -> ProposedPolicy

  /// Says what taking a user's policy away would mean. Throws `itemNotFound`.
  func examineRemoval(of service: ExactText) throws(Refusal) -> ProposedPolicy

  /// Puts an examined change in force.
  func put(_ proposal: ProposedPolicy) throws(Refusal)

  /// The user's and the system's texts in force.
  func listing() throws(Refusal) -> PolicyReply

  /// The effective policy of a service and the layers it came from.
  func explanation(of service: ExactText) throws(Refusal) -> PolicyReply
}

/// A service's policy and its digest.
public struct EffectiveServicePolicy: Sendable, Hashable {
  /// The policy.
  public var policy: ServicePolicy
  /// Its digest.
  public var digest: PolicyDigest

  /// Pairs them.
  public init(policy: ServicePolicy, digest: PolicyDigest) {
    self.policy = policy
    self.digest = digest
  }
}

/// A change of the user's policies, examined and not yet in force.
public struct ProposedPolicy: Sendable, Hashable {
  /// The service pattern.
  public var service: ExactText
  /// The text, or `nil` to take it away.
  public var text: ExactText?
  /// Every policy in force that it would loosen, each once: a looser change must prove what each of them asks for. Empty where
  /// it makes nothing easier.
  public var loosened: [EffectiveServicePolicy]
  /// Every policy that it would loosen and that comes into force once files of the administrator are gone, each once: their
  /// proof is asked for now, because nobody is asked then.
  public var hidden: [EffectiveServicePolicy] = []

  /// Whether a change loosens what is in force, or else what is hidden.
  public enum Strictness: Sendable, Hashable { case sameOrStricter, looserWhereHidden, looser }

  /// Whether it would make anything easier.
  public var strictness: Strictness {
    if !loosened.isEmpty { return .looser }
    return hidden.isEmpty ? .sameOrStricter : .looserWhereHidden
  }

  /// Makes a proposal.
  public init(service: ExactText, text: ExactText?, loosened: [EffectiveServicePolicy]) {
    self.service = service
    self.text = text
    self.loosened = loosened
  }
}
