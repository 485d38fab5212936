/// What a PAM call answered (pam(3), `security/_pam_types.h` of Linux-PAM), without libpam itself.
public enum PAMResult: Hashable, Sendable {
  case success, openError, symbolError, serviceError, systemError, bufferError, permissionDenied, authenticationError
  case credentialsInsufficient, authenticationUnavailable, userUnknown, maximumTries, newTokenRequired, accountExpired
  case sessionError, credentialsUnavailable, credentialsExpired, credentialsError, noModuleData, conversationError
  case tokenError, tokenRecoveryError, tokenLockBusy, tokenAgingDisabled, tryAgain, ignore, abort, tokenExpired
  case moduleUnknown, badItem, conversationAgain, incomplete
  /// A number that Linux-PAM does not define.
  case unknown(Int32)

  /// Every defined answer; the place in this list is the number.
  public static let defined: [PAMResult] = [
    .success, .openError, .symbolError, .serviceError, .systemError, .bufferError, .permissionDenied,
    .authenticationError, .credentialsInsufficient, .authenticationUnavailable, .userUnknown, .maximumTries,
    .newTokenRequired, .accountExpired, .sessionError, .credentialsUnavailable, .credentialsExpired, .credentialsError,
    .noModuleData, .conversationError, .tokenError, .tokenRecoveryError, .tokenLockBusy, .tokenAgingDisabled, .tryAgain,
    .ignore, .abort, .tokenExpired, .moduleUnknown, .badItem, .conversationAgain, .incomplete,
  ]

  /// Names a number; one outside 0...31 becomes ``unknown(_:)``.
  public init(code: Int32) {
    self = Int(exactly: code).flatMap { Self.defined.indices.contains($0) ? Self.defined[$0] : nil } ?? .unknown(code)
  }

  /// The number of `security/_pam_types.h`.
  public var code: Int32 {
    if case .unknown(let code) = self { return code }
    return Int32(Self.defined.firstIndex(of: self) ?? -1)
  }
}
