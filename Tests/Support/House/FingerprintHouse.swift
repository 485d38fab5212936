import Foundation
import LinuxSystem

/// A fingerprint reader of its own: the real fprintd on one of libfprint's virtual devices, asked through a bus of its own by
/// the real polkitd. Nothing of it is the machine's: it stands in a folder, and goes away with its owner, also when the test
/// process is killed. Root only.
public final class FingerprintHouse {
  /// What fprintd drives.
  public enum Driver: String, Sendable {
    /// Verifies; tries one of several enrolled fingers only.
    case device = "virtual_device"
    /// Keeps the fingers itself, and tells which of several it was. It forgets them when fprintd ends.
    case storage = "virtual_device_storage"
    /// Compares pictures with the real matcher.
    case image = "virtual_image"
    /// No reader is plugged in.
    case none = ""

    /// The variable that names its socket (libfprint, drivers/virtual-device.c).
    fileprivate var variable: String? { self == .none ? nil : "FP_\(rawValue.uppercased())" }
  }

  /// What a finger is called (fprintd, data/interfaces).
  public enum Finger: String, CaseIterable, Sendable {
    case leftThumb = "left-thumb"
    case leftIndex = "left-index-finger"
    case rightThumb = "right-thumb"
    case rightIndex = "right-index-finger"
    case rightMiddle = "right-middle-finger"
  }

  /// The folder of everything.
  public let folder: String
  /// The reader's driver.
  public let driver: Driver
  private let guardian: Guardian
  private var processes: [Part: SpawnedProcess] = [:]

  private enum Part: String, CaseIterable { case bus, polkit, fprintd }

  /// What did not happen.
  public struct Fault: Error, CustomStringConvertible {
    /// In words.
    public let description: String
    init(_ description: String) { self.description = description }
  }

  /// Starts everything and waits until it answers.
  public init(_ driver: Driver = .device) throws {
    self.driver = driver
    // Not under /tmp: the daemon takes no templates from a folder that others may change.
    var template = Array("/var/lib/latchkey-reader-XXXXXX".utf8CString)
    folder = String(cString: mkdtemp(&template))
    chmod(folder, 0o755)
    guardian = try Guardian(of: folder)
    mkdir(templates, 0o700)
    try startBus()
    try startPolkit()
    try startReader()
  }

  deinit {
    for part in [Part.fprintd, .polkit, .bus] { end(part) }
    guardian.clear()
  }

  // MARK: Places

  /// The bus, as a daemon is told of it.
  public var busAddress: String { "unix:path=\(folder)/bus" }
  /// Where fprintd keeps what is enrolled.
  public var templates: String { "\(folder)/fprint" }
  /// What tells latchkeyd of them.
  public var daemonOptions: [String] { ["--bus", busAddress, "--fingerprints", templates] }
  /// The environment of programs that use the bus.
  public var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": busAddress] }
  var socket: String { "\(folder)/reader" }

  // MARK: Processes

  /// Starts the bus.
  public func startBus() throws {
    try Self.configuration(bus: busAddress).write(
      toFile: "\(folder)/bus.conf", atomically: true, encoding: .utf8)
    chmod("\(folder)/bus.conf", 0o644)
    try? Files.unlink("\(folder)/bus")
    try start(
      .bus, "/usr/bin/dbus-daemon", ["--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile", "--nosyslog"])
    try wait("for the bus") { access("\(folder)/bus", F_OK) == 0 }
  }

  private func startPolkit() throws {
    try start(.polkit, "/usr/lib/polkit-1/polkitd", ["--no-debug"])
    try waitForName("org.freedesktop.PolicyKit1")
  }

  /// Starts fprintd, anew where it was ended.
  public func startReader(_ driver: Driver? = nil) throws {
    end(.fprintd)
    var more = ["STATE_DIRECTORY": templates, "FP_DRIVERS_WHITELIST": (driver ?? self.driver).rawValue]
    if let variable = (driver ?? self.driver).variable { more[variable] = socket }
    try start(.fprintd, "/usr/libexec/fprintd", ["-t"], more)
    try waitForName("net.reactivated.Fprint")
  }

