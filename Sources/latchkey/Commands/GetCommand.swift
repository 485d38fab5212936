internal import KeychainClient
internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory
internal import TerminalIO

/// `get`: writes the exact bytes of a value.
struct GetCommand: Command {
  static let manual = Manual(
    "get", "-s SERVICE -a ACCOUNT", "write a value to standard output",
    options: ItemName.options + [ApplicationPassword.option],
    details: "The bytes are exact; a newline is added only on a terminal. With --json the value is base64.")

  let name: ItemName
  let applicationPassword: ApplicationPassword

  init(_ arguments: Arguments) throws(UsageError) {
    name = try ItemName(arguments)
    applicationPassword = try ApplicationPassword(arguments)
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let value = try read(session)
    switch session.output.format {
    case .text:
      try session.output.secret(value)
      if session.output.isTerminal { try session.output.text("\n") }
    case .json:
      let entries = name.json + [("encoding", .string("base64")), ("value", .string(""))]
      // The value stands between the last two quotes; it never becomes a String.
      try session.output.text(String(JSONText.object(entries).text.dropLast(2)))
      try Base64Writer.write(value, to: session.output)
      try session.output.text("\"}\n")
    }
    return .good
  }

  private func read(_ session: Session) throws(Failure) -> SecretBytes {
    var options = session.proving
    options.applicationPassword = try applicationPassword.handedIn(session)
    do throws(Refusal) { return try session.keychain.value(name.query, options: options) } catch {
      guard error.reason == .applicationPasswordRequired, options.applicationPassword == nil,
        session.globals.prompting == .allowed
      else { throw Failure(error) }
    }
    options.applicationPassword = try applicationPassword.read(session, asking: .once)
    do throws(Refusal) { return try session.keychain.value(name.query, options: options) } catch {
      throw Failure(error)
    }
  }
}
