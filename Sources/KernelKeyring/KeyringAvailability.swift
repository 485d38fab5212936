/// Whether the kernel keeps keys for this process.
public enum KeyringAvailability: Equatable, Sendable {
  /// It does.
  case on
  /// It does not, and why. Keys then live for the running request only.
  case off(KeyringRefusal)
}

/// Why something could not be kept in the kernel, or not be read from there.
public enum KeyringRefusal: Error, Equatable, Sendable {
  /// A system call failed: blocked (EPERM, ENOSYS), not this thread's keyring (EACCES), quota full (EDQUOT).
  case call(KeyringCall, KeyringError)
  /// There was no locked memory to read the key into.
  case noLockedMemory
}

/// The keyring calls that can fail.
public enum KeyringCall: String, Sendable {
  /// `keyctl_join_session_keyring`
  case joinSession = "join session keyring"
  /// `keyctl_get_keyring_ID`
  case processKeyring = "make process keyring"
  /// `keyctl_setperm`
  case setPermissions = "set permissions"
  /// `add_key`
  case add = "add key"
  /// `keyctl_update`
  case update = "update key"
  /// `keyctl_set_timeout`
  case setTimeout = "set timeout"
  /// `keyctl_read`
  case read = "read key"
  /// `keyctl_read` on a thread that was started after the keyring was made
  case readFromThread = "read key from another thread"
  /// `keyctl_revoke`
  case revoke = "revoke key"
}

extension KeyringRefusal: CustomStringConvertible {
  /// One line for `status`: which call, and the error's name.
  public var description: String {
    switch self {
    case .call(let call, .quotaExceeded): "the user's key quota is full (\(call.rawValue): EDQUOT)"
    case .call(let call, let error): "the kernel refuses to \(call.rawValue): \(error)"
    case .noLockedMemory: "no locked memory is left"
    }
  }
}