  /// Ends fprintd as a crash would.
  public func killReader() { end(.fprintd) }

  /// Stops fprintd without ending it: it answers nothing.
  public func hangReader() throws { try processes[.fprintd]?.kill(SIGSTOP) }

  /// Lets a stopped fprintd go on.
  public func wakeReader() throws { try processes[.fprintd]?.kill(SIGCONT) }

  /// Ends the bus and everything on it.
  public func killBus() { for part in [Part.bus, .fprintd, .polkit] { end(part) } }

  /// Starts the bus and everything on it again.
  public func restartBus() throws {
    killBus()
    try startBus()
    try startPolkit()
    try startReader()
  }

  /// The processes of the house that run.
  public var running: [pid_t] { processes.values.map(\.pid) }

  private func start(_ part: Part, _ program: String, _ arguments: [String], _ more: [String: String] = [:]) throws {
    guard access(program, X_OK) == 0 else { throw Fault("\(program) is not installed: run scripts/install-packages") }
    var variables = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"]
    variables.merge(environment) { $1 }
    variables.merge(more) { $1 }
    let log = try Files.open("\(folder)/\(part.rawValue).log", [.writing, .creating, .appending], mode: 0o600)
    let process = try Spawn.start(
      program,
      SpawnPlan(
        arguments: [program] + arguments, environment: variables, descriptors: [.init(log, as: 1), .init(log, as: 2)]))
    processes[part] = process
    guardian.note(process.pid)
  }

  private func end(_ part: Part) {
    guard let process = processes.removeValue(forKey: part) else { return }
    process.killAndWait()
    guardian.forget(process.pid)
  }

  // MARK: Waiting

  func wait(_ words: String, until holds: () throws -> Bool) throws {
    if try !eventually(holds) { throw Fault("waited \(words); \(logs)") }
  }

  private var logs: String {
    Part.allCases.map { part in
      "\(part): " + ((try? String(contentsOfFile: "\(folder)/\(part).log", encoding: .utf8)) ?? "").suffix(400)
    }.joined(separator: "\n")
  }

  private func waitForName(_ name: String) throws {
    try wait("for \(name)") { hasName(name) }
  }

  /// Whether somebody on the bus has the name.
  public func hasName(_ name: String) -> Bool {
    call("org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner", "string:\(name)").output.contains("true")
  }

  /// Calls a method of the bus.
  @discardableResult
  public func call(_ destination: String, _ path: String, _ method: String, _ arguments: String...) -> CommandResult {
    run(
      [
        "/usr/bin/dbus-send", "--bus=\(busAddress)", "--print-reply=literal", "--reply-timeout=5000",
        "--dest=\(destination)", path, method,
      ] + arguments, environment: environment)
  }

  /// A property of the reader.
  func isTrue(_ property: String) -> Bool {
    call(
      "net.reactivated.Fprint", "/net/reactivated/Fprint/Device/0", "org.freedesktop.DBus.Properties.Get",
      "string:net.reactivated.Fprint.Device", "string:\(property)"
    ).output.contains("true")
  }

  /// Waits until the reader wants a finger. A finger that comes before is lost, and the reader with it.
  public func waitUntilAsked() throws { try wait("for the reader to want a finger") { isTrue("finger-needed") } }

  private static func configuration(bus: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN" \
    "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig><type>system</type><listen>\(bus)</listen><auth>EXTERNAL</auth>
    <policy context="default"><allow user="*"/><deny own="*"/><deny send_type="method_call"/>
    <allow send_type="signal"/><allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/><allow receive_type="method_call"/>
    <allow receive_type="method_return"/><allow receive_type="error"/><allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus"/></policy>
    <policy user="root"><allow own="*"/><allow send_destination="*"/></policy>
    <includedir>/usr/share/dbus-1/system.d</includedir></busconfig>
    """
  }
}
