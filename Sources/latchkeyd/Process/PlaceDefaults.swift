internal import KeychainModel

/// What the places depend on beside the command line.
struct PlaceSurroundings: Hashable, Sendable {
  /// This program's own file.
  var executable: String
  /// The user's home.
  var home: String?
  /// XDG_RUNTIME_DIR.
  var runtimeFolder: String?
  /// XDG_DATA_HOME.
  var dataFolder: String?
}

extension DaemonPlaces {
  /// Fills in what the command line leaves open. Helper and prompter stand beside the daemon: nothing else chooses a program.
  ///
  /// - Throws: ``Refusal``: `serviceUnavailable` where a user has no home.
  init(_ options: DaemonOptions, _ surroundings: PlaceSurroundings) throws(Refusal) {
    let programs = Self.folder(of: surroundings.executable)
    let shared = Self.folder(of: Self.folder(of: programs)) + "/share/latchkey"
    let administrator = "/etc/latchkey"
    self.init(
      mode: options.mode, socket: try Self.socket(options, surroundings), state: try Self.state(options, surroundings),
      pamFolders: options.pam.map { [$0] } ?? [administrator + "/pam.d", shared + "/pam"],
      systemPolicies: options.policies ?? administrator + "/policies.d", shippedPolicies: shared + "/policies",
      helperProgram: programs + "/latchkey-pam-helper", prompterProgram: programs + "/latchkey-prompter",
      stretching: options.stretching)
    if let fingerprints = options.fingerprints { self.fingerprints = fingerprints }
    systemBus = options.bus
    if let pinentry = options.pinentry { pinentries = [pinentry] }
  }

  private static func socket(_ options: DaemonOptions, _ surroundings: PlaceSurroundings) throws(Refusal) -> String {
    if let chosen = options.socket { return chosen }
    if options.mode == .system { return "/run/latchkey/socket" }
    if let runtime = absolute(surroundings.runtimeFolder) { return runtime + "/latchkey/socket" }
    return try home(surroundings) + "/.local/state/latchkey/run/socket"
  }

  private static func state(_ options: DaemonOptions, _ surroundings: PlaceSurroundings) throws(Refusal) -> String {
    if let chosen = options.state { return chosen }
    if options.mode == .system { return "/var/lib/latchkey" }
    if let data = absolute(surroundings.dataFolder) { return data + "/latchkey" }
    return try home(surroundings) + "/.local/share/latchkey"
  }

  private static func home(_ surroundings: PlaceSurroundings) throws(Refusal) -> String {
    guard let home = absolute(surroundings.home) else {
      throw Refusal(.serviceUnavailable, detail: "this user has no home")
    }
    return home
  }

  /// A folder that a variable may name: an absolute path, else it counts as not set (XDG Base Directory Specification).
  private static func absolute(_ path: String?) -> String? {
    guard let path, path.hasPrefix("/"), path != "/" else { return nil }
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The folder a path lies in.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}
