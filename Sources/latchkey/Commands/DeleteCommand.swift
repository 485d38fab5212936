internal import KeychainClient
internal import KeychainModel
internal import SecretMemory
internal import TerminalIO

/// `delete`: takes an item away. Needs no proof, unless only a certain value is to go.
struct DeleteCommand: Command {
  static let onlyIfValue = Option(
    "only-if-value", "delete only where the value is standard input; needs what reading it needs")
  static let manual = Manual(
    "delete", "-s SERVICE -a ACCOUNT [--only-if-value]", "delete an item", options: ItemName.options + [onlyIfValue],
    details: "Needs no proof, also while locked.")

  let name: ItemName
  let condition: Condition

  /// Whether the value matters.
  enum Condition: Equatable, Sendable { case always, onlyIfValue }

  init(_ arguments: Arguments) throws(UsageError) {
    name = try ItemName(arguments)
    condition = arguments.has(Self.onlyIfValue) ? .onlyIfValue : .always
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let value = condition == .onlyIfValue ? try session.readValue() : nil
    let options = condition == .onlyIfValue ? session.proving : session.storing
    let count = try Failure.translating { () throws(Refusal) in
      try session.keychain.delete(name.query, onlyIfValue: value, options: options)
    }
    try session.output.answer(.object(["deleted": .number(Int64(count))]))
    return .good
  }
}
