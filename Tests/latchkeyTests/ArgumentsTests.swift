import KeychainModel
import Testing

@testable import latchkey

@Suite struct ArgumentsTests {
  private func parse(_ words: String...) throws(Failure) -> Invocation {
    try Invocation(words.map { Array($0.utf8) }[...])
  }

  private func command<Wanted: Command>(_ type: Wanted.Type, _ words: String...) throws -> Wanted {
    let invocation = try Invocation(words.map { Array($0.utf8) }[...])
    guard case .command(let command) = invocation.action else { throw Misread() }
    return try #require(command as? Wanted)
  }

  private struct Misread: Error {}

  @Test(arguments: [
    ["get", "-s", "mail", "-a", "bob"], ["get", "-smail", "-abob"], ["get", "--service", "mail", "--account", "bob"],
    ["get", "--service=mail", "--account=bob"], ["--json", "get", "-s", "mail", "--no-prompt", "-a", "bob"],
  ])
  func `a name may be written in each way`(words: [String]) throws {
    let invocation = try Invocation(words.map { Array($0.utf8) }[...])
    guard case .command(let command) = invocation.action else { throw Misread() }
    let name = try #require(command as? GetCommand).name
    #expect(name.service == "mail" && name.account == "bob")
    #expect(invocation.globals.format == (words[0] == "--json" ? .json : .text))
    #expect(invocation.globals.prompting == (words[0] == "--json" ? .refused : .allowed))
  }

  @Test func `values are exact bytes, also empty, with an equals sign and not UTF-8`() throws {
    let bytes: [UInt8] = [0x61, 0xFF, 0xFE, 0xC3]
    let words: [[UInt8]] = [Array("show".utf8), Array("-s".utf8), bytes, Array("--account=".utf8) + Array("a=b".utf8)]
    let invocation = try Invocation(words[...])
    guard case .command(let command) = invocation.action else { throw Misread() }
    let name = try #require(command as? ShowCommand).name
    #expect(name.service.bytes == bytes && name.account == "a=b")
    #expect(try self.command(ShowCommand.self, "show", "-s", "", "-a", "-x").name.account == "-x")
  }

  @Test(
    arguments: [
      ([], "name a command."), (["nope"], "there is no command 'nope'."), (["get"], "say '-s SERVICE'."),
      (["get", "-s", "a"], "say '-a ACCOUNT'."), (["get", "-s"], "'-s' wants SERVICE."),
      (["get", "-s", "a", "--service", "b", "-a", "c"], "'--service' is given twice."),
      (["get", "-s", "a", "-a", "b", "more"], "'more' has no place here."),
      (["lock", "--all=1"], "'--all' takes no value."),
      (["lock", "-q"], "there is no option '-q'."), (["--quiet", "lock"], "there is no option '--quiet'."),
      (["log", "-n", "0"], "--count wants a number from 1 to 1000000."),
      (["log", "-n", "1000001"], "--count wants a number from 1 to 1000000."),
      (["log", "-n", "+5"], "--count wants a number from 1 to 1000000."),
      (["--passcode-fd", "3", "lock", "--passcode-fd", "4"], "'--passcode-fd' is given twice."),
      (["lock", "--passcode-fd", "1"], "--passcode-fd wants a descriptor that can be read, not 1."),
      (["lock", "--passcode-fd", "-1"], "--passcode-fd wants a number from 0 to 2147483647."),
      (["add", "-s", "a", "-a", "b", "--require", "finger"], nil),
      (["add", "-s", "a", "-a", "b", "--require", ""], nil),
      (["add", "-s", "a", "-a", "b", "--require", "userPresence,biometryAny"], nil),
      (["add", "-s", "a", "-a", "b", "--require", "biometryAny,biometryCurrentSet"], nil),
      (["add", "-s", "a", "-a", "b", "--join", "xor"], "--join wants 'or' or 'and'."),
      (["add", "-s", "a", "-a", "b", "--accessible", "sometimes"], nil), (["export"], nil),
      (["export", "a", "b"], nil),
      (["import", ""], nil), (["help", "nope"], "there is no command 'nope'."),
    ] as [([String], String?)])
  func `what makes no sense ends with 2 and says why`(words: [String], message: String?) {
    do {
      _ = try Invocation(words.map { Array($0.utf8) }[...])
      Issue.record("taken: \(words)")
    } catch {
      #expect(error.exit == .usage && error.code == "usage")
      if let message { #expect(error.message == message) }
    }
  }

  @Test(arguments: [
    (["stauts"], "Did you mean 'status'? 'latchkey --help' lists all."), (["recovery"], "Did you mean 'recovery-key'"),
    (["help", "exprot"], "Did you mean 'export'?"), (["gte"], "Did you mean 'get'?"),
    (["help", "frobnicate"], "Try 'latchkey --help'."), (["frobnicate"], "Try 'latchkey --help'."),
    (["lock", "--what"], "Try 'latchkey lock --help'."), ([""], "Try 'latchkey --help'."),
  ])
  func `a word that is no command is answered with the one that was meant, or with where they are listed`(
    words: [String], hint: String
  ) {
    let failure = #expect(throws: Failure.self) { _ = try Invocation(words.map { Array($0.utf8) }[...]) }
    #expect(failure?.nextStep.hasPrefix(hint) == true, "\(failure?.nextStep ?? "")")
  }

  @Test(arguments: [("1", 1), ("999999", 999_999), ("1000000", 1_000_000)])
  func `a count within its bounds is taken`(text: String, count: Int) throws {
    #expect(try command(LogCommand.self, "log", "-n", text).wanted == count)
  }

  @Test func `flags and classes are spelled as Apple spells them`() throws {
    let add = try command(
      AddCommand.self, "add", "-s", "a", "-a", "b", "--require", "biometryCurrentSet,devicePasscode", "--join", "or",
      "--accessible", "whenPasscodeSetThisDeviceOnly")
    let wanted = try AccessControl(
      accessibility: .whenPasscodeSetThisDeviceOnly, flags: [.biometryCurrentSet, .devicePasscode, .or])
    #expect(add.request.access.accessControl == wanted)
    #expect(try command(AddCommand.self, "add", "-s", "a", "-a", "b").request.access.accessControl == nil)
  }

  @Test func `behind two dashes and of another program nothing is an option`() throws {
    #expect(try command(PolicyCommand.self, "policy", "check", "--json", "-x").words.count == 3)
    #expect(try command(ExportCommand.self, "export", "--", "--force").file.name == "--force")
    #expect(try command(ExportCommand.self, "export", "-").file.isStream)
  }

  @Test func `every command has help of its own and a name of its own`() throws {
    #expect(Set(Program.commands.map { $0.manual.name }).count == Program.commands.count)
    for command in Program.commands where !command.manual.passesOn {
      guard case .help(let manual?) = try parse(command.manual.name, "--help").action else { throw Misread() }
      #expect(manual.text.hasPrefix("usage: latchkey \(command.manual.name)"))
      let names = command.manual.options.map(\.long) + Option.global.map(\.long)
      #expect(Set(names).count == names.count)
    }
  }
}
