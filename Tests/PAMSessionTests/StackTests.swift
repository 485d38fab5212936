import Foundation
import PAMModel
import Testing

@testable import PAMSession

/// Stacks of fast modules: what is asked, told and accepted.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: StackFolder.matrixModule), "needs libpam-wrapper"))
struct StackTests {
  let folder = StackFolder()

  private func authenticate(_ stack: String, _ conversant: ScriptedConversant, user: String = "alice") throws
    -> PAMReply
  {
    try PAMSession(PAMSubject(user: user), stack: folder.stack(stack), conversant: conversant).authenticate()
  }

  @Test func `an information line, an error line and a passcode come through in order`() throws {
    let matrix = folder.matrix(user: "alice", password: "right")
    folder.write("hello", "Hello")
    let stack = """
      auth optional pam_echo.so file=\(folder.path)/hello
      auth required \(matrix)
      auth required pam_exec.so quiet stdout /bin/echo last words
      account required pam_permit.so

      """
    let conversant = ScriptedConversant("right")
    #expect(try authenticate(stack, conversant).result == .success)
    #expect(conversant.entries.first == .told(error: false, "Hello"))
    #expect(conversant.entries.dropFirst().first == .asked(hidden: true, "Password: "))
    #expect(conversant.entries.last == .told(error: false, "last words"))
  }

  @Test func `a module that passes no place for answers does not crash us`() throws {
    let matrix = folder.matrix(user: "alice", password: "right", options: "verbose")
    let conversant = ScriptedConversant("right")
    let reply = try authenticate("auth required \(matrix)\naccount required pam_permit.so\n", conversant)
    #expect(reply.result == .success)
    #expect(conversant.entries.contains { if case .told = $0 { true } else { false } })
  }

  @Test(arguments: [("right", PAMResult.success), ("wrong", .authenticationError)])
  func `a fast stack tells right from wrong`(answer: String, result: PAMResult) throws {
    let matrix = folder.matrix(user: "alice", password: "right")
    let reply = try authenticate(
      "auth required \(matrix)\naccount required pam_permit.so\n", ScriptedConversant(answer))
    #expect(reply.result == result)
    #expect(reply.hiddenAnswers == 1)
  }

  @Test func `a stack that accepts without asking is seen by its question count`() throws {
    let reply = try authenticate("auth required pam_permit.so\n", ScriptedConversant())
    #expect(reply.result == .success)
    #expect(reply.hiddenAnswers == 0)
  }

  @Test func `two questions are two questions`() throws {
    let matrix = folder.matrix(user: "alice", password: "right")
    let reply = try authenticate(
      "auth required \(matrix)\nauth required \(matrix)\n", ScriptedConversant("right", "right"))
    #expect(reply.result == .success)
    #expect(reply.hiddenAnswers == 2)
  }

  @Test func `a refusal is told even where the stack forgives it`() throws {
    let matrix = folder.matrix(user: "alice", password: "right")
    let reply = try authenticate(
      "auth optional \(matrix)\nauth required pam_permit.so\n", ScriptedConversant([.failure(.cancelled)]))
    #expect(reply.result == .success)
    #expect(reply.refusal == .cancelled)
  }

  @Test func `a module may change the user and we see it`() throws {
    let reply = try PAMSession(
      PAMSubject(user: "alice"), stack: folder.stack("auth required pam_permit.so\n"), conversant: ScriptedConversant())
    #expect(reply.user == "alice")
    let set = StackFolder.matrixModule.replacing("pam_matrix", with: "pam_set_items")
    let changed = try PAMSession(
      PAMSubject(user: "alice"), stack: folder.stack("auth required \(set)\n"), conversant: ScriptedConversant())
    setenv("PAM_USER", "mallory", 1)
    #expect(changed.authenticate().result == .success)
    unsetenv("PAM_USER")
    #expect(changed.user == "mallory")
  }

  @Test func `a missing folder cannot be started from`() throws {
    let stack = folder.stack("auth required pam_permit.so\n")
    try FileManager.default.removeItem(atPath: folder.path)
    #expect(throws: PAMStartFailure.self) {
      try PAMSession(PAMSubject(user: "alice"), stack: stack, conversant: ScriptedConversant())
    }
  }

  @Test func `the facts of the check hold: a stack without auth lines runs the stack other`() throws {
    folder.write("other", "auth required pam_permit.so\naccount required pam_permit.so\n")
    #expect(try authenticate("account required pam_unix.so\n", ScriptedConversant()).result == .success)
    #expect(throws: StackFlaw.self) {
      try CheckedStack(
        name: .passcode, directory: folder.path, contents: Array("account required pam_unix.so\n".utf8)
      ) { _ in nil }
    }
  }

  @Test(arguments: ["pam_faildelay.so delay=1", "pam_warn.so"])
  func `the facts of the check hold: a bystander is ignored`(module: String) throws {
    let reply = try authenticate("auth required \(module)\n", ScriptedConversant())
    #expect(reply.result != .success)
  }
}
