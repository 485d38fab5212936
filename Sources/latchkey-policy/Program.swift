/// The program: a command line in, text and an exit status out.
struct Program {
  /// Runs a command line (without the program's name).
  static func run(_ arguments: [String]) -> (report: Report, ending: Ending) {
    do throws(UsageError) {
      let invocation = try Invocation(arguments)
      var report = Report(format: invocation.format)
      let ending = run(invocation.command, &report)
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

  private static func run(_ command: Invocation.Command, _ report: inout Report) -> Ending {
    switch command {
    case .help:
      report.say(HelpText.text)
      return .good
    case .check(let paths, let stacks):
      var check = CheckCommand(paths: paths, stacks: stacks)
      return check.run(&report)
    case .test(let files):
      var test = TestCommand(files: files)
      return test.run(&report)
    case .explain, .diff, .apply, .remove, .list:
      report.complain("latchkey-policy: not yet.")
      return .findings
    }
  }
}
