internal import KeychainModel
internal import KernelKeyring
internal import LinuxSystem

/// A daemon that is about to serve: its folders are its own, its lock is held, its socket listens.
struct DaemonStart {
  /// Held for as long as the daemon runs.
  let lock: InstanceLock
  /// The socket.
  let listener: OwnedDescriptor
  /// What serves on it.
  let server: DaemonServer

  /// Takes everything in the order that leaves nothing behind where it fails: folders, lock, socket.
  ///
  /// - Throws: ``StartFailure``.
  init(_ options: DaemonOptions, _ keyring: KernelKeyring) throws(StartFailure) {
    let program = try Self.ownProgram()
    let places = try Self.places(options, program)
    let user = Users.effectiveUserID
    try OwnFolder(path: places.state, mode: 0o700, owner: user).prepare()
    try OwnFolder(
      path: DaemonPlaces.folder(of: places.socket), mode: places.mode == .system ? 0o755 : 0o700, owner: user
    ).prepare()
    lock = try InstanceLock(in: places.state)
    let signals = try Self.collectSignals()
    let binding = SocketBinding(places, owner: user)
    let composition = DaemonComposition(places: places, keyring: keyring, program: program)
    let shared = composition.servingState()
    server = DaemonServer(
      binding: binding,
      doorkeeper: Doorkeeper(
        clientele: places.mode == .system ? .everyone : .user(user), shared: shared),
      signals: signals,
      idleRule: places.mode == .system
        ? .stay : .end(afterNanoseconds: UInt64(options.idleSeconds) * 1_000_000_000))
    listener = try binding.listen()
    // Without it a sleep is seen by the clocks.
    try? composition.sleepWatch(shared).start()
  }

  private static func ownProgram() throws(StartFailure) -> String {
    do throws(Errno) { return try ThisProcess.executablePath() } catch {
      throw .unavailable("the daemon cannot tell where it stands: \(error)")
    }
  }

  private static func places(_ options: DaemonOptions, _ program: String) throws(StartFailure) -> DaemonPlaces {
    // As clients do it: they have to find the same socket.
    let surroundings = PlaceSurroundings(
      executable: program, home: Environment.value("HOME") ?? accountHome(),
      runtimeFolder: Environment.value("XDG_RUNTIME_DIR"), dataFolder: Environment.value("XDG_DATA_HOME"))
    do throws(Refusal) { return try DaemonPlaces(options, surroundings) } catch { throw .refused(error) }
  }

  private static func accountHome() -> String? {
    let account = try? Users.account(Users.effectiveUserID)
    return account?.home
  }

  private static func collectSignals() throws(StartFailure) -> Signals {
    do throws(Errno) {
      return try Signals(collecting: [Signals.terminate, Signals.interrupt, Signals.hangUp])
    } catch { throw .unavailable("the daemon cannot collect signals: \(error)") }
  }
}
