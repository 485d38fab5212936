/// The flags of `SecAccessControlCreateFlags`, with Apple's bits.
public struct AccessControlFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt64
  /// Makes a set from its bits; unknown bits are kept and mean nothing.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Any finger, or the passcode.
  public static let userPresence = AccessControlFlags(rawValue: 1 << 0)
  /// Any enrolled finger; survives changes of the enrolment.
  public static let biometryAny = AccessControlFlags(rawValue: 1 << 1)
  /// The fingers enrolled when the item was added; any change of the set ends the item.
  public static let biometryCurrentSet = AccessControlFlags(rawValue: 1 << 3)
  /// The passcode and nothing else.
  public static let devicePasscode = AccessControlFlags(rawValue: 1 << 4)
  /// A paired device (Apple's watch); no method here proves it.
  public static let companion = AccessControlFlags(rawValue: 1 << 5)
  /// One of the constraints is enough.
  public static let or = AccessControlFlags(rawValue: 1 << 14)
  /// All constraints are needed (also the rule where two stand without a joiner).
  public static let and = AccessControlFlags(rawValue: 1 << 15)
  /// Private-key operations only: no decrypt, no encrypt.
  public static let privateKeyUsage = AccessControlFlags(rawValue: 1 << 30)
  /// A further password of the application's own.
  public static let applicationPassword = AccessControlFlags(rawValue: 1 << 31)

  /// The flags that are constraints, in the order they are shown.
  public static let constraints: [AccessControlFlags] = [
    .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion,
  ]

  /// Every flag there is.
  public static let all: AccessControlFlags = named.reduce(into: []) { $0.formUnion($1.flag) }

  /// Those of ``constraints``, as one set.
  public static let anyConstraint: AccessControlFlags = constraints.reduce(into: []) { $0.formUnion($1) }

  /// Every flag with the name Apple spells it by.
  public static let named: [(flag: AccessControlFlags, name: String)] = [
    (.userPresence, "userPresence"), (.biometryAny, "biometryAny"), (.biometryCurrentSet, "biometryCurrentSet"),
    (.devicePasscode, "devicePasscode"), (.companion, "companion"), (.or, "or"), (.and, "and"),
    (.privateKeyUsage, "privateKeyUsage"), (.applicationPassword, "applicationPassword"),
  ]

  /// The flag with this name, or `nil`.
  public init?(name: String) {
    guard let found = Self.named.first(where: { $0.name == name }) else { return nil }
    self = found.flag
  }

  /// The names of the flags that are set.
  public var names: [String] { Self.named.filter { contains($0.flag) }.map(\.name) }
}
