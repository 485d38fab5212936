internal import AccessPolicy
internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import Synchronization
internal import SystemBus

/// The fingerprint reader as fprintd and logind tell of it.
///
/// Each question has a connection of its own, so that a bus that went away and came back, or a service that hangs under
/// somebody else's question, is of no consequence. Every answer has a limit of time, and an fprintd that did not answer is left
/// alone for a moment, so that a prompt waits for it once and not at each look.
final class FingerprintReader: ReaderReading {
  /// The bus.
  let address: BusAddress
  /// Until when fprintd is left alone, in boot-time nanoseconds.
  private let rest = Mutex<UInt64>(0)

  /// How long the bus may take to let us in: nanoseconds.
  private static let busTime: UInt64 = 1_000_000_000
  /// How long logind may take: nanoseconds. The passcode's prompt waits for this.
  private static let loginTime: UInt64 = 200_000_000
  /// How long fprintd may take, which may have to be started first: nanoseconds.
  private static let fprintTime: UInt64 = 3_000_000_000
  /// How long one that did not answer is left alone: nanoseconds.
  private static let restTime: UInt64 = 5_000_000_000

  convenience init(places: DaemonPlaces) {
    self.init(address: places.bus)
  }

  init(address: BusAddress) { self.address = address }

  func facts(for account: UserAccountName, peer: PeerFacts) -> ReaderFacts { look(account, peer, .enrolled) }

  func diagnosis(for account: UserAccountName, peer: PeerFacts) -> ReaderFacts { look(account, peer, .tried) }

  /// How much is asked.
  private enum Depth {
    /// Whether there is a reader, and a finger in it.
    case enrolled
    /// Whether it can be claimed as well. That opens the device, which takes a while on some.
    case tried
  }

  private func look(_ account: UserAccountName, _ peer: PeerFacts, _ depth: Depth) -> ReaderFacts {
    guard peer.origin != .remote else { return .unavailable(Refusal(.biometryRemote)) }
    do throws(Refusal) {
      let bus = try connect()
      try requirePresence(peer, bus)
      let device = try ask(bus) { (service) throws(Refusal) in
        let device = try service.device(of: account.name)
        if depth == .tried { try service.tryOut(device.path, for: account.name) }
        return device
      }
      return .ready(fingers: device.fingers.sorted())
    } catch { return .unavailable(error) }
  }

  private func requirePresence(_ peer: PeerFacts, _ bus: BusConnection) throws(Refusal) {
    let login = login(bus)
    if login.lid == .closed { throw Refusal(.lidClosed) }
    if login.session(of: peer.process.pid)?.place == .remote { throw Refusal(.biometryRemote) }
  }

  /// The enrolled fingers' names, whoever asks and wherever the lid is.
  ///
  /// - Throws: ``Refusal``: as ``FprintService/device(of:)``.
  func fingers(of account: UserAccountName) throws(Refusal) -> [String] {
    try ask(try connect()) { (service) throws(Refusal) in try service.device(of: account.name) }.fingers.sorted()
  }

  /// Everything that can be told without touching the reader, for `status` and `doctor`.
  func report(for account: UserAccountName) -> ReaderReport {
    do throws(Refusal) {
      let bus = try connect()
      let lid = login(bus).lid
      do throws(Refusal) {
        return try ask(bus) { (service) throws(Refusal) in
          let device = try service.device(of: account.name)
          return ReaderReport(
            reader: service.title(of: device.path) ?? device.path, fingers: .success(device.fingers.sorted()), lid: lid)
        }
      } catch { return ReaderReport(reader: nil, fingers: .failure(error), lid: lid) }
    } catch { return ReaderReport(reader: nil, fingers: .failure(error), lid: .unknown) }
  }

  private func connect() throws(Refusal) -> BusConnection {
    do throws(BusError) { return try BusConnection(address, until: Clock.boottime + Self.busTime) } catch {
      throw error == .timedOut
        ? Refusal(.biometryNotAvailable, detail: "the system bus does not answer") : FprintService.refusal(for: error)
    }
  }

  private func login(_ bus: BusConnection) -> LoginService {
    LoginService(bus: bus, deadline: Clock.boottime + Self.loginTime)
  }

  private func ask<Answer>(
    _ bus: BusConnection, _ question: (FprintService) throws(Refusal) -> Answer
  ) throws(Refusal) -> Answer {
    guard Clock.boottime >= rest.withLock({ $0 }) else { throw FprintService.silence }
    do throws(Refusal) {
      return try question(FprintService(bus: bus, deadline: Clock.boottime + Self.fprintTime))
    } catch {
      if error == FprintService.silence { rest.withLock { $0 = Clock.boottime + Self.restTime } }
      throw error
    }
  }
}

/// What `status` and `doctor` tell of the reader.
struct ReaderReport {
  /// What the reader calls itself, where a finger is enrolled in it.
  var reader: String?
  /// The fingers, or why there is none.
  var fingers: Result<[String], Refusal>
  /// The lid.
  var lid: LoginService.Lid

  /// The line of `status`.
  var line: String {
    let shut = lid == .closed ? "; the lid is shut, so that no finger is asked for" : ""
    switch fingers {
    case .success(let names): return "biometry: \(names.joined(separator: ", ")) on \(reader ?? "a reader")\(shut)"
    case .failure(let refusal):
      let detail = refusal.detail.isEmpty ? refusal.reason.explanation : refusal.detail
      return "biometry: \(refusal.reason.rawValue): \(detail)\(shut)"
    }
  }
}
