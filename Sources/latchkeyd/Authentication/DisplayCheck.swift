internal import DialogueWire
internal import KeychainModel
internal import KeychainWire
internal import LinuxSystem

/// How pinentry is started on a client's display: a program of the system's and variables from a fixed list.
enum DisplayCheck {
  /// Where pinentry may stand, the administrator's choice first. Never searched in PATH.
  static let programs = [
    "/usr/bin/pinentry", "/usr/bin/pinentry-gnome3", "/usr/bin/pinentry-qt", "/usr/bin/pinentry-gtk-2",
    "/usr/bin/pinentry-x11", "/usr/local/bin/pinentry",
  ]

  /// A plan.
  ///
  /// - Throws: ``Refusal``: `noWayToPrompt` (no display, no pinentry that root alone can change).
  static func plan(_ variables: [String: String], programs: [String]) throws(Refusal) -> PinentryPlan {
    let environment = variables.filter { name, value in
      DisplayVariable.names.contains(name) && (1...WireLimits.displayValueBytes).contains(value.utf8.count)
        && !value.utf8.contains(0)
    }
    guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else {
      throw Refusal(.noWayToPrompt, detail: "no display is named")
    }
    guard let program = programs.first(where: isTrusted) else {
      throw Refusal(.noWayToPrompt, detail: "no pinentry is installed")
    }
    return PinentryPlan(program: program, environment: environment)
  }

  private static func isTrusted(_ path: String) -> Bool {
    guard case .trusted(let facts) = TrustedPath.check(path) else { return false }
    return facts.kind == .regular && facts.mode & 0o111 != 0
  }
}
