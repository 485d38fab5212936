internal import KeychainModel
internal import LinuxSystem
internal import TerminalIO

/// The program: a command line in, text and an exit status out.
enum Program {
  /// Every command, in the order of the help.
  static let commands: [any Command.Type] = [
    AddCommand.self, SetCommand.self, GetCommand.self, ListCommand.self, ShowCommand.self, DeleteCommand.self,
    PurgeCommand.self,
    LockCommand.self, UnlockCommand.self, StatusCommand.self, DoctorCommand.self, RecoveryKeyCommand.self,
    PolicyCommand.self, LogCommand.self, ExportCommand.self, ImportCommand.self, HelpCommand.self,
  ]

  /// The command with this name, or `nil`.
  static func command(_ name: [UInt8]) -> (any Command.Type)? {
    commands.first { Array($0.manual.name.utf8) == name }
  }

  /// Runs a command line, argv[0] included.
  static func run(_ arguments: [[UInt8]]) -> ExitStatus {
    let words = arguments.dropFirst()
    do throws(Failure) {
      return try execute(try Invocation(words))
    } catch {
      return report(error, as: Invocation.format(of: words))
    }
  }

  private static func execute(_ invocation: Invocation) throws(Failure) -> ExitStatus {
    let output = Output(invocation.globals.format)
    switch invocation.action {
    case .help(let manual):
      try output.text(manual?.text ?? Manual.overview(commands.map { $0.manual }))
      return .good
    case .version:
      try output.answer(
        .object(["version": .string(LatchkeyVersion.text)]), orText: "latchkey \(LatchkeyVersion.text)\n")
      return .good
    case .command(let command):
      return try command.run(Session(invocation.globals, output))
    }
  }

  /// Says why not: one line on standard error, or one object on standard output for programs.
  private static func report(_ failure: Failure, as format: Output.Format) -> ExitStatus {
    let output = Output(format)
    switch format {
    case .text: output.complain(failure.line)
    // Where standard output is what failed, standard error is all there is.
    case .json: do { try output.object(failure.json) } catch { output.complain(failure.line) }
    }
    return failure.exit
  }
}

/// The status this program ends with.
struct ExitStatus: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt8
  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// All done.
  static let good = ExitStatus(rawValue: 0)
  /// The command line asks for nothing that there is.
  static let usage = ExitStatus(rawValue: 2)
  /// The low byte of a status of Apple's.
  init(_ status: KeychainStatus) { self.init(rawValue: status.exitStatus) }
}
