internal import CKeyutils

/// Permission masks of keys and rings (keyctl_setperm(3)): something for the possessor, nothing for user, group and others.
enum KeyringPermissions {
  /// A key's: everything but linking it into another ring.
  static let key = UInt32(KEY_POS_VIEW | KEY_POS_READ | KEY_POS_WRITE | KEY_POS_SEARCH | KEY_POS_SETATTR)
  /// The ring's: everything. Without this any process of the same user could list its keys.
  static let ring = UInt32(KEY_POS_ALL)
}
