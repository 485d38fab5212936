/// What an `auth` module's success is worth.
///
/// The rule: a stack may succeed only where a module that verifies the person has succeeded. Which modules do is known by
/// name; one that is not known counts where the stack fails with it, because somebody chose it to decide.
enum StackModuleNature {
  /// Always succeeds, or may.
  case permits
  /// Answers PAM_IGNORE whatever happens.
  case bystander
  /// Never succeeds.
  case denies
  /// May succeed without anybody having been verified.
  case gate
  /// As a gate, and may ask for something that it does not verify.
  case askingGate
  /// Succeeds where what was typed is right.
  case verifiesTyping(Abstention)
  /// Succeeds where a finger or a token is there; what was typed is not its concern.
  case verifiesPresence(Abstention)
  /// Not known, but the stack fails with it.
  case unknown

  /// Whether a module may answer PAM_IGNORE and leave the stack to the others.
  enum Abstention { case never, possible }

  init(_ module: StackModule) {
    let name = module.name
    let abstention = Self.abstention(module.arguments)
    if Self.permitting.contains(name) {
      self = .permits
    } else if Self.bystanders.contains(name) {
      self = .bystander
    } else if name == "pam_deny" {
      self = .denies
    } else if Self.gates.contains(name) {
      self = .gate
    } else if Self.askingGates.contains(name) || !Self.verdictHolds(module) {
      self = .askingGate
    } else if Self.typed.contains(name) {
      self = .verifiesTyping(abstention)
    } else if Self.present.contains(name) {
      self = .verifiesPresence(abstention)
    } else {
      self = module.control.failsWithModule ? .unknown : .askingGate
    }
  }

  /// What the module can answer while the person has not proven what the stack is for. A finger is worth nothing once
  /// something was typed, because the stack's success would vouch for that.
  func unprovenAnswers(afterTyping: Bool) -> [PAMResult] {
    let failures = PAMResult.defined.filter { ![.success, .newTokenRequired, .ignore].contains($0) }
    return switch self {
    case .permits: [.success]
    case .bystander: [.ignore]
    case .denies: [.authenticationError]
    case .verifiesPresence where afterTyping: PAMResult.defined
    case .gate, .askingGate: PAMResult.defined
    case .verifiesTyping(.never), .verifiesPresence(.never): failures
    case .verifiesTyping(.possible), .verifiesPresence(.possible), .unknown: failures + [.ignore]
    }
  }

  /// Whether the module may ask for something to be typed.
  var maySeeTyping: Bool {
    switch self {
    case .permits, .bystander, .denies, .gate, .verifiesPresence: false
    case .askingGate, .verifiesTyping, .unknown: true
    }
  }

  /// Arguments that have a module stand aside for some accounts or where its service is away.
  private static func abstention(_ arguments: [String]) -> Abstention {
    arguments.contains { $0.hasPrefix("ignore") || $0.hasPrefix("unknown_ok") } ? .possible : .never
  }

  /// pam_exec runs a program that sees nothing typed unless it is told so; pam_u2f may be told to let in whoever has no key.
  private static func verdictHolds(_ module: StackModule) -> Bool {
    switch module.name {
    case "pam_exec": module.arguments.contains("expose_authtok") && !module.arguments.contains { $0.hasPrefix("type=") }
    case "pam_u2f": !module.arguments.contains { $0.hasPrefix("nouserok") || $0.hasPrefix("alwaysok") }
    default: true
    }
  }

  private static let permitting: Set<String> = [
    "pam_permit", "pam_env", "pam_group", "pam_cap", "pam_motd", "pam_mail", "pam_keyinit", "pam_issue", "pam_echo",
  ]
  private static let bystanders: Set<String> = ["pam_faildelay", "pam_warn"]
  private static let gates: Set<String> = [
    "pam_access", "pam_debug", "pam_faillock", "pam_lastlog", "pam_listfile", "pam_localuser", "pam_nologin",
    "pam_rhosts", "pam_rootok", "pam_securetty", "pam_sepermit", "pam_shells", "pam_succeed_if", "pam_tally2",
    "pam_time", "pam_timestamp", "pam_usertype", "pam_wheel", "pam_xauth",
  ]
  private static let askingGates: Set<String> = [
    "pam_ecryptfs", "pam_ftp", "pam_gnome_keyring", "pam_kwallet", "pam_kwallet5", "pam_mount",
  ]
  private static let typed: Set<String> = [
    "pam_exec", "pam_google_authenticator", "pam_himmelblau", "pam_krb5", "pam_ldap", "pam_matrix", "pam_oath",
    "pam_p11", "pam_pkcs11", "pam_pwdfile", "pam_radius_auth", "pam_sss", "pam_systemd_home", "pam_tacplus", "pam_unix",
    "pam_userdb", "pam_winbind", "pam_yubico",
  ]
  private static let present: Set<String> = ["pam_fprintd", "pam_u2f"]
}
