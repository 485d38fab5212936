/// Where a dialogue takes place, and what PAM is told of that.
struct PromptScene: Sendable {
  /// Where the answer comes from.
  var place: PromptPlace
  /// The client's login session, where one is known.
  var session: LoginSession?

  /// What PAM_TTY is set to: the prompt's own terminal or display, else the session's.
  var terminalName: String { place.terminalName.isEmpty ? session?.terminalName ?? "" : place.terminalName }

  /// What PAM_RHOST is set to; empty for a session of this machine's.
  var remoteHost: String { session?.remoteHost ?? "" }
}
