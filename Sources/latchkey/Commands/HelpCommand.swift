/// `help`: says what there is.
struct HelpCommand: Command {
  static let manual = Manual("help", "[COMMAND]", "say what there is, or what a command does")

  let topic: Manual?

  init(_ arguments: Arguments) throws(UsageError) {
    if arguments.operands.isEmpty {
      topic = nil
      return
    }
    let name = try arguments.onlyOperand("command")
    guard let command = Program.command(name) else {
      throw UsageError(noCommand: String(decoding: name, as: UTF8.self))
    }
    topic = command.manual
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    try session.output.text(topic?.text ?? Manual.overview(Program.commands.map { $0.manual }))
    return .good
  }
}
