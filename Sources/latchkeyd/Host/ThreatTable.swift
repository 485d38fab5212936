internal import KeychainModel

/// What this way of running holds off: the table of SECURITY.md for one mode.
enum ThreatTable {
  /// The lines, in the table's order.
  static func lines(_ mode: DaemonMode, _ installation: Installation) -> [ThreatLine] {
    [
      ThreatLine(threat: "other users", answer: "yes"),
      ThreatLine(threat: "stolen disk", answer: "yes, once the keybag is bound to a passcode"),
      ThreatLine(threat: "a program of the same user that speaks to the socket", answer: "yes"),
      ThreatLine(
        threat: "a program of the same user that traces, patches or replaces Latchkey's programs",
        answer: tracing(mode, installation)),
      ThreatLine(
        threat: "a program of the same user that copies or restores the store, or guesses the passcode offline",
        answer: mode == .system ? "yes" : "no"),
      ThreatLine(threat: "a program of the same user that deletes an item or puts a value of its own in", answer: "no"),
      ThreatLine(
        threat: "a program of the same user that starts one named under callers with code of its own in it",
        answer: "no"),
      ThreatLine(
        threat: "a program of the same user that opens the terminal while a prompt is up", answer: "yes"),
      ThreatLine(
        threat: "a program of the same user that held the terminal open before, or shows a prompt of its own",
        answer: "no"),
      ThreatLine(
        threat: "root; a program that was just given the secret; which script an interpreter runs", answer: "no"),
    ]
  }

  private static func tracing(_ mode: DaemonMode, _ installation: Installation) -> String {
    switch (mode, installation) {
    case (.system, .protected): "yes"
    case (.user, .protected): "yes, but never one that runs before or instead of the daemon"
    case (_, .unprotected): "no: unprotected installation"
    }
  }
}
