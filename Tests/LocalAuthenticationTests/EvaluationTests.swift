import Foundation
import TestSupport
import Testing

/// `LAContext` against the real daemon, with a real account, PAM and a terminal.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct EvaluationTests {
  static let passcodeOnly = """
    service: "*"
    methods: [passcode]
    tries: 1
    deadline: 5s
    reuse: {window: 5m, scope: context}

    """

  @Test func `the right passcode succeeds, and the prompt says why`() throws {
    let house = try RowHouse()
    let row = try house.run("evaluate", typing: [house.password + "\n"])
    #expect(row["outcome"] == "success", "\(row)")
    #expect(row.screen.contains("prove the row"), "\(row)")
    #expect(!row.screen.contains(house.password))
    #expect(row.prompts == 1)
  }

  @Test func `a wrong passcode, control C and silence each have their own error`() throws {
    let house = try RowHouse(policy: ["default": Self.passcodeOnly])
    let wrong = try house.run("await", typing: ["wrong\n"])
    #expect(wrong["outcome"] == "-1 LocalAuthentication wrongPasscode", "\(wrong)")
    #expect(wrong["cast"] == "-1")
    #expect(wrong["pattern"] == "nothing")
    let cancelled = try house.run("await", typing: ["half\u{3}"])
    #expect(cancelled["outcome"] == "-2 LocalAuthentication userCancelled", "\(cancelled)")
    #expect(cancelled["cast"] == "-2")
    #expect(cancelled["pattern"] == "userCancel")
    #expect(cancelled["object"] == "com.apple.LocalAuthentication")
    #expect(cancelled["clause"] == "companionNotAvailable")
    let late = try house.start("sync").outcome()
    #expect(late["outcome"] == "refused deadlinePassed", "\(late)")
    #expect(late["evaluation"] == "-4 LocalAuthentication deadlinePassed")
    for span in ["milliseconds", "evaluating"] {
      #expect(Double(late[span]).map { $0 > 4900 && $0 < 8000 } == true, "\(late)")
    }
  }

  @Test(arguments: ["C", "de_DE.UTF-8"])
  func `the errors are the same in every language`(language: String) throws {
    let house = try RowHouse()
    let environment = ["LANG": language, "LC_ALL": language, "LANGUAGE": language]
    let wrong = try house.run("evaluate", typing: ["wrong\n", "wrong\n", "wrong\n"], environment)
    #expect(wrong["outcome"] == "-1 LocalAuthentication wrongPasscode", "\(wrong)")
    let none = house.run("silent", environment)
    #expect(none["forbidden"] == "-1004 LocalAuthentication interactionNotAllowed", "\(none)")
    #expect(none["terminal"] == "-1004 LocalAuthentication noWayToPrompt")
  }

  @Test func `what may not prompt does not, and an empty reason is refused`() throws {
    let house = try RowHouse()
    let row = house.run("silent")
    #expect(row["forbidden"] == "-1004 LocalAuthentication interactionNotAllowed", "\(row)")
    #expect(row["terminal"] == "-1004 LocalAuthentication noWayToPrompt")
    #expect(row["empty"] == "-1 LocalAuthentication invalidParameter")
    #expect(row["long"] == "-1004 LocalAuthentication noWayToPrompt", "a long reason is cut, not refused")
    #expect(row["done"] == "yes")
    let settings = house.run("settings")
    #expect(settings["before"] == "1000.0" && settings["after"] == "0.0", "\(settings)")
    #expect(settings["outcome"] == "-1004 LocalAuthentication interactionNotAllowed")
  }

  @Test func `a context made in a function that returns at once still asks and answers`() throws {
    let house = try RowHouse()
    let row = try house.run("local", typing: [house.password + "\n"])
    #expect(row["outcome"] == "success", "\(row)")
  }

  @Test func `every policy is asked about as it is asked`() throws {
    let house = try RowHouse()
    let row = house.run("policies")
    let reader = "-6 LocalAuthentication biometryNotAvailable"
    let companion = "-11 LocalAuthentication companionNotAvailable"
    let wanted = [1: reader, 3: companion, 4: reader, 5: companion]
    for (policy, answer) in wanted {
      #expect(row["can \(policy)"] == answer, "\(row)")
      #expect(row["asked \(policy)"] == answer)
    }
    #expect(row["can 2"] == "yes")
    #expect(row["asked 2"] == "-1004 LocalAuthentication interactionNotAllowed")
    for policy in 1...5 { #expect(row["agrees \(policy)"] == "true" && row["state \(policy)"] == "true") }
    #expect(row["type"] == "0")
    #expect(row["domain"] == "0 true []")
    #expect(row["environment"] == "true true")
  }

  @Test func `an account without a passcode cannot be asked, and says so`() throws {
    let house = try RowHouse()
    house.household.account.change("passwd", "-q", "-d")
    let row = house.run("policies")
    #expect(row["can 2"] == "-5 LocalAuthentication passcodeNotSet", "\(row)")
    #expect(row["asked 2"] == "-5 LocalAuthentication passcodeNotSet")
    #expect(row["environment"] == "true false")
  }

  @Test func `without its stack no method can be asked, whatever login would take`() throws {
    let house = try RowHouse()
    try FileManager.default.removeItem(atPath: #require(house.household.pam) + "/latchkey-passcode")
    let row = house.run("policies")
    #expect(row["can 2"] == "-6 LocalAuthentication stackMissing", "\(row)")
    #expect(row["asked 2"] == "-6 LocalAuthentication stackMissing")
  }

  @Test func `without a daemon nothing can be asked, and that is no passcode's fault`() throws {
    let house = try RowHouse()
    let row = house.run("policies", ["LATCHKEY_SOCKET": "/nonexistent/socket"])
    for policy in [1, 2, 4] {
      #expect(row["can \(policy)"] == "-6 LocalAuthentication serviceUnavailable", "\(row)")
      #expect(row["asked \(policy)"] == "-6 LocalAuthentication serviceUnavailable")
    }
  }

  /// A test's session is none that the system knows of, and counts as remote.
  static let fingersFromAfar = """
    service: "*"
    methods: [biometry, passcode]
    remote: any
    reuse: {window: 5m, scope: context}

    """

  @Test func `an access control is evaluated by what it wants`() throws {
    let house = try RowHouse(policy: ["default": Self.fingersFromAfar])
    let row = try house.run("control", typing: [house.password + "\n"])
    #expect(row["plain"] == "true", "\(row)")
    #expect(row["owner"] == "true")
    #expect(row["finger"] == "-6 LocalAuthentication biometryNotAvailable")
    #expect(row["create"] == "success", "adding asks nobody")
    #expect(row.prompts == 1)
  }
}
