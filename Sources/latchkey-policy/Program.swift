internal import KeychainModel
internal import TerminalIO

/// The program: a command line in, text and an exit status out.
struct Program {
  /// Runs a command line (without the program's name).
  ///
  /// - Parameter connect: Makes the daemon's counterpart; called only by commands that need it.
  static func run(
    _ arguments: [String], reaching connect: (PromptOptions) -> any PolicyDaemon
  ) -> (report: Report, ending: Ending) {
    do throws(UsageError) {
      let invocation = try Invocation(arguments)
      var report = Report(format: invocation.format)
      let ending = run(invocation.command, &report) { connect(invocation.prompt) }
      return (report, ending)
    } catch {
      return misused(error.message)
    }
  }

  /// The answer to arguments that are not UTF-8.
  static var notText: (report: Report, ending: Ending) { misused("the arguments are not UTF-8.") }

  private static func misused(_ message: String) -> (report: Report, ending: Ending) {
    var report = Report(format: .text)
    report.complain("latchkey-policy: \(message) Try 'latchkey policy --help'.")
    return (report, .usage)
  }

  private static func run(
    _ command: Invocation.Command, _ report: inout Report, _ connect: () -> any PolicyDaemon
  ) -> Ending {
    switch command {
    case .help(let verb):
      report.say(verb.flatMap(HelpText.text(of:)) ?? HelpText.text)
      return .good
    case .version:
      report.say("latchkey-policy \(LatchkeyVersion.text)")
      report.answer(.object(["version": .string(LatchkeyVersion.text)]))
      return .good
    case .check(let paths, let stacks):
      var check = CheckCommand(paths: paths, stacks: stacks)
      return check.run(&report)
    case .test(let files):
      var test = TestCommand(files: files)
      return test.run(&report)
    case .explain(let service): return ExplainCommand(service: service).run(connect(), &report)
    case .list: return ListCommand().run(connect(), &report)
    case .diff(let file): return DiffCommand(file: file).run(connect(), &report)
    case .apply(let file): return ApplyCommand(file: file).run(connect(), &report)
    case .remove(let service): return RemoveCommand(service: service).run(connect(), &report)
    }
  }
}
