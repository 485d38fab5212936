/// Where a store lies: a folder that the caller made, mode 0700, and holds a lock in. One process opens a store at a time.
///
/// SQLite makes the files with the process's umask, so the caller sets 077.
public struct StoreLocation: Hashable, Sendable {
  /// The folder's absolute path.
  public let folder: String

  /// Names the folder.
  public init(folder: String) { self.folder = folder }

  /// The database file: `keychain.db` in the folder.
  public var file: String { folder + "/" + Self.fileName }

  /// The file's name; SQLite keeps `keychain.db-wal` and `keychain.db-shm` beside it.
  public static let fileName = "keychain.db"

  var path: [UInt8] { Array(file.utf8) }
  /// Stands while a store is being made, so that a killed creation is told from a cut file.
  var creationMark: [UInt8] { path + Array(".new".utf8) }
  var log: [UInt8] { path + Array("-wal".utf8) }
  var companions: [[UInt8]] { ["-wal", "-shm", "-journal"].map { path + Array($0.utf8) } }
}

/// The account a store belongs to.
public struct StoreOwner: Hashable, Sendable {
  /// The user id.
  public let uid: UInt32
  /// The login name; tells a re-used user id from its first holder.
  public let userName: String

  /// Names an account.
  public init(uid: UInt32, userName: String) {
    self.uid = uid
    self.userName = userName
  }
}

/// What opening does where there is no file.
public enum StoreOpenMode: Sendable {
  /// Make a new store with an unbound keybag.
  case createIfMissing
  /// Answer ``StoreError/missing``.
  case existingOnly
}
