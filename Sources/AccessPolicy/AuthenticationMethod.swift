/// A way to prove that the owner is there.
public enum AuthenticationMethod: UInt8, CaseIterable, Sendable {
  /// The login passcode, asked through PAM.
  case passcode = 1
  /// A fingerprint, asked through PAM and fprintd.
  case biometry = 2

  /// The word policy files and logs use.
  public var name: String {
    switch self {
    case .passcode: "passcode"
    case .biometry: "biometry"
    }
  }
}

/// A set of methods.
public struct MethodSet: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8
  /// Makes a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The passcode.
  public static let passcode = MethodSet(rawValue: 1)
  /// The fingerprint.
  public static let biometry = MethodSet(rawValue: 2)
  /// Every method.
  public static let all: MethodSet = [.passcode, .biometry]

  /// Whether the method is in the set.
  public func contains(_ method: AuthenticationMethod) -> Bool {
    switch method {
    case .passcode: contains(MethodSet.passcode)
    case .biometry: contains(MethodSet.biometry)
    }
  }
}
