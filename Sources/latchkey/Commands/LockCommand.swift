internal import KeychainClient
internal import KeychainModel
internal import TerminalIO

/// `lock`: takes back at once what proofs unlocked.
struct LockCommand: Command {
  static let all = Option("all", "forget the afterFirstUnlock keys too, as after a start")
  static let manual = Manual(
    "lock", "[--all]", "lock the keychain at once", options: [all],
    details:
      "Ends every proof of this user, in all terminals. Items of the class afterFirstUnlock stay open unless --all is given."
  )

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
    try session.output.answer(.object(["locked": .truth(true)]))
    return .good
  }
}
