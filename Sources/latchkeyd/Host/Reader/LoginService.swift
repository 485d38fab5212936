internal import LinuxSystem
internal import SystemBus

/// systemd-logind, asked over the bus (org.freedesktop.login1(5)). A machine without it has no lid and no remote sessions that
/// could be told.
struct LoginService {
  let bus: BusConnection
  /// When the last answer must be here, in boot-time nanoseconds.
  let deadline: UInt64

  /// Its name on the bus.
  static let name = "org.freedesktop.login1"
  /// Its object.
  static let path = "/org/freedesktop/login1"
  /// Its interface.
  static let manager = name + ".Manager"

  /// The lid.
  enum Lid: Hashable { case open, closed, unknown }

  /// Whether the lid is shut.
  var lid: Lid {
    switch (try? bus.property("LidClosed", of: Self.manager, Self.name, Self.path, until: deadline))?.truth {
    case true?: .closed
    case false?: .open
    case nil: .unknown
    }
  }

  /// The session that a process belongs to; `nil` where it has none, or logind does not say.
  func session(of pid: Int32) -> LoginSession? {
    let question = BusMessage.call(
      Self.name, Self.path, Self.manager, "GetSessionByPID", [.number(UInt32(bitPattern: pid))])
    guard let path = (try? bus.call(question, until: deadline))?.first?.string,
      let isRemote = property("Remote", path)?.truth
    else { return nil }
    return LoginSession(
      uid: property("User", path)?.fields?.first?.number, place: isRemote ? .remote : .here,
      host: property("RemoteHost", path)?.string ?? "",
      terminal: property("TTY", path)?.string ?? "")
  }

  private func property(_ name: String, _ path: String) -> BusValue? {
    try? bus.property(name, of: Self.name + ".Session", Self.name, path, until: deadline)
  }

  /// Makes the machine wait with its sleep, for the few seconds that logind grants, until the descriptor is closed.
  ///
  /// - Throws: ``BusError``.
  func delaySleep() throws(BusError) -> OwnedDescriptor {
    let words: [BusValue] = [
      .text("sleep"), .text("Latchkey"), .text("locks the keychains and gives the reader back"), .text("delay"),
    ]
    let question = BusMessage.call(Self.name, Self.path, Self.manager, "Inhibit", words)
    guard case .descriptor(let held)? = try bus.call(question, until: deadline).first else { throw .malformed }
    return held
  }
}
