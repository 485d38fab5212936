internal import KeychainModel
internal import LinuxSystem
internal import SystemBus

/// fprintd, asked over the bus (net.reactivated.Fprint of its D-Bus interface). It is started where it does not run.
struct FprintService {
  let bus: BusConnection
  /// When the last answer must be here, in boot-time nanoseconds.
  let deadline: UInt64

  /// A reader and what is enrolled in it.
  struct Device: Hashable {
    /// The object's path.
    var path: String
    /// The fingers of the account that was asked for, by name.
    var fingers: [String]
  }

  private static let name = "net.reactivated.Fprint"
  /// Most readers that are asked.
  private static let maximumDevices = 8

  /// The reader that pam_fprintd will take: the one with the most fingers of the account, the first of equals.
  ///
  /// - Throws: ``Refusal``: `biometryNotAvailable`, `biometryNotEnrolled`, `readerBroken`.
  func device(of account: String) throws(Refusal) -> Device {
    let paths =
      try call("/net/reactivated/Fprint/Manager", "Manager", "GetDevices")
      .first?.elements?.compactMap(\.string) ?? []
    guard !paths.isEmpty else { throw Refusal(.biometryNotAvailable, detail: "no reader is plugged in") }
    var best: Device?
    for path in paths.prefix(Self.maximumDevices) {
      let fingers = try fingers(of: account, on: path)
      if fingers.count > best?.fingers.count ?? 0 { best = Device(path: path, fingers: fingers) }
    }
    guard let best else { throw Refusal(.biometryNotEnrolled, detail: account) }
    return best
  }

  /// What a person calls the reader.
  func title(of path: String) -> String? {
    try? bus.property("name", of: Self.name + ".Device", Self.name, path, until: deadline).string
  }

  /// Claims the reader and gives it back: says whether somebody else has it, and whether it works.
  ///
  /// - Throws: ``Refusal``: `readerBusy`, `readerBroken`, `biometryNotAvailable`.
  func tryOut(_ path: String, for account: String) throws(Refusal) {
    _ = try call(path, "Device", "Claim", [.text(account)])
    _ = try call(path, "Device", "Release")
  }

  private func fingers(of account: String, on path: String) throws(Refusal) -> [String] {
    do throws(Refusal) {
      let answer = try call(path, "Device", "ListEnrolledFingers", [.text(account)])
      return answer.first?.elements?.compactMap(\.string) ?? []
    } catch {
      guard error.reason == .biometryNotEnrolled else { throw error }
      return []
    }
  }

  private func call(
    _ path: String, _ interface: String, _ member: String, _ body: [BusValue] = []
  ) throws(Refusal) -> [BusValue] {
    var message = BusMessage.call(Self.name, path, "\(Self.name).\(interface)", member, body)
    message.mayActivate = true
    do throws(BusError) { return try bus.call(message, until: deadline) } catch { throw Self.refusal(for: error) }
  }

  /// What an error of the bus or of fprintd means for somebody who wants to show a finger.
  static func refusal(for error: BusError) -> Refusal {
    switch error {
    case .absent(let failure): Refusal(.biometryNotAvailable, detail: "the system bus is not there (\(failure.words))")
    case .timedOut: silence
    case .malformed: Refusal(.readerBroken, detail: "fprintd's answer cannot be read")
    case .refused(let name): refusal(named: name)
    }
  }

  /// It did not answer in time.
  static let silence = Refusal(.readerBroken, detail: "fprintd does not answer")

  private static func refusal(named name: String) -> Refusal {
    let own = Self.name + ".Error."
    let general = "org.freedesktop.DBus.Error."
    switch name {
    case own + "NoEnrolledPrints": return Refusal(.biometryNotEnrolled)
    case own + "AlreadyInUse": return Refusal(.readerBusy)
    case own + "NoSuchDevice": return Refusal(.biometryNotAvailable, detail: "the reader was unplugged")
    case own + "PermissionDenied", general + "AccessDenied":
      return Refusal(.biometryNotAvailable, detail: "the system does not let this session use the reader")
    case general + "ServiceUnknown", general + "NameHasNoOwner":
      return Refusal(.biometryNotAvailable, detail: "fprintd is not installed")
    case general + "NoReply", general + "Disconnected", general + "UnknownObject", general + "UnknownMethod":
      return Refusal(.readerBroken, detail: "fprintd ended or lost the reader")
    default:
      if name.hasPrefix(general + "Spawn.") {
        return Refusal(.biometryNotAvailable, detail: "fprintd cannot be started: \(name)")
      }
      return Refusal(.readerBroken, detail: name)
    }
  }
}
