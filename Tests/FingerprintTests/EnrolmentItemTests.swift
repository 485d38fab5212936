import Foundation
import LinuxSystem
import Testing

import TestSupport

/// Items that are bound to the enrolled fingers, on the real stack.
@Suite struct EnrolmentItemTests {
  /// A passcode may stand for a finger only where the item says so; sessions in a test are of unknown origin.
  static let policy = ["default": "service: \"*\"\nremote: any\n"]

  private let house: FingerprintHouse
  private let household: Household

  init() throws {
    house = try FingerprintHouse(.storage)
    household = try Household(.system, policy: Self.policy, reader: house)
  }

  private var me: String { household.account.name }

  private func reason(_ arguments: String...) -> (status: Int32, reason: String) {
    let result = household.commandLine.run(arguments + ["--json"])
    return (result.status, JSONAnswer(result.output)["reason"] as? String ?? result.output + result.complaint)
  }

  private func get(_ service: String) -> (status: Int32, reason: String) { reason("get", "-s", service, "-a", "me") }

  /// What the database's file says of the only row with a bound set.
  private func row() throws -> String {
    let file = "\(try #require(household.state))/\(household.account.uid)/keychain.db"
    let script = """
      import sqlite3, sys
      for row in sqlite3.connect(sys.argv[1]).execute(
        'SELECT wrapped_key IS NULL, dead IS NULL FROM items WHERE enrolment IS NOT NULL'): print(*row)
      """
    return run(["/usr/bin/python3", "-c", script, file]).output
  }

  @Test func `with no finger enrolled an item that wants one cannot be added`() throws {
    for flag in ["biometryAny", "biometryCurrentSet"] {
      let result = household.commandLine.run(
        ["add", "-s", "s", "-a", "me", "--require", flag, "--json"], input: [1])
      #expect(result.status == 53 && result.output.contains("biometryNotEnrolled"), "\(flag): \(result)")
    }
    #expect(get("s").reason == "itemNotFound")
  }

  @Test func `another finger ends a bound item for good, and nothing else`() throws {
    try house.enrol(.rightIndex, as: "f1", for: me)
    #expect(household.add("bound", [1], require: "biometryCurrentSet").status == 0)
    #expect(household.add("any", [2], require: "biometryAny").status == 0)
    #expect(try row() == "0 1\n")
    let before = get("bound")
    #expect(before.reason != "invalidatedByEnrolment" && before.status != 0, "\(before)")
    try house.enrol(.leftThumb, as: "f2", for: me)
    for _ in 0..<2 { #expect(get("bound") == (44, "invalidatedByEnrolment")) }
    #expect(try row() == "1 0\n")
    #expect(get("never") == (44, "itemNotFound"))
    #expect(get("any").reason == before.reason)
    // The fingers of before bring nothing back.
    try house.remove(.leftThumb, of: me)
    #expect(get("bound") == (44, "invalidatedByEnrolment"))
    // The row is there to be seen and to be taken away.
    #expect(household.commandLine.run("list").output.contains("bound"))
    #expect(household.commandLine.run("delete", "-s", "bound", "-a", "me").status == 0)
    #expect(get("bound") == (44, "itemNotFound"))
    #expect(household.add("bound", [3], require: "biometryCurrentSet").status == 0)
    #expect(get("bound").reason == before.reason)
  }

  @Test func `a finger that takes another's name, and the last one's removal, end it too`() throws {
    try house.enrol(.rightIndex, as: "f1", for: me)
    #expect(household.add("bound", [1], require: "biometryCurrentSet").status == 0)
    try house.remove(of: me)
    #expect(get("bound") == (44, "invalidatedByEnrolment"))
    try house.enrol(.rightIndex, as: "f1", for: me)
    #expect(get("bound") == (44, "invalidatedByEnrolment"))
    // Added anew over the dead one.
    #expect(household.add("bound", [1], require: "biometryCurrentSet").status == 0)
    try house.remove(of: me)
    try house.enrol(.rightIndex, as: "f3", for: me)
    #expect(get("bound") == (44, "invalidatedByEnrolment"))
  }

  @Test func `fingers that cannot be read destroy nothing`() throws {
    try house.enrol(.rightIndex, as: "f1", for: me)
    #expect(household.add("bound", [1], require: "biometryCurrentSet").status == 0)
    let before = get("bound")
    try Files.rename(house.templates, to: house.templates + "-away")
    #expect(get("bound") == (53, "biometryNotAvailable"))
    #expect(try row() == "0 1\n")
    try Files.rename(house.templates + "-away", to: house.templates)
    #expect(get("bound") == before)
  }

  @Test func `a bound item among others ends without hiding them`() throws {
    try house.enrol(.rightIndex, as: "f1", for: me)
    for name in ["a", "b"] {
      #expect(
        household.commandLine.run(
          ["add", "-s", "many", "-a", name, "--require", "biometryCurrentSet"], input: [1]
        ).status == 0)
    }
    #expect(household.commandLine.run(["add", "-s", "many", "-a", "c"], input: [3]).status == 0)
    try house.enrol(.leftThumb, as: "f2", for: me)
    let result = household.commandLine.run("get", "-s", "many", "-a", "c")
    #expect(result.status == 0 && result.bytes.first == 3, "\(result)")
  }
}
