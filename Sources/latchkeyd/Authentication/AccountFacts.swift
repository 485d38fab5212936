internal import KeychainModel
internal import KeychainService
internal import LinuxSystem

/// What can be known of an account's passcode without asking anybody: as root from the shadow file, as the user from
/// passwd(1).
struct AccountFacts {
  private let account: UserAccountName

  /// How long passwd(1) may take: nanoseconds.
  private static let patience: UInt64 = 2_000_000_000

  init(_ account: UserAccountName) { self.account = account }

  /// Refuses where PAM could never accept a passcode of this account. What cannot be known is left to PAM.
  ///
  /// - Throws: ``Refusal``: `cannotVerifyPasscodes`, `passcodeNotSet`, `passcodeUnusable`, `accountLocked`,
  ///   `accountExpired`, `passcodeExpired`.
  func requirePasscode() throws(Refusal) {
    try requireVerifiable()
    let (state, standing) = try Users.effectiveUserID == 0 ? shadow() : (report(), .current)
    if let reason = Self.reason(of: state) ?? Self.reason(of: standing) { throw Refusal(reason, detail: account.name) }
  }

  /// Whether the passcode is known to be gone. Locked, unknown and unreadable are not that.
  func removal() -> PasscodeRemoval {
    guard (try? requireVerifiable()) != nil else { return .notKnownToBeRemoved }
    if Users.effectiveUserID == 0 {
      guard let entry = try? Users.shadow(account.name) else { return .notKnownToBeRemoved }
      return entry.passcode == .notSet ? .removed : .notKnownToBeRemoved
    }
    return report() == .notSet ? .removed : .notKnownToBeRemoved
  }

  /// The account must exist under this name, be our own unless we are root, and its checker must get its privileges.
  private func requireVerifiable() throws(Refusal) {
    let own = Users.effectiveUserID
    guard own == 0 || own == account.uid else {
      throw Refusal(.cannotVerifyPasscodes, detail: "user \(own) cannot verify another user's passcode")
    }
    guard let found = try? Users.account(account.name), found.uid == account.uid else {
      throw Refusal(.cannotVerifyPasscodes, detail: "there is no account \(account.name) with uid \(account.uid)")
    }
    let surroundings = try? ProcessSurroundings.current()
    guard own == 0 || surroundings?.noNewPrivileges == false else {
      throw Refusal(.cannotVerifyPasscodes, detail: "no_new_privs keeps unix_chkpwd from its group")
    }
  }

  private func shadow() throws(Refusal) -> (PasscodeState, AccountAgeing.Standing) {
    do throws(Errno) {
      guard let entry = try Users.shadow(account.name) else { return (.unknown, .current) }
      return (entry.passcode, entry.ageing.standing(on: AccountAgeing.today))
    } catch { throw Refusal(.cannotVerifyPasscodes, detail: "the shadow file cannot be read: \(error)") }
  }

  /// "No passcode" counts only when it is heard twice: the account database may be just being written.
  private func report() -> PasscodeState {
    let first = PasscodeReport.ask(until: Clock.boottime + Self.patience)
    guard first == .notSet else { return first }
    let second = PasscodeReport.ask(until: Clock.boottime + Self.patience)
    return second == .notSet ? .notSet : .unknown
  }

  /// Why a passcode in this state cannot be proved.
  static func reason(of state: PasscodeState) -> Reason? {
    switch state {
    case .set, .unknown: nil
    case .notSet: .passcodeNotSet
    case .locked: .accountLocked
    case .disabled, .unusable: .passcodeUnusable
    }
  }

  /// Why an account that stands so is refused.
  static func reason(of standing: AccountAgeing.Standing) -> Reason? {
    switch standing {
    case .current: nil
    case .mustChange, .passcodeExpired: .passcodeExpired
    case .accountExpired: .accountExpired
    }
  }
}
