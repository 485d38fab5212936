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
    let programs = try folder.programModules()
    let modules =
      [
        folder.matrix(user: "alice", password: "right"), "pam_permit.so", "pam_deny.so", "pam_faildelay.so",
        "pam_succeed_if.so quiet uid >= 0", "pam_succeed_if.so quiet uid < 0", "pam_debug.so auth=user_unknown",
      ] + programs
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

  @Test(arguments: ["required", "requisite", "sufficient", "[success=done default=ignore]"])
  func `a module that never sees the passcode opens nothing behind one that only asks`(control: String) throws {
    let matrix = folder.matrix(user: "alice", password: "right")
    let text = "auth optional \(matrix)\nauth \(control) pam_exec.so quiet /bin/true\naccount required pam_unix.so\n"
    let stack = folder.stack(text)
    let session = try PAMSession(PAMSubject(user: "root"), stack: stack, conversant: ScriptedConversant("wrong"))
    #expect(session.authenticate().result == .success, "libpam accepts, so that the check must not")
    #expect(throws: StackFlaw(line: 2, reason: .acceptsWithoutProof)) {
      try StackCheck.check(Array(text.utf8)) { _ in nil }
    }
  }

  @Test(arguments: [
    "auth required pam_permit.so \\ \nauth required pam_deny.so\n",
    "auth required pam_permit.so \\\n# x\nauth required pam_deny.so\n",
    "auth required pam_permit.so \\\n\nauth required pam_deny.so\n",
    "#\r\nauth sufficient pam_permit.so\nauth required pam_deny.so\n",
    "#" + String(repeating: "x", count: 1022) + "auth sufficient pam_permit.so\nauth required pam_deny.so\n",
  ])
  func `text that libpam reads otherwise than it looks is refused`(text: String) throws {
    let whole =
      text.replacing("pam_deny.so", with: folder.matrix(user: "alice", password: "right"))
      + "account required pam_unix.so\n"
    let conversant = ScriptedConversant("wrong")
    let session = try PAMSession(PAMSubject(user: "root"), stack: folder.stack(whole), conversant: conversant)
    #expect(session.authenticate().result == .success, "libpam accepts a wrong passcode")
    #expect(throws: StackFlaw.self) { try StackCheck.check(Array(whole.utf8)) { _ in nil } }
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
    // One in eight has a place that a reader may take otherwise than libpam does.
    let joints = ["\n", "\n", "\n", "\n", "\n", " \\ \n", " \\\n#\n", "\n#\r\n"]
    return lines.joined(separator: joints.randomElement(using: &generator)!) + "\naccount required pam_unix.so\n"
  }
}

extension StackFolder {
  /// Modules that run a program, one that reads what was typed and one that does not, and one that nobody knows, which
  /// stands aside.
  fileprivate func programModules() throws -> [String] {
    write("check", "#!/bin/sh\nread -r typed\n[ \"$typed\" = right ]\n")
    chmod(path + "/check", 0o755)
    let folder = FileManager.default.enumerator(atPath: "/usr/lib")
    var debug: String?
    while debug == nil, let found = folder?.nextObject() as? String {
      if found.hasSuffix("security/pam_debug.so") { debug = "/usr/lib/" + found }
    }
    let unknown = path + "/pam_nobody_knows.so"
    try? FileManager.default.copyItem(atPath: try #require(debug), toPath: unknown)
    return [
      "pam_exec.so quiet /bin/true", "pam_exec.so quiet expose_authtok \(path)/check", "\(unknown) auth=ignore",
    ]
  }
}
