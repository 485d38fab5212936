internal import AccessPolicy
internal import KeychainModel
internal import KeychainService
internal import PolicyFiles
internal import Synchronization

extension PolicyShelf {
  func examine(_ text: ExactText) throws(Refusal) -> ProposedPolicy {
    let file: PolicyFile
    do throws(PolicyFileError) {
      file = try PolicyFile.parse(text.bytes, file: "policy")
    } catch {
      throw Refusal(.invalidParameter, detail: error.description)
    }
    return try current { (snapshot) throws(Refusal) in
      snapshot.expire()
      snapshot.refresh()
      return snapshot.proposal(for: file.pattern, text)
    }
  }

  func examineRemoval(of service: ExactText) throws(Refusal) -> ProposedPolicy {
    try current { (snapshot) throws(Refusal) in
      guard snapshot.user.texts[service] != nil else {
        throw Refusal(.itemNotFound, detail: "no policy of your own for \"\(service.string)\"")
      }
      guard let text = service.validString, let pattern = try? ServicePattern(text) else {
        throw Refusal(.invalidParameter, detail: "a pattern of services")
      }
      snapshot.expire()
      snapshot.refresh()
      return snapshot.proposal(for: pattern, nil)
    }
  }

  private func examine(again proposal: ProposedPolicy) throws(Refusal) -> ProposedPolicy {
    guard let text = proposal.text else { return try examineRemoval(of: proposal.service) }
    return try examine(text)
  }

  /// What was examined is examined once more: meanwhile the policies in force may have become stricter.
  func put(_ proposal: ProposedPolicy) throws(Refusal) {
    try changing.withLock { (_) throws(Refusal) in
      let again = try examine(again: proposal)
      guard again.strictness == .sameOrStricter || again == proposal else { throw Refusal(.policyLooser) }
      try store.putPolicy(proposal.service, text: proposal.text)
      try current { (snapshot) throws(Refusal) in
        var source = snapshot.user
        source.texts[proposal.service] = proposal.text
        snapshot.replace(user: source)
      }
    }
  }
}

extension PolicySnapshot {
  /// What a change of the user's own policies would mean, judged for one service of every pattern that it touches: as the
  /// layers are, and once files of the administrator are gone.
  func proposal(for pattern: ServicePattern, _ text: ExactText?) -> ProposedPolicy {
    let service = ExactText(pattern.text)
    var source = user
    source.texts[service] = text
    let change = LayerChange(of: layers, user: source.folder)
    let services = witnesses(of: pattern, change)
    var proposal = ProposedPolicy(service: service, text: text, loosened: [])
    for service in services {
      if change.isLooser(for: service) { proposal.loosened.append(policy(of: service, change)) }
      for bare in change.uncovered(for: service) where bare.isLooser(for: service) {
        proposal.hidden.append(policy(of: service, bare))
      }
    }
    judgeGroups(of: change, pattern.witness, &proposal)
    return proposal.withoutRepetition
  }

  /// A group reaches the items of other services, so that no service's own policy tells what it opens: the one of the changed
  /// pattern stands for all. A group that the user's own policies grant already was proved for, whoever grants it beside.
  private func judgeGroups(of change: LayerChange, _ service: ExactText, _ proposal: inout ProposedPolicy) {
    if proposal.loosened.isEmpty, change.grantsMore { proposal.loosened = [policy(of: service, change)] }
    let bare = change.withoutSystem
    if proposal.hidden.isEmpty, bare.grantsMore || change.ofUserAlone.grantsMore {
      proposal.hidden = [policy(of: service, bare)]
    }
  }

  /// The policy of a service before a change. One that cannot be told was shut: the built-in one stands for it.
  private func policy(of service: ExactText, _ change: LayerChange) -> EffectiveServicePolicy {
    let policy = try? effective(for: service, in: change.before)
    return policy ?? EffectiveServicePolicy(policy: .builtIn, digest: PolicyDigest(bytes: []))
  }

  /// One service for each pattern of any layer within this one, and its own.
  private func witnesses(of pattern: ServicePattern, _ change: LayerChange) -> [ExactText] {
    let files = [layers.system, layers.user, change.after.user, layers.shipped].flatMap(\.files)
    return [pattern.witness] + files.map(\.pattern.witness).filter(pattern.matches)
  }
}

extension ProposedPolicy {
  /// Each policy once; one that is in force is not hidden as well.
  fileprivate var withoutRepetition: ProposedPolicy {
    var proposal = self
    proposal.loosened = Self.distinct(loosened, but: [])
    proposal.hidden = Self.distinct(hidden, but: proposal.loosened)
    return proposal
  }

  private static func distinct(
    _ policies: [EffectiveServicePolicy], but others: [EffectiveServicePolicy]
  ) -> [EffectiveServicePolicy] {
    var seen = Set(others)
    return policies.filter { seen.insert($0).inserted }
  }
}
