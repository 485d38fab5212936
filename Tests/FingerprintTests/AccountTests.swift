import TestSupport
import Testing

/// An account that the passcode could not prove any more, and a finger that is still enrolled.
@Suite struct AccountTests {
  /// What an administrator does to the account.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let reason: String
    let command: @Sendable (String) -> [String]
    init(_ name: String, _ reason: String, _ command: @escaping @Sendable (String) -> [String]) {
      testDescription = name
      self.reason = reason
      self.command = command
    }
  }

  static let changes = [
    Change("locked", "accountLocked") { ["/usr/sbin/usermod", "-L", $0] },
    Change("without a passcode", "passcodeNotSet") { ["/usr/bin/passwd", "-d", $0] },
    Change("expired", "accountExpired") { ["/usr/bin/chage", "-E", "2000-01-01", $0] },
  ]

  @Test(arguments: changes) func `no finger opens anything of it, with the account's own reason`(change: Change) throws
  {
    let home = try FingerHome()
    try home.add("any", "biometryAny")
    #expect(run(change.command(home.account.name), environment: [:]).status == 0)
    let reading = try home.get("any")
    #expect(reading.end() == change.reason)
    #expect(!home.isAsked)
  }

  @Test func `a passcode that was changed elsewhere is asked for before a finger opens the keybag`() throws {
    let home = try FingerHome()
    try home.add("any", "biometryAny")
    #expect(home.commandLine.run("lock").status == 0)
    let script = "echo '\(home.account.name):another' | /usr/sbin/chpasswd"
    #expect(run(["/bin/sh", "-c", script], environment: [:]).status == 0)
    let reading = try home.get("any")
    try reading.person.see("the passcode must come first")
    try reading.person.type("\u{3}")
    #expect(reading.end() == "userCancelled")
  }
}
