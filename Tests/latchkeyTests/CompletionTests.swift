import Foundation
import TestSupport
import Testing

@testable import latchkey

/// The completion for bash, sourced by bash.
@Suite struct CompletionTests {
  static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../completion/latchkey.bash").standardized.path

  /// What bash would offer for the last of these words.
  private func complete(_ words: String...) -> [String] {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let text = """
      source "$1" || exit 1
      COMP_WORDS=(\(list)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _latchkey
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = run(["bash", "--norc", "-c", text, "bash", Self.script])
    #expect(result.status == 0, "\(result.complaint)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func `every command is offered`() {
    #expect(Set(complete("latchkey", "")) == Set(Program.commands.map { $0.manual.name }))
    #expect(complete("latchkey", "--json", "sho") == ["show"])
  }

  @Test func `every option of every command is offered`() {
    for command in Program.commands where !command.manual.passesOn {
      let offered = Set(complete("latchkey", command.manual.name, "--"))
      #expect(offered == Set((command.manual.options + Option.global).map { "--\($0.long)" }), "\(command.manual.name)")
    }
  }

  @Test func `flags, classes and joiners are offered as values`() {
    #expect(complete("latchkey", "add", "--require", "biometryA") == ["biometryAny"])
    #expect(complete("latchkey", "add", "--require", "biometryAny,deviceP") == ["biometryAny,devicePasscode"])
    #expect(complete("latchkey", "set", "--accessible", "whenP") == ["whenPasscodeSetThisDeviceOnly"])
    #expect(complete("latchkey", "add", "--join", "") == ["or", "and"])
    #expect(complete("latchkey", "policy", "ch") == ["check"])
  }
}
