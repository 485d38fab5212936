internal import AccessPolicy
public import KeychainModel

/// The layers of policy of one user, and what they make together.
///
/// Each layer speaks with its best match alone. Where the system's file and the user's both state a key, the stricter
/// value holds (``ServicePolicy/meet(_:_:)``); where one states it, that value; where neither does, the shipped file's;
/// where that is silent too, the built-in one. `callers` of the user count only where no system file speaks of the service.
public struct PolicyLayers: Sendable {
  /// The administrator's.
  public var system: PolicyFolder
  /// The user's own.
  public var user: PolicyFolder
  /// What came with Latchkey.
  public var shipped: PolicyFolder

  /// Puts layers together.
  public init(
    system: PolicyFolder = PolicyFolder(origin: .system), user: PolicyFolder = PolicyFolder(origin: .user),
    shipped: PolicyFolder = PolicyFolder(origin: .shipped)
  ) {
    self.system = system
    self.user = user
    self.shipped = shipped
  }

  /// The policy in force for a service.
  ///
  /// - Throws: ``PolicyUnavailable`` where the best match of a layer that matters cannot be used. The shipped layer matters
  ///   where the others leave a key out.
  public func effective(for service: ExactText) throws(PolicyUnavailable) -> EffectivePolicy {
    let systemFile = try Self.file(system, service)
    let userFile = try Self.file(user, service)
    let stated = (systemFile?.stated ?? []).union(Self.counted(userFile, beside: systemFile))
    let isWhole = stated.isSuperset(of: PolicyKey.allCases)
    let shippedFile = isWhole ? nil : try Self.file(shipped, service)
    let base = shippedFile?.policy ?? .builtIn
    let voices = [(PolicyOrigin.system, systemFile), (.user, userFile), (.shipped, shippedFile)]
    return EffectivePolicy(
      policy: Self.meet(systemFile, userFile, over: base),
      voices: voices.compactMap { origin, file in file.map { PolicyVoice(origin: origin, file: $0) } })
  }

  private static func file(_ folder: PolicyFolder, _ service: ExactText) throws(PolicyUnavailable) -> PolicyFile? {
    switch folder.match(service) {
    case .silent: return nil
    case .file(let file): return file
    case .broken(let faults): throw PolicyUnavailable(origin: folder.origin, faults: faults)
    }
  }

  /// The keys of the user's file that count.
  private static func counted(_ user: PolicyFile?, beside system: PolicyFile?) -> Set<PolicyKey> {
    guard let user else { return [] }
    return system == nil ? user.stated : user.stated.subtracting([.callers])
  }

  private static func meet(_ system: PolicyFile?, _ user: PolicyFile?, over base: ServicePolicy) -> ServicePolicy {
    let userKeys = counted(user, beside: system)
    guard let system else { return base.replacing(userKeys, with: user?.policy ?? base).canonical }
    guard let user else { return base.replacing(system.stated, with: system.policy).canonical }
    // A key that one of them leaves out takes the other's value on both sides, so that the meet leaves it as it is.
    let common = base.replacing(system.stated, with: system.policy).replacing(
      userKeys.subtracting(system.stated), with: user.policy)
    return ServicePolicy.meet(common, common.replacing(userKeys, with: user.policy))
  }
}

extension ServicePolicy {
  /// This policy with some keys' values taken from another.
  func replacing(_ keys: Set<PolicyKey>, with other: ServicePolicy) -> ServicePolicy {
    var policy = self
    for key in keys { policy.replace(key, with: other) }
    return policy
  }

  private mutating func replace(_ key: PolicyKey, with other: ServicePolicy) {
    switch key {
    case .require: (require, requireAlso) = (other.require, other.requireAlso)
    case .methods: methods = other.methods
    case .tries: tries = other.tries
    case .deadline: deadlineSeconds = other.deadlineSeconds
    case .remote: remote = other.remote
    case .window: reuse.windowSeconds = other.reuse.windowSeconds
    case .scope: reuse.scope = other.reuse.scope
    case .timeout: cacheTimeoutSeconds = other.cacheTimeoutSeconds
    case .dropOn: dropOn = other.dropOn
    case .callers: callers = other.callers
    }
  }
}
