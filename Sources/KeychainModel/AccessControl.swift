/// When and on which proof an item opens. Apple counterpart: `SecAccessControl`.
///
/// A value of this type has passed the combination rules; one that breaks them cannot be made.
public struct AccessControl: Hashable, Sendable {
  /// When the item may be opened.
  public let accessibility: Accessibility
  /// The flags as given; unknown bits removed.
  public let flags: AccessControlFlags
  /// Rules that replace what the flags say of an operation. Empty but for items made with a rule of their own.
  public let overrides: [ItemOperation: OperationRule]

  /// Checks the flags and makes an access control.
  ///
  /// - Throws: ``AccessControlError``, one case for each broken rule (Apple: `SecAccessControlCreateWithFlags`, -50).
  public init(
    accessibility: Accessibility, flags: AccessControlFlags = [], overrides: [ItemOperation: OperationRule] = [:]
  ) throws(AccessControlError) {
    let flags = flags.intersection(.all)
    if flags.isSuperset(of: [.or, .and]) { throw .orWithAnd }
    if flags.isSuperset(of: [.biometryAny, .biometryCurrentSet]) { throw .anyWithCurrentSet }
    if flags.contains(.userPresence),
      !flags.subtracting([.userPresence, .applicationPassword, .privateKeyUsage]).isEmpty
    {
      throw .userPresenceWithOthers
    }
    self.accessibility = accessibility
    self.flags = flags
    self.overrides = overrides
  }

  private init(
    unchecked accessibility: Accessibility, _ flags: AccessControlFlags, _ overrides: [ItemOperation: OperationRule]
  ) {
    self.accessibility = accessibility
    self.flags = flags
    self.overrides = overrides
  }

  /// An access control that asks for no proof.
  public static func unconstrained(_ accessibility: Accessibility) -> AccessControl {
    AccessControl(unchecked: accessibility, [], [:])
  }

  /// The same rules under another class of accessibility: no flag depends on it.
  public func moved(to accessibility: Accessibility) -> AccessControl {
    AccessControl(unchecked: accessibility, flags, overrides)
  }

  /// The constraint the flags make, or `nil` where they make none.
  public var constraint: Constraint? {
    let members: [Constraint] = AccessControlFlags.constraints.filter { flags.contains($0) }.map { flag in
      switch flag {
      case .userPresence: .userPresence
      case .biometryAny: .biometryAny
      case .biometryCurrentSet: .biometryCurrentSet
      case .devicePasscode: .passcode
      default: .companion
      }
    }
    if members.count < 2 { return members.first }
    return flags.contains(.or) ? .anyOf(members) : .allOf(members)
  }

  /// Whether any operation wants a proof or the application's password: "a protected item".
  public var isProtected: Bool {
    !flags.isDisjoint(with: .anyConstraint) || flags.contains(.applicationPassword) || !overrides.isEmpty
  }

  /// Whether the item's key is wrapped a second time by the application's password.
  public var needsApplicationPassword: Bool { flags.contains(.applicationPassword) }

  /// What the access control says of an operation (Apple: the operation table; an operation that is absent is denied).
  public func rule(for operation: ItemOperation) -> OperationRule {
    if let own = overrides[operation] { return own }
    switch flagRule(for: operation) {
    case .allowed: return .allowed
    case .constrained: return constraint.map(OperationRule.constrained) ?? .allowed
    case .denied: return .denied
    }
  }

  /// What the flags alone say of an operation, without building the constraint's tree; ``overrides`` come before it.
  public func flagRule(for operation: ItemOperation) -> FlagRule {
    let hasConstraint = !flags.isDisjoint(with: .anyConstraint)
    let constrained: FlagRule = hasConstraint ? .constrained : .allowed
    if flags.contains(.privateKeyUsage) {
      switch operation {
      case .sign, .keyAgreement: return constrained
      case .attest, .delete: return .allowed
      case .decrypt, .encrypt: return .denied
      }
    }
    switch operation {
    case .decrypt: return constrained
    case .encrypt, .delete: return .allowed
    case .sign, .keyAgreement, .attest: return hasConstraint ? .denied : .allowed
    }
  }
}

/// What an access control's flags say of one operation.
public enum FlagRule: Sendable {
  /// Allowed without proof.
  case allowed
  /// Allowed once the constraint of the flags is proved.
  case constrained
  /// Never allowed.
  case denied
}

/// A combination of flags that no item may have.
public enum AccessControlError: Error, Equatable, Sendable, CaseIterable {
  /// `or` and `and` together.
  case orWithAnd
  /// `biometryAny` and `biometryCurrentSet` together.
  case anyWithCurrentSet
  /// `userPresence` with anything but `applicationPassword` and `privateKeyUsage`.
  case userPresenceWithOthers

  /// One sentence for a person.
  public var explanation: String {
    switch self {
    case .orWithAnd: "or and and cannot stand together; choose one joiner."
    case .anyWithCurrentSet: "biometryAny and biometryCurrentSet cannot stand together; choose one."
    case .userPresenceWithOthers:
      "userPresence stands alone or with applicationPassword and privateKeyUsage; it already means finger or passcode."
    }
  }
}
