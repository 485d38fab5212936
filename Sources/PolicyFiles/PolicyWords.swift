internal import AccessPolicy
internal import KeychainModel

/// The words of policy files and what they stand for, in the order they are printed.
enum PolicyWords {
  static let require: [(String, AccessControlFlags)] = [
    ("userPresence", .userPresence), ("biometryAny", .biometryAny), ("biometryCurrentSet", .biometryCurrentSet),
    ("devicePasscode", .devicePasscode),
  ]
  static let join: [(String, AccessControlFlags)] = [("or", .or), ("and", .and)]
  static let methods: [(String, MethodSet)] = [("biometry", .biometry), ("passcode", .passcode)]
  static let remote: [(String, RemoteRule)] = [("deny", .deny), ("passcode", .passcode), ("any", .any)]
  static let scope: [(String, ReuseScope)] = [
    ("never", .never), ("context", .context), ("process", .process), ("terminal", .terminal), ("session", .session),
  ]
  static let dropOn: [(String, DropTriggers)] = [("lock", .lock), ("suspend", .suspend), ("logout", .logout)]
}
