/// What all connections share.
struct ServingState: Sendable {
  /// Every open connection.
  let table: ConnectionTable
  /// Every user's keychain.
  let registry: KeychainRegistry
  /// Locks after a sleep.
  let suspension: SuspendWatch
  /// What each user may have under way.
  var budget = SecretBudget()
}
