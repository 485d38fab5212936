internal import AccessPolicy
internal import ItemStore
internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import PolicyFiles
internal import Synchronization

/// The policies in force for one user: the administrator's files, the user's own from the store, and the shipped ones.
///
/// A look-up is a dictionary's. Files are looked at again after a second; a change that was made through this object holds at
/// once.
final class PolicyShelf: PolicyProviding {
  let store: UserStore
  let places: DaemonPlaces
  /// Empty until the first question: a user's own policies that cannot be read refuse requests, not the daemon's start.
  private let snapshot = BriefLock<PolicySnapshot?>(nil)
  /// Held by the one who changes the user's policies.
  let changing = Mutex(())

  /// Policies of a user, from the folders of these places and from the store.
  init(store: UserStore, places: DaemonPlaces) {
    self.store = store
    self.places = places
  }

  func effective(for service: ExactText) throws(Refusal) -> EffectiveServicePolicy {
    try current { (snapshot) throws(Refusal) in try snapshot.effective(for: service) }
  }

  /// Where the policies cannot be read at all, nobody is listed.
  func standing(of peer: PeerFacts, in policy: ServicePolicy) -> CallerStanding {
    guard let callers = policy.callers else { return .unrestricted }
    let standing = try? current { (snapshot) throws(Refusal) in
      snapshot.programs.standing(of: peer.executable, in: callers)
    }
    return standing ?? .notListed
  }

  func groups(of peer: PeerFacts) -> [ExactText] {
    let groups = try? current { (snapshot) throws(Refusal) in
      snapshot.programs.groups(of: peer.executable, in: snapshot.layers)
    }
    return groups ?? []
  }

  /// Lends the policies as they are now, at most a second old.
  func current<Answer: Sendable>(
    _ body: (inout PolicySnapshot) throws(Refusal) -> Answer
  ) throws(Refusal) -> Answer {
    try snapshot.withLock { (kept) throws(Refusal) in
      if kept == nil { kept = try read() }
      // Where it stands: a copy would share what the look-up then changes.
      guard let answer = try kept?.refreshed(body) else { throw Refusal(.internalFailure) }
      return answer
    }
  }

  private func read() throws(Refusal) -> PolicySnapshot {
    var texts: [ExactText: ExactText] = [:]
    for policy in try store.policies() { texts[policy.pattern] = policy.text }
    return PolicySnapshot(
      system: PolicyDiskFolder(path: places.systemPolicies), shipped: PolicyDiskFolder(path: places.shippedPolicies),
      user: UserPolicySource(texts: texts))
  }
}
