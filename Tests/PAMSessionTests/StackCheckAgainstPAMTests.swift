import Foundation
import PAMModel
import TestSupport
import Testing

@testable import PAMSession

/// The stack check against libpam itself: what it lets through never accepts a wrong passcode.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: StackFolder.matrixModule), "needs libpam-wrapper"))
struct StackCheckAgainstPAMTests {
  let folder = StackFolder()

  @Test func `no stack that passes the check accepts a wrong passcode`() throws {
    var generator = SeededGenerator(seed: 7)
    let modules = [
      folder.matrix(user: "alice", password: "right"), "pam_permit.so", "pam_deny.so", "pam_faildelay.so",
      "pam_succeed_if.so quiet uid >= 0", "pam_succeed_if.so quiet uid < 0", "pam_debug.so auth=user_unknown",
    ]
    var (fit, refused, wronglyAccepted) = (0, 0, 0)
    for _ in 0..<1500 {
      let text = randomStack(modules, using: &generator)
      let stack = folder.stack(text)
      let conversant = ScriptedConversant((0..<16).map { _ in .success(secret("wrong")) })
      let accepted =
        try PAMSession(PAMSubject(user: "root"), stack: stack, conversant: conversant).authenticate().result == .success
      guard (try? StackCheck.check(Array(text.utf8), reading: { _ in nil })) != nil else {
        refused += 1
        wronglyAccepted += accepted ? 1 : 0
        continue
      }
      fit += 1
      #expect(!accepted, "passed the check and accepted a wrong passcode:\n\(text)")
    }
    #expect(fit > 100)
    #expect(refused > 100)
    #expect(wronglyAccepted > 100, "the stacks are worth checking")
  }

  private func randomStack(_ modules: [String], using generator: inout SeededGenerator) -> String {
    let simple = ["required", "requisite", "sufficient", "optional"]
    let actions = ["ok", "done", "ignore", "bad", "die", "reset", "1", "2"]
    var lines: [String] = []
    for _ in 0..<Int.random(in: 1...5, using: &generator) {
      var control = simple.randomElement(using: &generator)!
      if Bool.random(using: &generator) {
        let pick = { (generator: inout SeededGenerator) in actions.randomElement(using: &generator)! }
        control = "[success=\(pick(&generator)) auth_err=\(pick(&generator)) default=\(pick(&generator))]"
      }
      lines.append("auth \(control) \(modules.randomElement(using: &generator)!)")
    }
    return lines.joined(separator: "\n") + "\naccount required pam_unix.so\n"
  }
}
