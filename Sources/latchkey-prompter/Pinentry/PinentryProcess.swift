internal import DialogueWire
internal import LinuxSystem

/// A running pinentry and the connection to its standard input and output.
///
/// pinentry is the system's own program and is not ours to harden: another process of the user may be able to trace it
/// and see what is typed (SECURITY.md says so).
struct PinentryProcess {
  /// The connection.
  let connection: OwnedDescriptor
  private let process: SpawnedProcess

  /// How long it may take to leave when asked: nanoseconds.
  private static let patience: UInt64 = 500_000_000

  /// Starts the program with exactly the plan's environment. It is ended with this process.
  ///
  /// - Throws: ``Errno``: it cannot be started.
  init(_ plan: PinentryPlan) throws(Errno) {
    let (near, far) = try UnixSocket.streamPair()
    var spawn = SpawnPlan(
      arguments: [plan.program], environment: plan.environment, descriptors: [.init(far, as: 0), .init(far, as: 1)])
    spawn.parentDeathSignal = Signals.terminate
    process = try Spawn.start(plan.program, spawn)
    connection = near
  }

  /// Sends one line.
  func send(_ line: [UInt8]) -> Bool {
    do { try UnixSocket.sendAll(connection, line.span) } catch { return false }
    return true
  }

  /// Ends it: asks first, because it may have a terminal or a grab to give back, then does not ask.
  func end() {
    try? process.kill(Signals.terminate)
    _ = try? Poll.wait([PollEntry(process.pidfd)], until: Clock.boottime + Self.patience)
    process.killAndWait()
  }
}
