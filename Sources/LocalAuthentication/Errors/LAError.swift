public import Foundation

/// The domain of the errors of this module.
public let LAErrorDomain: String = "com.apple.LocalAuthentication"

/// The key in an error's `userInfo` under which Latchkey's own reason stands, a word of docs/reasons.md. It tells apart
/// what Apple's codes put together.
public let LatchkeyReasonErrorKey: String = "LatchkeyReason"

/// Why nobody was authenticated.
///
/// What this module throws or hands over is an `NSError` of ``LAErrorDomain``: `catch LAError.userCancel`,
/// `error as? LAError` and `error as NSError` all take it.
public struct LAError: _BridgedStoredNSError, Sendable {
  /// The error as an object.
  public let _nsError: NSError

  /// Wraps any error, as Apple's does: a program hands over what a callback or a mock gave it.
  public init(_nsError: NSError) { self._nsError = _nsError }

  /// What the error's number means. An error of another domain, or with a number this module does not know, was no success
  /// either: it is ``Code/authenticationFailed``.
  public var code: Code {
    guard _nsError.domain == LAErrorDomain else { return .authenticationFailed }
    return Code(rawValue: _nsError.code) ?? .authenticationFailed
  }

  /// The domain.
  public static var _nsErrorDomain: String { LAErrorDomain }

  /// The codes.
  public enum Code: Int, _ErrorCodeProtocol, CaseIterable, Sendable {
    /// The errors that carry the code.
    public typealias _ErrorType = LAError

    /// What was shown did not match.
    case authenticationFailed = -1
    /// The user dismissed the prompt.
    case userCancel = -2
    /// The user chose the passcode where only biometry is allowed.
    case userFallback = -3
    /// The system ended it: lock, suspend, a deadline, a fault of its own.
    case systemCancel = -4
    /// The account has no passcode that could be asked for.
    case passcodeNotSet = -5
    /// No reader can be used, or nothing can be asked for here at all.
    case biometryNotAvailable = -6
    /// No finger is enrolled.
    case biometryNotEnrolled = -7
    /// Too many fingers did not match; the passcode unlocks biometry again.
    case biometryLockout = -8
    /// The program took it back: ``LAContext/invalidate()``, a cancelled task, a context that went away.
    case appCancel = -9
    /// The context was invalidated before.
    case invalidContext = -10
    /// No paired device can be used.
    case companionNotAvailable = -11
    /// The removable reader is not paired.
    case biometryNotPaired = -12
    /// The removable reader is not connected.
    case biometryDisconnected = -13
    /// A dialogue embedded in a view has no room. Nothing here is embedded, so nothing answers it.
    case invalidDimensions = -14
    /// A prompt would be needed, and the program allows none or there is no place for one.
    case notInteractive = -1004

    /// Apple's older name of ``companionNotAvailable``.
    public static var watchNotAvailable: Code { .companionNotAvailable }
    /// Apple's older name of ``biometryNotAvailable``.
    public static var touchIDNotAvailable: Code { .biometryNotAvailable }
    /// Apple's older name of ``biometryNotEnrolled``.
    public static var touchIDNotEnrolled: Code { .biometryNotEnrolled }
    /// Apple's older name of ``biometryLockout``.
    public static var touchIDLockout: Code { .biometryLockout }
  }

  /// See ``Code/authenticationFailed``.
  public static var authenticationFailed: Code { .authenticationFailed }
  /// See ``Code/userCancel``.
  public static var userCancel: Code { .userCancel }
  /// See ``Code/userFallback``.
  public static var userFallback: Code { .userFallback }
  /// See ``Code/systemCancel``.
  public static var systemCancel: Code { .systemCancel }
  /// See ``Code/passcodeNotSet``.
  public static var passcodeNotSet: Code { .passcodeNotSet }
  /// See ``Code/biometryNotAvailable``.
  public static var biometryNotAvailable: Code { .biometryNotAvailable }
  /// See ``Code/biometryNotEnrolled``.
  public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
  /// See ``Code/biometryLockout``.
  public static var biometryLockout: Code { .biometryLockout }
  /// See ``Code/appCancel``.
  public static var appCancel: Code { .appCancel }
  /// See ``Code/invalidContext``.
  public static var invalidContext: Code { .invalidContext }
  /// See ``Code/companionNotAvailable``.
  public static var companionNotAvailable: Code { .companionNotAvailable }
  /// See ``Code/biometryNotPaired``.
  public static var biometryNotPaired: Code { .biometryNotPaired }
  /// See ``Code/biometryDisconnected``.
  public static var biometryDisconnected: Code { .biometryDisconnected }
  /// See ``Code/invalidDimensions``.
  public static var invalidDimensions: Code { .invalidDimensions }
  /// See ``Code/notInteractive``.
  public static var notInteractive: Code { .notInteractive }
  /// Apple's older name of ``companionNotAvailable``.
  public static var watchNotAvailable: Code { .companionNotAvailable }
  /// Apple's older name of ``biometryNotAvailable``.
  public static var touchIDNotAvailable: Code { .biometryNotAvailable }
  /// Apple's older name of ``biometryNotEnrolled``.
  public static var touchIDNotEnrolled: Code { .biometryNotEnrolled }
  /// Apple's older name of ``biometryLockout``.
  public static var touchIDLockout: Code { .biometryLockout }
}

// Without this an `NSError` in an `any Error` is no LAError to `as?` and `catch`.
extension LAError: _ObjectiveCBridgeable {
  /// The error as an object.
  public func _bridgeToObjectiveC() -> NSError { _nsError }

  /// Takes an error of ``LAErrorDomain``; any other one ends the program, as a forced cast does.
  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) {
    precondition(_conditionallyBridgeFromObjectiveC(source, result: &result), "no LAError: \(source)")
  }

  /// Takes an error of ``LAErrorDomain``.
  @discardableResult
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) -> Bool {
    guard source.domain == LAErrorDomain else {
      result = nil
      return false
    }
    result = LAError(_nsError: source)
    return true
  }

  /// As ``_forceBridgeFromObjectiveC(_:result:)``.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> LAError {
    var result: LAError?
    _forceBridgeFromObjectiveC(source!, result: &result)
    return result!
  }
}
