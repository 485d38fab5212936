package import KeychainModel

/// The text form of an access control, as Apple's `security item` prints it.
///
/// The accessibility, then each operation that is not denied with its rule: `true` or a constraint. `dacl(true)` stands for
/// an item without constraints, `dacl(false)` for one that nobody may touch, `prp(true)` for the application's password.
/// Operations are in the order of their names, the members of a constraint in the order of the flags, with `pkofn(n)`
/// behind them: n of them are needed.
package enum AccessControlText {
  /// Operations without a rule of their own.
  static let others = "dacl"
  /// The application's password.
  static let password = "prp"
  /// Operations in the order of their names.
  static let operations = ItemOperation.allCases.sorted { $0.rawValue < $1.rawValue }

  /// Writes an access control.
  package static func write(_ control: AccessControl) -> String {
    var fields: [(name: String, value: String)] = []
    if isPlain(control) {
      fields.append((others, "true"))
    } else {
      for operation in operations {
        guard let value = write(control.rule(for: operation)) else { continue }
        fields.append((operation.rawValue, value))
      }
      if fields.isEmpty { fields.append((others, "false")) }
    }
    if control.needsApplicationPassword { fields.append((password, "true")) }
    return ([control.accessibility.rawValue] + fields.map { "\($0.name)(\($0.value))" }).joined(separator: ";")
  }

  /// Whether nothing is asked of any operation.
  private static func isPlain(_ control: AccessControl) -> Bool {
    operations.allSatisfy { control.rule(for: $0) == .allowed }
  }

  private static func write(_ rule: OperationRule) -> String? {
    switch rule {
    case .allowed: "true"
    case .denied: nil
    case .constrained(let constraint): write(constraint)
    }
  }

  private static func write(_ constraint: Constraint) -> String {
    switch constraint {
    case .anyOf(let members): members.map(member).joined() + "pkofn(1)"
    case .allOf(let members): members.map(member).joined() + "pkofn(\(members.count))"
    default: single.first { $0.constraint == constraint }?.text ?? ""
    }
  }

  /// A member that joins others itself stands in a field of its own, so that its members are not taken for the outer one's.
  private static func member(_ constraint: Constraint) -> String {
    switch constraint {
    case .anyOf, .allOf: "ckon(\(write(constraint)))"
    default: write(constraint)
    }
  }

  /// The constraints that stand alone. A longer spelling comes before its beginning.
  static let single: [(constraint: Constraint, text: String)] = [
    (.userPresence, "cpo(DeviceOwnerAuthentication)"),
    (.passcode, "cup(true)"),
    (.biometryCurrentSet, "cbio(pbioc(<>)pbioh(<>))"),
    (.biometryAny, "cbio(pbioc(<>))"),
    (.companion, "cwtch(true)"),
  ]
}
