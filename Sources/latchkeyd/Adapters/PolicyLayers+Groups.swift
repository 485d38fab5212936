internal import AccessPolicy
internal import KeychainModel
internal import PolicyFiles

extension PolicyLayers {
  /// The rules that grant access groups. A layer's file counts where no stronger layer speaks of its services.
  ///
  /// A group that a file of the administrator names is the administrator's: no other layer grants it. Where a file of theirs
  /// cannot be read nobody knows which groups those are, and no other layer grants any.
  var groupRules: [CallerRule] {
    let granted = Self.rules(system.files)
    guard system.faults.isEmpty else { return granted }
    let reserved = Set(granted.flatMap(\.groups))
    let user = user.files.filter { system.match($0.pattern.witness) == .silent }
    let shipped = shipped.files.filter {
      system.match($0.pattern.witness) == .silent && self.user.match($0.pattern.witness) == .silent
    }
    return granted
      + Self.rules(user + shipped).map { rule in
        CallerRule(executable: rule.executable, groups: rule.groups.filter { !reserved.contains($0) })
      }
  }

  /// The groups of each program, by its path as the files write it.
  var groupsByProgram: [ExactText: Set<ExactText>] {
    groupRules.reduce(into: [:]) { $0[ExactText($1.executable), default: []].formUnion($1.groups) }
  }

  private static func rules(_ files: [PolicyFile]) -> [CallerRule] { files.flatMap { $0.policy.callers ?? [] } }
}

extension LayerChange {
  /// Whether any program holds a group afterwards that it did not hold before.
  var grantsMore: Bool {
    let held = before.groupsByProgram
    return after.groupsByProgram.contains { !$0.value.isSubset(of: held[$0.key] ?? []) }
  }
}
