/// A user as the account database knows it (passwd(5)).
public struct UserAccount: Hashable, Sendable {
  /// The user id.
  public let uid: UInt32
  /// The primary group's id.
  public let gid: UInt32
  /// The login name.
  public let name: String
  /// The home folder.
  public let home: String
  /// The login shell; perhaps empty.
  public let shell: String
}
