internal import AccessPolicy
internal import KeychainModel

/// What a prompt says that its answer does to an item.
enum ProofVerb: String, Sendable { case open, change, delete }

/// One item and what is to be done with it.
struct ProofTarget: Sendable {
  let item: any StoredItem
  let service: ExactText
  let effective: EffectiveServicePolicy
  let operation: ItemOperation
  /// How the prompt calls it: a change wants the same proof as a read.
  let verb: ProofVerb

  /// Whether a decision on it belongs into the log.
  var isProtected: Bool { item.accessControl.isProtected || effective.policy.hasFloor }
}

/// What several items want at once: one proof that satisfies all of them.
struct CombinedRequirement: Sendable {
  private(set) var requirement: Requirement
  private(set) var terms: [EvidenceTerms]
  private(set) var texts: PromptTexts
  private(set) var items = 1
  private let verb: ProofVerb

  init(_ requirement: Requirement, terms: EvidenceTerms, texts: PromptTexts, verb: ProofVerb = .open) {
    self.verb = verb
    self.requirement = requirement
    self.terms = [terms]
    self.texts = texts
  }

  /// Drops the alternatives that want a finger.
  mutating func requireNoFinger() { requirement.alternatives.removeAll { $0.contains(MethodSet.biometry) } }

  /// Adds another item: every pair of alternatives united, the smaller bounds.
  mutating func add(_ other: Requirement, terms otherTerms: EvidenceTerms) {
    requirement.unite(other)
    if !terms.contains(otherTerms) { terms.append(otherTerms) }
    items += 1
    texts.purpose = "\(verb.rawValue) \(items) items"
  }
}

extension Requirement {
  /// Asks for what the other asks for as well: every pair of alternatives united, the smaller bounds.
  mutating func unite(_ other: Requirement) {
    var united: [MethodSet] = []
    for mine in alternatives {
      for theirs in other.alternatives where !united.contains(mine.union(theirs)) { united.append(mine.union(theirs)) }
    }
    alternatives = united.filter { one in !united.contains { $0 != one && $0.isSubset(of: one) } }
    unlocksKeybag = unlocksKeybag || other.unlocksKeybag
    boundEnrolment = boundEnrolment || other.boundEnrolment
    tries = min(tries, other.tries)
    deadlineSeconds = min(deadlineSeconds, other.deadlineSeconds)
  }
}
