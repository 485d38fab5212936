internal import AccessPolicy
internal import KeychainModel
internal import LinuxSystem
internal import Synchronization
internal import SystemBus

/// The login sessions of processes, asked of logind. An answer is kept for a moment, so that a search over many items asks once.
final class LoginSessions: Sendable {
  private struct Kept {
    let session: LoginSession?
    let until: UInt64
  }

  private let address: BusAddress
  private let kept = Mutex<[ProcessIdentity: Kept]>([:])

  /// How long bus and logind may take together: nanoseconds. The prompt waits for this.
  private static let answerTime: UInt64 = 300_000_000
  /// How long an answer is kept: nanoseconds.
  private static let keptTime: UInt64 = 5_000_000_000
  /// Most answers that are kept.
  static let capacity = 64

  init(address: BusAddress) { self.address = address }

  convenience init(places: DaemonPlaces) { self.init(address: places.bus) }

  /// The session of a process; `nil` where it has none, or where none can be told.
  func session(of process: ProcessIdentity) -> LoginSession? {
    let now = Clock.boottime
    if let known = kept.withLock({ $0[process] }), now < known.until { return known.session }
    let session = ask(process)
    kept.withLock { kept in
      if kept.count >= Self.capacity { kept = kept.filter { now < $0.value.until } }
      if kept.count >= Self.capacity { kept = [:] }
      kept[process] = Kept(session: session, until: Clock.boottime + Self.keptTime)
    }
    return session
  }

  /// Where a process comes from by logind's word and its ancestors.
  func origin(of peer: PeerFacts) -> PeerFacts.Origin {
    guard let word = session(of: peer.process)?.word(for: peer.uid), word != .none else { return .unknown }
    return PeerFacts.Origin(PeerOrigin.weigh(pid: peer.process.pid, word))
  }

  /// The answer is about this process only if it still lives.
  private func ask(_ process: ProcessIdentity) -> LoginSession? {
    let deadline = Clock.boottime + Self.answerTime
    guard let bus = try? BusConnection(address, until: deadline),
      let session = LoginService(bus: bus, deadline: deadline).session(of: process.pid),
      (try? ProcessStatus.read(process.pid))?.startTime == process.startTime
    else { return nil }
    return session
  }
}

extension DaemonPlaces {
  /// The system bus.
  var bus: BusAddress { systemBus.flatMap { BusAddress($0) } ?? .system }
}
