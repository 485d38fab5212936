/// One command of the program: read from its arguments, then run.
protocol Command: Sendable {
  /// What it is called, takes and does.
  static var manual: Manual { get }

  /// Reads its arguments.
  init(_ arguments: Arguments) throws(UsageError)

  /// Does it.
  ///
  /// - Returns: the exit status; 0 unless the command says otherwise of something that went well.
  func run(_ session: Session) throws(Failure) -> ExitStatus
}

/// What a command is called, takes and does: for reading its arguments and for its help.
struct Manual: Sendable {
  let name: String
  /// What stands behind the name, without the options that every command takes.
  let synopsis: String
  /// One sentence.
  let summary: String
  let options: [Option]
  /// Further lines.
  let details: String
  /// Whether its words belong to another program and are not looked at.
  let passesOn: Bool

  init(
    _ name: String, _ synopsis: String = "", _ summary: String, options: [Option] = [], details: String = "",
    passesOn: Bool = false
  ) {
    self.name = name
    self.synopsis = synopsis
    self.summary = summary
    self.options = options
    self.details = details
    self.passesOn = passesOn
  }

  /// The help of the command.
  var text: String {
    var text = "usage: latchkey \(name)\(synopsis.isEmpty ? "" : " \(synopsis)")\n\n\(summary)\n"
    if !details.isEmpty { text += "\n\(details)\n" }
    if !options.isEmpty { text += "\n" + Self.list(options) }
    return text + "\n" + Self.list(Option.global)
  }

  private static func list(_ options: [Option]) -> String {
    Table(rows: options.map { ["  " + $0.spelling, $0.summary] }).text
  }

  /// The help of the program.
  static func overview(_ commands: [Manual]) -> String {
    """
    usage: latchkey COMMAND [OPTION]...

    A keychain whose items can demand proof that their owner is there.

    \(Table(rows: commands.map { ["  " + $0.name, $0.summary] }).text)
    \(Self.list(Option.global))
    'latchkey COMMAND --help' says more. Exit status: 0 done, 2 usage, else the low byte of the OSStatus:
    44 not found, 45 exists, 36 locked or no prompt allowed, 51 refused, 128 cancelled, 53 not available.

    """
  }
}
