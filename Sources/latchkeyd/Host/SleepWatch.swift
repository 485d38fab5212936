internal import LinuxSystem
internal import SystemBus

/// Hears from logind that the machine is about to sleep, and keeps it from doing so until the keychains are locked
/// (PrepareForSleep and delay locks of org.freedesktop.login1(5)).
///
/// Where there is no logind, ``SuspendWatch`` sees by the clocks that it has slept.
struct SleepWatch: Sendable {
  /// The bus.
  let address: BusAddress
  /// Locks and ends prompts; returns when that is done.
  let fallsAsleep: @Sendable () -> Void

  /// How long each answer may take: nanoseconds.
  private static let answerTime: UInt64 = 5_000_000_000
  /// How long a bus that is not there is left alone: milliseconds, at first and at most.
  private static let pauses: (first: Int32, last: Int32) = (250, 60_000)
  /// Bytes of its stack.
  private static let stackBytes = 256 * 1024

  /// Watches from now on, in a thread of its own, until the process ends.
  ///
  /// - Throws: ``Errno``: EAGAIN: no thread can be made.
  func start() throws(Errno) {
    let watch = self
    try Threads.start(stackBytes: Self.stackBytes) { watch.run() }
  }

  private func run() -> Never {
    var pause = Self.pauses.first
    while true {
      let start = Clock.boottime
      if let bus = try? BusConnection(address, until: start + Self.answerTime) { try? listen(on: bus) }
      // A bus that served for a while is worth a quick attempt again.
      if Clock.boottime - start > 1_000_000_000 { pause = Self.pauses.first }
      _ = try? Poll.wait([], timeoutMilliseconds: pause)
      pause = min(pause * 2, Self.pauses.last)
    }
  }

  /// Returns by an error only: the bus went away.
  private func listen(on bus: BusConnection) throws(BusError) {
    let bell = "type='signal',interface='\(LoginService.manager)',member='PrepareForSleep'"
    let owner =
      "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(LoginService.name)'"
    for rule in [bell, owner] {
      try bus.callBus("AddMatch", [.text(rule)], until: Clock.boottime + Self.answerTime)
    }
    var station = Station(bus)
    station.renew()
    while true {
      let message = try bus.next(until: .max)
      switch station.hear(message) {
      case .nothing: continue
      case .logindCame, .awake: station.renew()
      case .sleep:
        fallsAsleep()
        station.letGo()
      }
    }
  }

  /// What a signal means.
  private enum News { case nothing, logindCame, sleep, awake }

  /// Who logind is on the bus, and what it gave us.
  private struct Station {
    let bus: BusConnection
    private var owner: String?
    private var held: OwnedDescriptor?

    init(_ bus: BusConnection) { self.bus = bus }

    /// Takes a lock where logind is there. Without one its signals are heard all the same.
    mutating func renew() {
      let deadline = Clock.boottime + SleepWatch.answerTime
      owner = (try? bus.callBus("GetNameOwner", [.text(LoginService.name)], until: deadline))?.first?.string
      held = owner == nil ? nil : try? LoginService(bus: bus, deadline: deadline).delaySleep()
    }

    mutating func letGo() { held = nil }

    /// Anybody may send a signal; only logind's own counts.
    func hear(_ message: BusMessage) -> News {
      guard message.kind == .signal else { return .nothing }
      if message.member == "NameOwnerChanged", message.sender == "org.freedesktop.DBus" { return .logindCame }
      guard message.member == "PrepareForSleep", message.interface == LoginService.manager, owner != nil,
        message.sender == owner, let begins = message.body.first?.truth
      else { return .nothing }
      return begins ? .sleep : .awake
    }
  }
}
