import Foundation
import TestSupport
import Testing

/// Two real users of one system daemon: neither reaches, sees or prompts for the other.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct TwoUsersTests {
  let alice = TestAccount(password: "alice's horse", home: .made)
  let bob = TestAccount(password: "bob's horse", home: .made)
  let daemon: SystemDaemon

  init() throws {
    daemon = try SystemDaemon()
    let hers = daemon.commandLine(of: alice)
    #expect(
      hers.run(["add", "-s", "mail", "-a", "me", "--require", "userPresence"], input: Array("hers".utf8)).status == 0)
    #expect(hers.run("add", "-s", "plain", "-a", "me", input: Array("hers".utf8)).status == 0)
  }

  @Test func `another user neither lists nor reads nor deletes`() {
    let his = daemon.commandLine(of: bob)
    #expect(!his.run("list", "--json").output.contains("mail"))
    #expect(his.run("get", "-s", "plain", "-a", "me").status == 44)
    #expect(his.run("get", "-s", "mail", "-a", "me", passcode: "bob's horse").status == 44)
    #expect(his.run("delete", "-s", "mail", "-a", "me").status == 44)
    #expect(
      daemon.commandLine(of: alice).run("get", "-s", "mail", "-a", "me", passcode: "alice's horse").output == "hers")
  }

  @Test func `another user's passcode and root's satisfy nobody else's prompt`() throws {
    let hers = daemon.commandLine(of: alice)
    for passcode in ["bob's horse", "root", ""] where !passcode.isEmpty {
      let refused = hers.run("get", "-s", "mail", "-a", "me", "--json", passcode: passcode)
      #expect(JSONAnswer(refused.output)["reason"] as? String == "wrongPasscode")
    }
    let person = try Person(owner: alice.account)
    let process = try hers.start("get", "-s", "mail", "-a", "me", at: person)
    try person.see(alice.name)
    try person.type("\u{3}")
    #expect(process.status() == 128)
    #expect(!person.screen.contains(bob.name))
  }

  @Test func `a prompt that waits for one user does not hold up the other`() throws {
    let person = try Person(owner: alice.account)
    let process = try daemon.commandLine(of: alice).start("get", "-s", "mail", "-a", "me", at: person)
    try person.see("Passcode for")
    let his = daemon.commandLine(of: bob)
    #expect(his.run("add", "-s", "own", "-a", "me", input: Array("his".utf8)).status == 0)
    let begun = Date()
    #expect(his.run("get", "-s", "own", "-a", "me").output == "his")
    #expect(Date().timeIntervalSince(begun) < 1)
    try person.type("\u{3}")
    #expect(process.status() == 128)
  }

  @Test func `a lock of one user leaves the other's proof alone`() throws {
    try daemon.write(
      "service: mail\nreuse: {window: 5m, scope: session}\nmethods: [passcode]\n", to: "policies/mail.yaml")
    let his = daemon.commandLine(of: bob)
    his.run(["add", "-s", "mail", "-a", "me", "--require", "userPresence"], input: Array("his".utf8))
    let hers = daemon.commandLine(of: alice)
    #expect(hers.run("get", "-s", "mail", "-a", "me", passcode: "alice's horse").status == 0)
    #expect(his.run("lock", "--all").status == 0)
    let status = hers.run("status", "--json").output
    #expect(status.contains("\"unlocked\""), "\(status)")
  }
}
