public import KeychainModel

/// The answer to one request. Not copyable: an allowance is used once.
public enum Decision: ~Copyable {
  /// Go on; the grant opens exactly one item for one operation.
  case allow(Grant)
  /// Ask for a proof, then evaluate again.
  case authenticate(Requirement)
  /// No, and why.
  case deny(Reason)
}

/// The right to do one operation on one item, once. Only the evaluator makes one; the store consumes it.
public struct Grant: ~Copyable, Sendable {
  /// The item.
  public let item: ItemIdentifier
  /// The operation.
  public let operation: ItemOperation

  init(item: ItemIdentifier, operation: ItemOperation) {
    self.item = item
    self.operation = operation
  }
}

/// What must be proved. Each alternative is a set of methods that are all needed; the first alternative that can run wins.
public struct Requirement: Hashable, Sendable {
  /// The alternatives, each a set of methods; never empty and never holding an empty set.
  public var alternatives: [MethodSet]
  /// Whether the proof must open the locked keybag, whatever else would satisfy the item.
  public var unlocksKeybag: Bool
  /// Whether biometry counts only with the enrolment the item was bound to.
  public var boundEnrolment: Bool
  /// Wrong answers before the request ends.
  public var tries: UInt8
  /// Seconds from the prompt to its end.
  public var deadlineSeconds: UInt32
  /// The terms the resulting evidence gets.
  public var reuse: Reuse
  /// The digest of the policy that asked.
  public var policyDigest: PolicyDigest

  /// Makes a requirement.
  public init(
    alternatives: [MethodSet], unlocksKeybag: Bool, boundEnrolment: Bool, tries: UInt8, deadlineSeconds: UInt32,
    reuse: Reuse, policyDigest: PolicyDigest
  ) {
    self.alternatives = alternatives
    self.unlocksKeybag = unlocksKeybag
    self.boundEnrolment = boundEnrolment
    self.tries = tries
    self.deadlineSeconds = deadlineSeconds
    self.reuse = reuse
    self.policyDigest = policyDigest
  }
}
