internal import KeychainClient
internal import KeychainModel
internal import TerminalIO

/// `lock`: takes back at once what proofs unlocked.
struct LockCommand: Command {
  static let all = Option("all", "forget the afterFirstUnlock keys too, as after a start")
  static let manual = Manual(
    "lock", "[--all]", "lock the keychain at once", options: [all],
    details:
      """
      Ends the proofs of this user in all terminals; those of a service whose policy leaves 'lock' out of 'dropOn' last on, unless
      --all is given. Items of the class afterFirstUnlock stay open unless --all is given. A keychain that no passcode was bound to
      yet cannot be locked: its plain items stay open, which is said.
      """)

  let reach: Reach

  /// How much is forgotten.
  enum Reach: Equatable, Sendable { case proofs, everything }

  init(_ arguments: Arguments) throws(UsageError) {
    try arguments.requireNoOperands()
    reach = arguments.has(Self.all) ? .everything : .proofs
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    try Failure.translating { () throws(Refusal) in
      switch reach {
      case .proofs: try session.keychain.lock(options: session.quiet)
      case .everything: try session.keychain.lockAll(options: session.quiet)
      }
    }
    let standing = Standing(try? session.keychain.status(options: session.quiet))
    if standing == .unbound, session.output.format == .text {
      session.output.complain(
        "latchkey: proofs are ended, but no passcode is bound to the keychain yet and plain items stay open. "
          + "Run 'latchkey unlock' once.")
    }
    try session.output.answer(.object(["locked": .truth(standing == .locked)]))
    return .good
  }

  /// What a lock has left.
  private enum Standing {
    case locked
    /// There is no passcode to open it again.
    case unbound

    init(_ status: StatusReply?) {
      guard let status, status.keybag == .none || status.keybag == .unbound else {
        self = .locked
        return
      }
      self = .unbound
    }
  }
}
