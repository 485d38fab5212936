internal import KeychainModel
internal import TerminalIO

/// `add`: stores a new item. Never prompts for a proof.
struct AddCommand: Command {
  static let manual = Manual(
    "add", StoreRequest.synopsis, "store a new item", options: StoreRequest.options, details: StoreRequest.details)

  let request: StoreRequest

  init(_ arguments: Arguments) throws(UsageError) { request = try StoreRequest(arguments) }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let stored = try request.store(session, onDuplicate: .refuse)
    try session.output.answer(.object(["added": ItemText(stored).json]))
    return .good
  }
}
