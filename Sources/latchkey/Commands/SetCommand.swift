internal import KeychainModel
internal import TerminalIO

/// `set`: stores an item or replaces the one of its name. Replacing a protected one wants a proof.
struct SetCommand: Command {
  static let manual = Manual(
    "set", StoreRequest.synopsis, "store an item, or replace its value", options: StoreRequest.options,
    details: StoreRequest.details + "\nAn item that exists keeps its flags and class unless one of them is given.")

  let request: StoreRequest

  init(_ arguments: Arguments) throws(UsageError) { request = try StoreRequest(arguments) }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let rule: DuplicateRule = request.access.accessControl == nil ? .replaceKeepingAccessControl : .replace
    let stored = try request.store(session, onDuplicate: rule)
    try session.output.answer(.object(["set": ItemText(stored).json]))
    return .good
  }
}
