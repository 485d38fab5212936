import KeychainModel
import Testing

@testable import latchkey_policy

struct InvocationTests {
  @Test(arguments: [
    (["check", "a", "b"], Invocation(command: .check(paths: ["a", "b"], stacks: []))),
    (["check", "a", "--pam", "p", "--json"], Invocation(command: .check(paths: ["a"], stacks: ["p"]), format: .json)),
    (["--json", "check", "--pam", "p"], Invocation(command: .check(paths: [], stacks: ["p"]), format: .json)),
    (["test", "a"], Invocation(command: .test(files: ["a"]))),
    (["explain", "--", "--json"], Invocation(command: .explain(service: "--json"))),
    (["diff", "a"], Invocation(command: .diff(file: "a"))), (["apply", "-"], Invocation(command: .apply(file: "-"))),
    (["remove", "com.example.*"], Invocation(command: .remove(service: "com.example.*"))),
    (["list"], Invocation(command: .list)), (["--help"], Invocation(command: .help(nil))),
    (["check", "--help"], Invocation(command: .help("check"))), (["-h", "chekc"], Invocation(command: .help(nil))),
    (["help"], Invocation(command: .help(nil))), (["help", "apply"], Invocation(command: .help("apply"))),
    (["--version"], Invocation(command: .version)),
    (["--version", "--json"], Invocation(command: .version, format: .json)),
    (
      ["apply", "a", "--no-prompt", "--passcode-fd", "3"],
      Invocation(command: .apply(file: "a"), prompt: PromptOptions(isAllowed: false, passcodeDescriptor: 3))
    ),
  ])
  func `a command line is read`(words: [String], expected: Invocation) throws {
    #expect(try Invocation(words) == expected)
  }

  @Test func `the version is told, and a command that was nearly written`() {
    #expect(runOffline(["--version"]).report.output == "latchkey-policy \(LatchkeyVersion.text)\n")
    #expect(runOffline(["chekc", "a"]).report.errors.contains("there is no command 'chekc'. Did you mean 'check'?"))
    #expect(runOffline(["help", "frobnicate"]).report.errors.contains("There are check, test,"))
  }

  @Test(arguments: Invocation.verbs) func `each command has a help of its own`(verb: String) {
    let (report, ending) = runOffline([verb, "--help"])
    #expect(ending == .good && report.output.hasPrefix("usage: latchkey policy \(verb) "))
    #expect(report.output != HelpText.text + "\n")
  }

  @Test(arguments: [
    [], ["--json"], ["check"], ["test"], ["explain"], ["explain", "a", "b"], ["diff"], ["apply", "a", "b"], ["remove"],
    ["list", "a"], ["chekc", "a"], ["check", "a", "--bogus"], ["check", "--pam"], ["list", "--passcode-fd"],
    ["list", "--passcode-fd", "x"], ["list", "--passcode-fd", "-1"], ["test", "a", "--pam", "p"],
    ["help", "chekc"], ["help", "check", "test"],
  ])
  func `a command line that asks for nothing there is ends with 2`(words: [String]) {
    #expect(throws: UsageError.self) { try Invocation(words) }
    let (report, ending) = runOffline(words)
    #expect(ending == .usage)
    #expect(report.output.isEmpty && report.errors.hasSuffix("Try 'latchkey policy --help'.\n"))
  }
}
