public import KeychainModel

extension ServicePolicy {
  /// The policy that allows what both allow and nothing else.
  ///
  /// Floors are united, methods and programs intersected; the smaller tries, deadline, window and timeout hold, the
  /// narrower scope, the stricter rule for remote sessions, and every trigger of either. An access group is a grant: a
  /// program holds those that both give it, and a policy without a list gives none. Commutative, associative and idempotent on
  /// ``canonical`` policies, which it answers.
  public static func meet(_ one: ServicePolicy, _ other: ServicePolicy) -> ServicePolicy {
    ServicePolicy(
      require: [], methods: one.methods.intersection(other.methods), tries: min(one.tries, other.tries),
      deadlineSeconds: min(one.deadlineSeconds, other.deadlineSeconds), remote: min(one.remote, other.remote),
      reuse: Reuse(
        windowSeconds: min(one.reuse.windowSeconds, other.reuse.windowSeconds),
        scope: min(one.reuse.scope, other.reuse.scope)),
      cacheTimeoutSeconds: min(one.cacheTimeoutSeconds, other.cacheTimeoutSeconds),
      dropOn: one.dropOn.union(other.dropOn), callers: CallerRule.meet(one.callers, other.callers),
      requireAlso: one.floors + other.floors
    ).canonical
  }

  /// The effective policy of a service from the best match of each layer.
  ///
  /// The user's `callers` count only where no system policy speaks; a shipped policy serves where neither layer does.
  public static func effective(
    system: ServicePolicy?, user: ServicePolicy?, shipped: ServicePolicy = .builtIn
  ) -> ServicePolicy {
    guard let system else { return (user ?? shipped).canonical }
    guard var user else { return system.canonical }
    user.callers = system.callers
    return meet(system, user)
  }

  /// Every floor: ``require`` and ``requireAlso``, without those that ask for nothing.
  public var floors: [AccessControlFlags] { ([require] + requireAlso).filter { !$0.isEmpty } }

  /// Whether there is any floor.
  public var hasFloor: Bool { !require.isEmpty || requireAlso.contains { !$0.isEmpty } }

  /// Whether any floor counts a finger only while the enrolled set is the one that the item was bound to.
  public var bindsEnrolment: Bool {
    require.contains(.biometryCurrentSet) || requireAlso.contains { $0.contains(.biometryCurrentSet) }
  }

  /// The same policy in its one spelling: floors without repetition and in order, programs merged and in order.
  public var canonical: ServicePolicy {
    var policy = self
    let floors = PolicyFloor.canonical(self.floors).map(\.flags)
    policy.require = floors.first ?? []
    policy.requireAlso = Array(floors.dropFirst())
    policy.methods = methods.intersection(.all)
    policy.dropOn = dropOn.intersection(.all)
    policy.callers = callers.map(CallerRule.canonical)
    return policy
  }

  /// Whether this policy allows anything that the other does not: putting it in the other's place wants a proof.
  public func isLooser(than other: ServicePolicy) -> Bool {
    let floors = PolicyFloor.canonical(self.floors)
    let isStricter =
      PolicyFloor.canonical(other.floors).allSatisfy { PolicyFloor.all(floors, imply: $0) }
      && methods.intersection(.all).isSubset(of: other.methods) && tries <= other.tries
      && deadlineSeconds <= other.deadlineSeconds && remote <= other.remote
      && reuse.windowSeconds <= other.reuse.windowSeconds && reuse.scope <= other.reuse.scope
      && cacheTimeoutSeconds <= other.cacheTimeoutSeconds
      && dropOn.isSuperset(of: other.dropOn.intersection(.all))
      && CallerRule.meet(callers, other.callers) == callers.map(CallerRule.canonical)
    return !isStricter
  }
}

extension CallerRule {
  /// The programs that both lists name, with the groups that both give; `nil` names every program and gives no group.
  static func meet(_ one: [CallerRule]?, _ other: [CallerRule]?) -> [CallerRule]? {
    guard let one else { return other.map(withoutGroups) }
    guard let other else { return withoutGroups(one) }
    let second = merged(other)
    return canonical(
      one.compactMap { rule in
        guard let groups = second[ExactText(rule.executable)] else { return nil }
        return CallerRule(executable: rule.executable, groups: rule.groups.filter(groups.contains))
      })
  }

  /// One rule for each program, in the order of the paths' bytes; the groups of rules for the same program united.
  static func canonical(_ rules: [CallerRule]) -> [CallerRule] {
    merged(rules).sorted { $0.key < $1.key }.map { path, groups in
      CallerRule(executable: path.string, groups: groups.sorted())
    }
  }

  private static func withoutGroups(_ rules: [CallerRule]) -> [CallerRule] {
    canonical(rules.map { CallerRule(executable: $0.executable, groups: []) })
  }

  private static func merged(_ rules: [CallerRule]) -> [ExactText: Set<ExactText>] {
    rules.reduce(into: [:]) { $0[ExactText($1.executable), default: []].formUnion($1.groups) }
  }
}
