internal import DialogueWire
internal import LinuxSystem

/// A start that was checked: the two channels this program was started with.
struct HelperStart {
  /// To the daemon: descriptor 3.
  let daemon: DialogueChannel
  /// To the prompter: descriptor 4; nil when there is none.
  let prompter: DialogueChannel?

  /// The device number of /dev/null: major 1, minor 3.
  private static let nullDevice: UInt64 = 0x103

  /// Hardens this process first, then looks whether the start is one of the daemon's.
  static func make() throws(StartRefusal) -> HelperStart {
    do throws(PrivateStart.Refusal) { try PrivateStart.enter() } catch { throw StartRefusal(error) }
    try harden()
    guard Users.realUserID == Users.effectiveUserID else { throw .identity }
    for number in Int32(0)...2 { try requireNull(number) }
    guard case .open(let daemon) = PrivateStart.channel(3) else { throw .daemonChannel }
    let credentials = try? UnixSocket.peerCredentials(daemon.descriptor)
    guard credentials?.uid == Users.effectiveUserID else { throw .foreignPeer }
    switch PrivateStart.channel(4) {
    case .open(let prompter): return HelperStart(daemon: daemon, prompter: prompter)
    case .absent: return HelperStart(daemon: daemon, prompter: nil)
    case .other: throw .prompterChannel
    }
  }

  private static func harden() throws(StartRefusal) {
    do throws(Errno) {
      try ProcessHardening.dieWithStarter()
      ProcessHardening.setUmask(0o077)
      // Before any thread: pam_fprintd waits for this signal beside a finger, and gives the reader back when it comes. Others let
      // it lie.
      _ = try Signals(collecting: [Signals.interrupt])
      try Environment.replace(with: scrubbedEnvironment())
    } catch { throw .hardening }
  }

  /// PATH, LANG where it is a plain name (modules translate their words by it), and the daemon's word on the system bus.
  private static func scrubbedEnvironment() -> [String: String] {
    var environment = ["PATH": "/usr/bin:/bin"]
    if let language = Environment.value("LANG"), isPlain(language) { environment["LANG"] = language }
    if let bus = Environment.value(busVariable), (1...1024).contains(bus.utf8.count) { environment[busVariable] = bus }
    return environment
  }

  /// Where pam_fprintd finds the system bus; the daemon sets it where the bus is not at its usual place.
  private static let busVariable = "DBUS_SYSTEM_BUS_ADDRESS"

  private static func isPlain(_ language: String) -> Bool {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@-".utf8)
    return (1...64).contains(language.utf8.count) && language.utf8.allSatisfy { plain.contains($0) }
  }

  private static func requireNull(_ number: Int32) throws(StartRefusal) {
    guard let descriptor = try? OwnedDescriptor.duplicating(number), let facts = try? Files.facts(descriptor),
      facts.kind == .characterDevice, facts.specialDevice == nullDevice
    else { throw .standardStreams }
  }
}

/// Why this program does not run, or ended early; the raw value is its exit status.
enum StartRefusal: UInt8, Error {
  /// The kernel did not let it harden itself.
  case hardening = 10
  /// Somebody traces it.
  case traced = 11
  /// It was given arguments.
  case arguments = 12
  /// Its real and effective user differ.
  case identity = 13
  /// Standard input, output or error is not /dev/null.
  case standardStreams = 14
  /// Descriptor 3 is not a packet socket.
  case daemonChannel = 15
  /// Descriptor 4 is open and is not a packet socket.
  case prompterChannel = 16
  /// Another user is at the other end of descriptor 3.
  case foreignPeer = 17
  /// No request came, or one that does not decode.
  case request = 18

  init(_ refusal: PrivateStart.Refusal) {
    self =
      switch refusal {
      case .exposed: .hardening
      case .traced: .traced
      case .arguments: .arguments
      }
  }
}
