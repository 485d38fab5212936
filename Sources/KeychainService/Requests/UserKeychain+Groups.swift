internal import AccessPolicy
internal import KeychainModel

extension UserKeychain {
  /// The group of every program that no policy file gives another.
  static let defaultGroup: ExactText = "default"

  /// The access groups this caller holds: those that policy files grant, then the default group. It adds to the first.
  ///
  /// Apple's order: the granted groups come before the one that every program of the user has anyway.
  func heldGroups(_ incoming: IncomingRequest) -> [ExactText] {
    var groups = ports.policies.groups(of: incoming.peer)
    groups.removeAll { $0 == Self.defaultGroup }
    groups.append(Self.defaultGroup)
    return groups
  }

  /// The groups a query sees. Throws `missingEntitlement` for a group the caller does not hold.
  func visibleGroups(_ attributes: ItemAttributes, _ incoming: IncomingRequest) throws(Refusal) -> [ExactText] {
    let held = heldGroups(incoming)
    guard let wanted = attributes.text(.accessGroup) else { return held }
    if held.contains(wanted) { return [wanted] }
    throw notHeld(wanted, attributes, incoming)
  }

  /// The refusal of a group that is not held; it stands in the decision log as well, with the file that would grant it.
  private func notHeld(_ group: ExactText, _ attributes: ItemAttributes, _ incoming: IncomingRequest) -> Refusal {
    let service = attributes.text(.service) ?? attributes.text(.server) ?? ExactText(bytes: [])
    let refusal = Refusal(
      .missingEntitlement,
      detail: "the group \"\(group.string)\" is granted under 'callers' in \(ports.policies.grantingFile(for: service))"
    )
    ports.log.record(
      DecisionRecord(
        time: ports.clock.wallSeconds, peer: incoming.peer, service: service, item: nil, action: incoming.verb,
        method: "", refusal: refusal))
    return refusal
  }
}

extension IncomingRequest {
  /// What is to be done with items, in the decision log's word.
  fileprivate var verb: String {
    switch request {
    case .add: "add"
    case .update: "update"
    case .delete: "delete"
    default: "read"
    }
  }
}
