/// Whether PAM took a passcode that does not open the keybag.
public enum PasscodeChange: Sendable {
  /// Not that anybody knows.
  case none
  /// Yes, and nothing opened the keybag since.
  case seen
}

/// What a user's keybag can open at this moment.
public enum KeybagState: String, CaseIterable, Sendable {
  /// There is no keybag yet: nothing was ever stored.
  case none
  /// Class keys stand under the device key alone; `whenPasscodeSet` does not exist yet.
  case unbound
  /// Bound to a passcode that was not given since the daemon started: only `always` opens.
  case beforeFirstUnlock
  /// Bound and open: every class opens.
  case unlocked
  /// Bound and locked after an unlock: `always` and `afterFirstUnlock` open.
  case locked
  /// PAM takes a passcode that does not open the keybag: it was changed elsewhere. `always` opens, the rest waits for the
  /// old passcode or the recovery key.
  case passcodeChanged
  /// The passcode was removed and the `whenPasscodeSet` keys destroyed. `always` opens, `whenPasscodeSet` never again, the
  /// rest waits for the recovery key or a new passcode together with the old one.
  case akpuDestroyed
  /// The keybag cannot be read. Nothing opens and nothing is changed.
  case damaged
}
