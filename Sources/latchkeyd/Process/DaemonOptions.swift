/// What the command line asks for.
struct DaemonOptions: Hashable, Sendable {
  /// Which of the two ways to run.
  var mode: DaemonMode
  /// The socket, or `nil` for the mode's own place.
  var socket: String?
  /// The state folder, or `nil` for the mode's own place.
  var state: String?
  /// The one folder of PAM stacks, or `nil` for the administrator's and the shipped one.
  var pam: String?
  /// The administrator's policies, or `nil` for /etc/latchkey/policies.d.
  var policies: String?
  /// fprintd's state folder, or `nil` for /var/lib/fprint.
  var fingerprints: String?
  /// The system bus, or `nil` for the usual one.
  var bus: String?
  /// The one pinentry, or `nil` for the first of a fixed list.
  var pinentry: String?
  /// How hard a first passcode is stretched.
  var stretching = StretchingStrength.moderate
  /// The descriptor that is told when the daemon serves.
  var readyDescriptor: Int32?
  /// Seconds without use after which a user's own daemon ends.
  var idleSeconds = DaemonOptions.defaultIdleSeconds

  /// Ten minutes.
  static let defaultIdleSeconds: UInt32 = 600
  /// One second to a day.
  static let idleBounds: ClosedRange<UInt32> = 1...86_400
  /// Behind the standard streams; no program is started with more open files than these.
  static let readyBounds: ClosedRange<Int32> = 3...255
  /// The longest path (PATH_MAX less the final NUL).
  static let pathBytes = 4095

  init(mode: DaemonMode) { self.mode = mode }
}

/// What a command line asks the program to do.
enum DaemonCommand: Hashable, Sendable {
  /// Serve.
  case run(DaemonOptions)
  /// Print how it is used.
  case help
  /// Print the version.
  case version
}

/// A command line that means nothing; the text says why.
struct UsageFault: Error, Hashable {
  var text: String
  init(_ text: String) { self.text = text }
}
