internal import AccessPolicy
internal import KernelKeyring
internal import KeychainModel
internal import KeychainService
internal import LinuxSystem

/// Puts the daemon together: which part stands behind which port.
struct DaemonComposition: Sendable {
  let places: DaemonPlaces
  let keyring: KernelKeyring
  /// The daemon's own program.
  let program: String
  /// One for all users: it bounds how many passcodes are stretched at once on this machine.
  private let authenticator: PAMAuthenticator
  private let sessions: LoginSessions
  private let clock = SystemClock()

  init(places: DaemonPlaces, keyring: KernelKeyring, program: String) {
    self.places = places
    self.keyring = keyring
    self.program = program
    sessions = LoginSessions(places: places)
    authenticator = PAMAuthenticator(places: places, reader: FingerprintReader(places: places), sessions: sessions)
  }

  /// The state that all connections share. Nothing is opened before the first request.
  func servingState() -> ServingState {
    let registry = KeychainRegistry(
      naming: { uid throws(Refusal) in try Self.name(of: uid) },
      opening: { account throws(Refusal) in try open(account) })
    let table = ConnectionTable(caps: .standard)
    let suspension = SuspendWatch { Self.fallAsleep(registry, table) }
    // A user's own daemon leaves room for what a request takes twice: as it came and as it goes.
    let budget = SecretBudget(users: places.mode == .system ? 4 : 2)
    return ServingState(table: table, registry: registry, suspension: suspension, budget: budget)
  }

  /// What the machine's sleep ends: proofs, keys and prompts.
  private static func fallAsleep(_ registry: KeychainRegistry, _ table: ConnectionTable) {
    // First: what the sleep breaks shall not be told as the reader's fault.
    for request in table.running { request.cancelBySystem() }
    registry.lockAll(.trigger(.suspend))
  }

  /// Hears of a sleep before it begins, and delays it until prompts have given terminal and reader back.
  func sleepWatch(_ shared: ServingState) -> SleepWatch {
    SleepWatch(address: places.bus) {
      let awake = shared.table.running
      Self.fallAsleep(shared.registry, shared.table)
      let end = Clock.boottime + Self.bedtime
      while Clock.boottime < end, shared.table.running.contains(where: { request in awake.contains { $0 === request } })
      {
        _ = try? Poll.wait([], timeoutMilliseconds: 5)
      }
    }
  }

  /// How long prompts may take to end: nanoseconds. logind grants 5 s in all (InhibitDelayMaxSec of logind.conf(5)).
  private static let bedtime: UInt64 = 3_000_000_000

  private func open(_ account: UserAccountName) throws(Refusal) -> ServedUser {
    let folder = places.store(of: account)
    let store = try UserStore.open(
      folder: folder, deviceKeyFile: places.deviceKey(of: account), account: account, stretching: places.stretching)
    let ring = keyring.makeRing { Clock.boottime }
    let cache = KeyringCache(ring: ring, clock: clock)
    let ports = ServicePorts(
      cache: cache, authenticator: authenticator, policies: PolicyShelf(store: store, places: places),
      enrolment: places.enrolment, log: DecisionLog(folder: folder, account: account), clock: clock,
      host: HostDescription(
        places: places, keyring: { ring.availability }, account: account, program: program, sessions: sessions))
    return ServedUser(
      account: account, keychain: UserKeychain(account: account, store: store, ports: ports), cache: cache)
  }

  private static func name(of uid: UInt32) throws(Refusal) -> String {
    do throws(Errno) {
      if let account = try Users.account(uid) { return account.name }
    } catch { throw Refusal(.ioFailed, detail: "the account database cannot be read: \(error)") }
    throw Refusal(.accountDenied, detail: "no account has the user id \(uid)")
  }
}
