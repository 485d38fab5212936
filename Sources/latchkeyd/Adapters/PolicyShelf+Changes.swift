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
  /// What a change of the user's own policies would mean, judged for one service of every pattern that it touches.
  func proposal(for pattern: ServicePattern, _ text: ExactText?) -> ProposedPolicy {
    let service = ExactText(pattern.text)
    var changed = user
    changed.texts[service] = text
    var after = layers
    after.user = changed.folder
    var judged = witnesses(of: pattern, after).filter { isLooser($0, in: after) }
    // A group reaches the items of other services, so that no service's own policy tells what it opens.
    if judged.isEmpty, after.grantsMore(than: layers) { judged = [pattern.witness] }
    return ProposedPolicy(service: service, text: text, loosened: policies(of: judged))
  }

  /// The policies in force for some services, each once. One that cannot be told was shut: the built-in one stands for it.
  private func policies(of services: [ExactText]) -> [EffectiveServicePolicy] {
    var policies: [EffectiveServicePolicy] = []
    for service in services {
      let policy = try? effective(for: service, in: layers)
      let found = policy ?? EffectiveServicePolicy(policy: .builtIn, digest: PolicyDigest(bytes: []))
      if !policies.contains(found) { policies.append(found) }
    }
    return policies
  }

  /// One service for each pattern of any layer within this one, and its own.
  private func witnesses(of pattern: ServicePattern, _ after: PolicyLayers) -> [ExactText] {
    let files = [layers.system, layers.user, after.user, layers.shipped].flatMap(\.files)
    return [pattern.witness] + files.map(\.pattern.witness).filter(pattern.matches)
  }

  /// Whether a service opens more easily in the other layers. One that no policy could be told for was shut.
  private func isLooser(_ service: ExactText, in after: PolicyLayers) -> Bool {
    guard let new = try? effective(for: service, in: after) else { return false }
    guard let old = try? effective(for: service, in: layers) else { return true }
    return new.policy.isLooser(than: old.policy)
  }
}
