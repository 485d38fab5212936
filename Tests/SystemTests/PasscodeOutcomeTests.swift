import Foundation
import TestSupport
import Testing

/// A real account, a real terminal, real PAM: each answer and each state of the account has its own end.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct PasscodeOutcomeTests {
  static let value = Array("the value\u{0}\n".utf8)

  @Test(arguments: Mode.allCases)
  func `the right passcode at a terminal opens the item and the value goes where it was sent`(mode: Mode) throws {
    let house = try Household(mode)
    #expect(house.add("mail", Self.value).status == 0)
    let read = try house.read("mail", typing: [house.password + "\n"])
    #expect(read.status == 0, "\(read.screen)")
    #expect(read.value == Self.value)
    #expect(!read.screen.contains(house.password))
    #expect(!read.screen.contains("the value"))
  }

  @Test(arguments: Mode.allCases)
  func `wrong passcodes at a terminal are refused with 51 and no byte of the value`(mode: Mode) throws {
    let house = try Household(mode)
    house.add("mail", Self.value)
    let read = try house.read("mail", typing: ["wrong\n", "wrong\n", "wrong\n"])
    #expect(read.status == 51, "\(read.screen)")
    #expect(read.value.isEmpty)
  }

  @Test(arguments: Mode.allCases)
  func `control C at the prompt is cancelled with 128`(mode: Mode) throws {
    let house = try Household(mode)
    house.add("mail", Self.value)
    let read = try house.read("mail", typing: ["half\u{3}"])
    #expect(read.status == 128, "\(read.screen)")
    #expect(read.value.isEmpty)
  }

  @Test(arguments: Mode.allCases)
  func `an empty answer has its own reason`(mode: Mode) throws {
    let house = try Household(mode)
    house.add("mail", Self.value)
    let person = try Person(owner: house.account.account)
    let output = house.account.account.home + "/answer"
    let process = try house.commandLine.start(
      "get", "-s", "mail", "-a", "me", "--json", at: person, output: output)
    for _ in 0..<3 where (try? person.see("Passcode for", within: 5)) != nil { try person.type("\n") }
    #expect(process.status() == 51)
    let text = try String(contentsOfFile: output, encoding: .utf8)
    #expect(JSONAnswer(text)["reason"] as? String == "emptyPasscode", "\(text)")
  }

  @Test(arguments: Mode.allCases)
  func `a passcode handed in opens or is refused as wrong`(mode: Mode) throws {
    let house = try Household(mode)
    house.add("mail", Self.value)
    #expect(house.reason("mail", passcode: "wrong").reason == "wrongPasscode")
    #expect(house.reason("mail", passcode: "wrong").status == 51)
    let opened = house.commandLine.run("get", "-s", "mail", "-a", "me", passcode: house.password)
    #expect(opened.status == 0, "\(opened.complaint)")
    #expect(opened.bytes == Self.value)
  }

  @Test(
    arguments: Mode.allCases,
    [
      (["chage", "-d", "0"], "passcodeExpired"),
      (["usermod", "-e", "2001-01-01"], "accountExpired"),
      (["usermod", "-L"], "accountLocked"),
    ])
  func `an account that may not log in has its own reason`(mode: Mode, change: ([String], String)) throws {
    let house = try Household(mode)
    house.add("mail", Self.value)
    #expect(run(change.0 + [house.account.name]).status == 0)
    let refused = house.reason("mail", passcode: house.password)
    #expect(refused.reason == change.1)
    #expect(refused.status != 0)
  }

  @Test(arguments: Mode.allCases)
  func `an account without a passcode has its own reason and its items stay`(mode: Mode) throws {
    let house = try Household(mode)
    house.add("mail", Self.value)
    house.account.change("passwd", "-q", "-d")
    #expect(house.reason("mail", passcode: "anything").reason == "passcodeNotSet")
    house.account.setPassword(house.password)
    #expect(
      house.commandLine.run("get", "-s", "mail", "-a", "me", passcode: house.password).bytes == Self.value)
  }

  @Test(arguments: Mode.allCases)
  func `without a terminal, a display or a passcode the refusal is quick and says so`(mode: Mode) throws {
    let house = try Household(mode)
    house.add("mail", Self.value)
    _ = house.commandLine.run("status")
    let begun = Date()
    let refused = house.commandLine.run("get", "-s", "mail", "-a", "me", "--json")
    #expect(Date().timeIntervalSince(begun) < 1)
    #expect(refused.status == 36)
    #expect(JSONAnswer(refused.output)["reason"] as? String == "noWayToPrompt")
    #expect(house.commandLine.run("get", "-s", "mail", "-a", "me", "--no-prompt").status == 36)
  }
}
