internal import AccessPolicy
internal import KeychainModel

extension UserKeychain {
  /// The group of every program that no policy file gives another.
  static var defaultGroup: ExactText { "default" }

  /// The access groups this caller holds; the first is where it adds.
  func heldGroups(_ incoming: IncomingRequest) -> [ExactText] {
    let granted = ports.policies.groups(of: incoming.peer)
    return [Self.defaultGroup] + granted.filter { $0 != Self.defaultGroup }
  }

  /// The groups a query sees. Throws `missingEntitlement` for a group the caller does not hold.
  func visibleGroups(_ attributes: ItemAttributes, _ incoming: IncomingRequest) throws(Refusal) -> [ExactText] {
    let held = heldGroups(incoming)
    guard let wanted = attributes.text(.accessGroup) else { return held }
    guard held.contains(wanted) else {
      throw Refusal(
        .missingEntitlement,
        detail: "the group \"\(wanted.string)\" is granted under 'callers' in a file of the policies.d folder")
    }
    return [wanted]
  }
}
