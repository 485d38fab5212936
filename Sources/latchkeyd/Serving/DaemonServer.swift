internal import KeychainService
internal import LinuxSystem

/// The daemon while it serves: takes connections and signals on its main thread, and looks after what waits.
struct DaemonServer {
  /// When a daemon ends by itself.
  enum IdleRule: Hashable, Sendable {
    /// Never.
    case stay
    /// After so many nanoseconds without a connection, while nothing is unlocked.
    case end(afterNanoseconds: UInt64)
  }

  let binding: SocketBinding
  let doorkeeper: Doorkeeper
  let signals: Signals
  let idleRule: IdleRule

  /// How often it looks after things, in milliseconds; every second time only while no request is worked on.
  static let tickMilliseconds: Int32 = 500
  /// How long a client waits without a word before it is asked for patience: 1 second. With the tick, 1.5 of the 4 that the
  /// protocol allows: a machine with more to do than it can lets this thread wait for seconds, and the disk the request.
  static let patienceNanoseconds: UInt64 = 1_000_000_000
  /// How long requests get to end when the daemon does: 2 seconds.
  static let farewellNanoseconds: UInt64 = 2_000_000_000

  private var shared: ServingState { doorkeeper.shared }

  /// Serves until a signal or idleness ends it. The socket is gone afterwards, and nothing is unlocked.
  func serve(on first: OwnedDescriptor) {
    var listener = first
    var lastUse = Clock.boottime
    while true {
      let events =
        (try? Poll.wait(
          [PollEntry(listener), PollEntry(signals.descriptor)], timeoutMilliseconds: pauseMilliseconds)) ?? []
      if events.last?.isReadable == true { break }
      if events.first?.isReadable == true { doorkeeper.takeWaiting(listener) }
      look()
      if shared.table.count > 0 || shared.registry.holdsKeys { lastUse = Clock.boottime }
      guard case .end(let span) = idleRule, Clock.boottime - lastUse >= span else { continue }
      guard let renewed = leave(listener) else { break }
      listener = renewed
      lastUse = Clock.boottime
    }
    end()
  }

  /// An idle daemon wakes its processor once a second.
  private var pauseMilliseconds: Int32 {
    shared.table.running.isEmpty ? 2 * Self.tickMilliseconds : Self.tickMilliseconds
  }

  /// Looks at the clocks and at the requests that take long.
  private func look() {
    shared.suspension.look()
    let now = Clock.boottime
    let moment = now > Self.patienceNanoseconds ? now - Self.patienceNanoseconds : 0
    for request in shared.table.running { request.askPatience(since: moment) }
  }

  /// Takes the name away and looks whether somebody came in meanwhile: they are served, on a socket made anew.
  private func leave(_ listener: OwnedDescriptor) -> OwnedDescriptor? {
    binding.unlink()
    var isNeeded = false
    while (try? Poll.wait([PollEntry(listener)], timeoutMilliseconds: 0).first?.isReadable) == true {
      isNeeded = true
      doorkeeper.takeNext(listener)
    }
    return isNeeded ? try? binding.listen() : nil
  }

  /// Ends in order: no new client, no prompt, no key; what is being written gets the time to end.
  private func end() {
    binding.unlink()
    let deadline = Clock.boottime + Self.farewellNanoseconds
    while true {
      let running = shared.table.running
      for request in running { request.cancelBySystem() }
      shared.registry.lockAll(.everything)
      guard !running.isEmpty, Clock.boottime < deadline else { return }
      _ = try? Poll.wait([], timeoutMilliseconds: 5)
    }
  }
}
