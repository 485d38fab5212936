internal import KernelKeyring
internal import KeychainModel
internal import KeychainService
internal import LinuxSystem

/// Puts the daemon together: which part stands behind which port.
struct DaemonComposition: Sendable {
  let places: DaemonPlaces
  let keyring: KernelKeyring

  /// The state that all connections share. Nothing is opened before the first request.
  func servingState() -> ServingState {
    let registry = KeychainRegistry(
      naming: { uid throws(Refusal) in try Self.name(of: uid) },
      opening: { account throws(Refusal) in try open(account) })
    let table = ConnectionTable(caps: .standard)
    let suspension = SuspendWatch {
      registry.lockAll(.locked)
      for request in table.running { request.cancelBySystem() }
    }
    return ServingState(table: table, registry: registry, suspension: suspension)
  }

  private func open(_ account: UserAccountName) throws(Refusal) -> ServedUser {
    throw Refusal(.unimplemented)
  }

  private static func name(of uid: UInt32) throws(Refusal) -> String {
    do throws(Errno) {
      if let account = try Users.account(uid) { return account.name }
    } catch { throw Refusal(.ioFailed, detail: "the account database cannot be read: \(error)") }
    throw Refusal(.accountDenied, detail: "no account has the user id \(uid)")
  }
}
