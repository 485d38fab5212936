public import CFBridge

/// What must be proved before an item opens, with Apple's bits.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
  /// The bits.
  public let rawValue: CFOptionFlags
  /// Makes a set from its bits; unknown ones mean nothing.
  public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

  /// Any finger, or the passcode.
  public static let userPresence = Self(rawValue: 1 << 0)
  /// Any enrolled finger; survives changes of the enrolment.
  public static let biometryAny = Self(rawValue: 1 << 1)
  /// Apple's older name of ``biometryAny``.
  public static let touchIDAny = biometryAny
  /// The fingers enrolled when the item is added; any change of the set ends the item.
  public static let biometryCurrentSet = Self(rawValue: 1 << 3)
  /// Apple's older name of ``biometryCurrentSet``.
  public static let touchIDCurrentSet = biometryCurrentSet
  /// The passcode and nothing else.
  public static let devicePasscode = Self(rawValue: 1 << 4)
  /// A paired device; no method here proves it.
  public static let companion = Self(rawValue: 1 << 5)
  /// Apple's older name of ``companion``.
  public static let watch = companion
  /// One of the constraints is enough.
  public static let or = Self(rawValue: 1 << 14)
  /// All constraints are needed; also the rule where several stand without a joiner.
  public static let and = Self(rawValue: 1 << 15)
  /// Operations of a private key only: a password of this kind cannot be stored.
  public static let privateKeyUsage = Self(rawValue: 1 << 30)
  /// A further password of the application's own, set by `LAContext.setCredential`.
  public static let applicationPassword = Self(rawValue: 1 << 31)
}
