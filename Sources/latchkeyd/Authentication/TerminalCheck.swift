internal import AccessPolicy
internal import KeychainModel
internal import KeychainService
internal import LinuxSystem

/// Whether a prompt for a user may appear on the terminal that a client passed.
struct TerminalCheck {
  private let terminal: OwnedDescriptor
  private let account: UserAccountName
  private let peer: PeerFacts

  init(_ terminal: OwnedDescriptor, account: UserAccountName, peer: PeerFacts) {
    self.terminal = terminal
    self.account = account
    self.peer = peer
  }

  /// Checks it and gives its name, or "" where it has none here: a container's, say.
  ///
  /// - Throws: ``Refusal``: `noWayToPrompt`, `clientGone`.
  func name() throws(Refusal) -> String {
    guard Terminal.isTerminal(terminal), let device = try? Terminal.device(terminal),
      let owner = try? Terminal.owner(terminal)
    else { throw Refusal(.noWayToPrompt, detail: "the descriptor is not a terminal's") }
    let ownership = try ForegroundCheck(device: device, process: peer.process).require()
    let path = Terminal.path(terminal) ?? ""
    // Its own user's, or the one that controls the program (a shell of root on a user's terminal). That one is known by its
    // number, which says something of the terminals here alone: those of another devpts have the same numbers.
    guard (ownership == .own && !path.isEmpty) || owner == account.uid else {
      throw Refusal(.noWayToPrompt, detail: "the terminal belongs to another user")
    }
    return path.utf8.count <= 256 ? path : ""
  }
}
