/// The options that every command takes.
struct GlobalOptions: Equatable, Sendable {
  /// How answers are written; `--json`.
  var format: Output.Format = .text
  /// Whether anything may be asked; `--no-prompt`.
  var prompting: Prompting = .allowed
  /// Where a passcode stands ready; `--passcode-fd`.
  var passcodeDescriptor: Int32?

  /// Whether this program or the daemon may ask.
  enum Prompting: Equatable, Sendable { case allowed, refused }

  /// Takes the options out of a command line.
  init(_ arguments: Arguments) throws(UsageError) {
    format = arguments.has(.json) ? .json : .text
    prompting = arguments.has(.noPrompt) ? .refused : .allowed
    passcodeDescriptor = try arguments.descriptor(.passcodeFD)
  }

  /// These and those that stood behind the command.
  func joined(with later: GlobalOptions) throws(UsageError) -> GlobalOptions {
    var joined = self
    if later.format == .json { joined.format = .json }
    if later.prompting == .refused { joined.prompting = .refused }
    if passcodeDescriptor != nil, later.passcodeDescriptor != nil {
      throw UsageError("'--passcode-fd' is given twice.")
    }
    joined.passcodeDescriptor = later.passcodeDescriptor ?? passcodeDescriptor
    return joined
  }
}
