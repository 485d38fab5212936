internal import KeychainModel
internal import KeychainService

/// One user's keychain, as connections see it.
protocol KeychainAnswering: Sendable {
  /// Answers one request. Every failure is an answer as well.
  func answer(_ incoming: IncomingRequest) -> Answer
  /// Moves with everything that happens to the keychain.
  var changes: ChangeCounter { get }
  /// Locks, and ends what proofs unlocked.
  @discardableResult func lock(_ event: LockEvent) -> Answer
}

extension UserKeychain: KeychainAnswering {}

/// A user who is served: an open keychain and the cache of what proofs unlocked in it.
struct ServedUser: Sendable {
  /// Whose.
  var account: UserAccountName
  /// The keychain.
  var keychain: any KeychainAnswering
  /// Its keys.
  var cache: any KeyCaching

  /// Whether a proof still serves or a key is still open.
  var holdsKeys: Bool { !cache.entries().isEmpty }
}
