internal import CKeyutils

/// The error number of a keyring call (keyctl(2), add_key(2)).
public struct KeyringError: Error, RawRepresentable, Hashable, Sendable {
  /// The number, as in errno.h.
  public let rawValue: Int32

  /// Wraps a number of errno.h.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The calling thread's errno.
  static var current: KeyringError { KeyringError(rawValue: ckeyutils_errno()) }

  static let notPermitted = KeyringError(rawValue: EPERM)
  static let noSuchCall = KeyringError(rawValue: ENOSYS)
  /// EDQUOT: the user keeps as many keys or bytes as one may.
  public static let quotaExceeded = KeyringError(rawValue: EDQUOT)
  static let accessDenied = KeyringError(rawValue: EACCES)
  static let noKey = KeyringError(rawValue: ENOKEY)
  static let expired = KeyringError(rawValue: EKEYEXPIRED)
  static let revoked = KeyringError(rawValue: EKEYREVOKED)
  static let noMemory = KeyringError(rawValue: ENOMEM)

  /// Whether it says that this one key has ended, as its timeout, a lock or the kernel's collector make it.
  var isEndOfKey: Bool { [.noKey, .expired, .revoked, .accessDenied].contains(self) }
}

extension KeyringError: CustomStringConvertible {
  /// The name where it has one here, else the number.
  public var description: String {
    switch self {
    case .notPermitted: "EPERM"
    case .noSuchCall: "ENOSYS"
    case .quotaExceeded: "EDQUOT"
    case .accessDenied: "EACCES"
    case .noKey: "ENOKEY"
    case .expired: "EKEYEXPIRED"
    case .revoked: "EKEYREVOKED"
    case .noMemory: "ENOMEM"
    default: "errno \(rawValue)"
    }
  }
}
