internal import KeychainClient
internal import KeychainModel
internal import TerminalIO

/// `show`: the attributes of an item. Never prompts, never shows the value.
struct ShowCommand: Command {
  static let manual = Manual(
    "show", "-s SERVICE -a ACCOUNT", "show an item's attributes", options: ItemName.options,
    details: "Never asks for a proof and shows no value.")

  let name: ItemName

  init(_ arguments: Arguments) throws(UsageError) { name = try ItemName(arguments) }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let result = try Failure.translating { () throws(Refusal) in
      let result = try session.keychain.find(name.query, returning: .attributes, options: session.quiet)
      if result.items.isEmpty { throw Refusal(result.hidden > 0 ? .keybagLocked : .itemNotFound) }
      return result
    }
    for found in result.items.prefix(1) {
      try session.output.answer(ItemText(found.item).json, orText: ItemText(found.item).lines)
    }
    return .good
  }
}
