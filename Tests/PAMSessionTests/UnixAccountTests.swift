import Foundation
import PAMModel
import TestSupport
import Testing

@testable import PAMSession

/// What real accounts come to with pam_unix.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct UnixAccountTests {
  let folder = StackFolder()
  static let unix = "auth required pam_unix.so nodelay\naccount required pam_unix.so\n"

  private func prove(
    _ user: String, _ conversant: ScriptedConversant, stack: String = unix
  ) throws -> (authentication: PAMReply, account: PAMReply, user: String?) {
    let session = try PAMSession(PAMSubject(user: user), stack: folder.stack(stack), conversant: conversant)
    let authentication = session.authenticate()
    return (authentication, session.checkAccount(), session.user)
  }

  @Test func `the right passcode is accepted after one hidden question`() throws {
    let account = TestAccount(password: "right horse")
    let conversant = ScriptedConversant("right horse")
    let (authentication, check, user) = try prove(account.name, conversant)
    #expect(authentication.result == .success)
    #expect(authentication.hiddenAnswers == 1)
    #expect(check.result == .success)
    #expect(user == account.name)
    #expect(conversant.entries == [.asked(hidden: true, "Password: ")])
  }

  @Test(arguments: [1, 510, 511])
  func `a passcode of any length up to 511 bytes works`(count: Int) throws {
    let password = String(repeating: "p", count: count)
    let account = TestAccount(password: password)
    #expect(try prove(account.name, ScriptedConversant(password)).authentication.result == .success)
    #expect(try prove(account.name, ScriptedConversant(password + "p")).authentication.result != .success)
  }

  @Test func `a wrong passcode is told and nobody sleeps`() throws {
    let account = TestAccount(password: "right")
    let session = try PAMSession(
      PAMSubject(user: account.name), stack: folder.stack(Self.unix.replacing(" nodelay", with: "")),
      conversant: ScriptedConversant("wrong", "wrong again", "right"))
    for _ in 0..<2 {
      var reply: PAMReply?
      let taken = milliseconds { reply = session.authenticate() }
      #expect(reply?.result == .authenticationError)
      #expect(reply?.hiddenAnswers == 1)
      #expect((500_000...5_000_000).contains(reply?.delayMicroseconds ?? 0), "pam_unix asks for about 2 s")
      #expect(taken < 1000, "about 70 ms of hashing on an idle machine, and at least 1.7 s if it slept")
    }
    let last = session.authenticate()
    #expect(last.result == .success)
    #expect(last.delayMicroseconds == 0)
  }

  @Test(arguments: [
    (["usermod", "-L"], PAMResult.authenticationError, PAMResult.success),
    (["usermod", "-e", "2001-01-01"], .success, .accountExpired),
    (["chage", "-d", "0"], .success, .newTokenRequired),
    (["chage", "-d", "2001-01-01", "-M", "1", "-I", "1"], .success, .tokenExpired),
    (["usermod", "-s", "/usr/sbin/nologin"], .success, .success),
    (["usermod", "-p", "*"], .authenticationError, .success),
    (["usermod", "-p", "x"], .authenticationError, .success),
    (["passwd", "-q", "-d"], .authenticationError, .success),
  ])
  func `each state of an account has its own answer`(
    command: [String], authentication: PAMResult, check: PAMResult
  ) throws {
    let account = TestAccount(password: "right")
    #expect(run(command + [account.name]).status == 0)
    let reply = try prove(account.name, ScriptedConversant("right"))
    #expect(reply.authentication.result == authentication)
    #expect(reply.account.result == check)
    #expect(reply.authentication.hiddenAnswers == 1)
  }

  @Test func `an account that never had a passcode is refused`() throws {
    let account = TestAccount(password: nil)
    #expect(try prove(account.name, ScriptedConversant("x")).authentication.result == .authenticationError)
  }

  @Test func `an empty passcode is refused even where the stack allows it`() throws {
    let account = TestAccount(password: "x")
    account.change("passwd", "-q", "-d")
    let nullok = "auth required pam_unix.so nodelay nullok\naccount required pam_unix.so\n"
    let guessed = try prove(account.name, ScriptedConversant("guess"), stack: nullok)
    #expect(guessed.authentication.result == .authenticationError)
    let empty = try prove(account.name, ScriptedConversant(""), stack: nullok)
    #expect(empty.authentication.result != .success)
    #expect(empty.authentication.refusal == .emptyAnswer)
  }

  @Test func `an unknown account is unknown`() throws {
    let reply = try prove("lkp-nobody-here", ScriptedConversant("x"))
    #expect(reply.authentication.result == .userUnknown)
    #expect(reply.account.result == .userUnknown)
  }

  @Test func `faillock's lock shows in its words and asks nothing`() throws {
    let account = TestAccount(password: "right")
    let tally = folder.path + "/tally"
    let stack = """
      auth requisite pam_faillock.so preauth deny=2 unlock_time=600 nodelay dir=\(tally)
      auth [success=1 default=bad] pam_unix.so nodelay
      auth [default=die] pam_faillock.so authfail deny=2 unlock_time=600 nodelay dir=\(tally)
      auth sufficient pam_faillock.so authsucc deny=2 unlock_time=600 dir=\(tally)
      account required pam_unix.so

      """
    for _ in 0..<2 {
      #expect(try prove(account.name, ScriptedConversant("wrong"), stack: stack).authentication.result != .success)
    }
    let conversant = ScriptedConversant("right")
    let reply = try prove(account.name, conversant, stack: stack).authentication
    #expect(reply.result == .authenticationError)
    #expect(reply.hiddenAnswers == 0)
    #expect(conversant.questions == 0)
    #expect(String(decoding: reply.text, as: UTF8.self).contains("locked"))
  }
}
