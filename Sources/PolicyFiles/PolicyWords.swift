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

/// The words that only tests use.
extension PolicyWords {
  static let flags = AccessControlFlags.named.map { ($0.name, $0.flag) }
  static let accessibility = Accessibility.allCases.map { ($0.name, $0) }
  static let keybag = KeybagState.allCases.map { ($0.rawValue, $0) }
  static let operation: [(String, ItemOperation)] = [
    ("decrypt", .decrypt), ("encrypt", .encrypt), ("delete", .delete), ("sign", .sign),
    ("keyAgreement", .keyAgreement), ("attest", .attest),
  ]
  static let item: [(String, ItemPresence)] = [("stored", .stored), ("new", .new)]
  static let origin: [(String, PeerFacts.Origin)] = [("local", .local), ("remote", .remote), ("unknown", .unknown)]
  static let enrolment: [(String, PolicyTestEnrolment)] = [("same", .same), ("changed", .changed), ("none", .none)]
  static let kinship: [(String, PolicyTestKinship)] = [
    ("request", .request), ("context", .context), ("process", .process), ("terminal", .terminal),
    ("session", .session), ("elsewhere", .elsewhere),
  ]
  static let alternatives: [(String, MethodSet)] = [
    ("biometry", .biometry), ("passcode", .passcode), ("biometry+passcode", .all),
  ]
}
