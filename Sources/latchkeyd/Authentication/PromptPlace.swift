internal import AccessPolicy
internal import DialogueWire
internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import SecretMemory

/// Where the answer comes from, checked.
enum PromptPlace: Sendable {
  /// The person at this terminal, with the name it has here; empty for one of a mount namespace of its own.
  case terminal(OwnedDescriptor, name: String)
  /// The person at a display, through pinentry.
  case display(PinentryPlan)
  /// The client handed the passcode in: 1 to 511 bytes.
  case supplied(SecretBytes)

  /// Checks a client's word.
  ///
  /// - Throws: ``Refusal``: `noWayToPrompt`, `emptyPasscode`, `answerTooLong`, `clientGone`.
  init(
    _ presentation: ClientPresentation, account: UserAccountName, peer: PeerFacts, pinentries: [String]
  ) throws(Refusal) {
    switch presentation {
    case .none: throw Refusal(.noWayToPrompt)
    case .passcode(let passcode):
      guard passcode.count > 0 else { throw Refusal(.emptyPasscode) }
      guard AnswerSource.suppliedRange.contains(passcode.count) else { throw Refusal(.answerTooLong) }
      self = .supplied(passcode)
    case .terminal(let terminal):
      let name = try TerminalCheck(terminal, account: account, peer: peer).name()
      self = .terminal(terminal, name: name)
    case .display(let variables): self = .display(try DisplayCheck.plan(variables, programs: pinentries))
    }
  }

  /// The terminal, or `nil`.
  var terminal: OwnedDescriptor? {
    guard case .terminal(let terminal, _) = self else { return nil }
    return terminal
  }

  /// What people are told of it; `nil` where nobody is asked.
  var site: PromptSite? {
    switch self {
    case .terminal: terminalName.isEmpty ? .ownTerminal : .named(terminalName)
    case .display: terminalName.isEmpty ? .nameless : .named(terminalName)
    case .supplied: nil
    }
  }

  /// The terminal's name, or the display's; empty where there is neither.
  var terminalName: String {
    switch self {
    case .terminal(_, let name): name
    case .display(let plan): plan.environment["DISPLAY"].map { String($0.prefix(64)) } ?? ""
    case .supplied: ""
    }
  }
}
