import Foundation
import LinuxSystem
import Testing

import TestSupport

/// The machine's sleep, as logind announces it.
@Suite struct SleepTests {
  /// Proofs of this service outlive a sleep.
  private static let policy = """
    service: mail
    methods: [passcode]
    reuse: {window: 1h, scope: session}
    cache: {timeout: 1h, dropOn: [lock]}

    """

  private let house: FingerprintHouse
  private let login: MockLogin
  private let household: Household

  init() throws {
    house = try FingerprintHouse()
    login = try MockLogin(on: house)
    household = try Household(.system, policy: ["mail": Self.policy], reader: house)
    #expect(household.add("s", [1]).status == 0)
  }

  @Test func `a prompt ends as the system's cancel before the machine may sleep, and a new one works afterwards`()
    throws
  {
    defer { login.stop() }
    #expect(eventually { login.locksHeld == 1 })
    let person = try Person(owner: household.account.account)
    let process = try household.commandLine.start("get", "-s", "s", "-a", "me", "--json", at: person)
    try person.see("Passcode for")
    let settings = try person.settings
    #expect(!settings.echoes)
    login.announceSleep(true)
    var prompters: [pid_t] = [-1]
    #expect(
      eventually {
        guard login.locksHeld == 0 else { return false }
        prompters = household.account.processes.filter(isPrompter)
        return true
      })
    // By the time the machine may sleep the prompter is gone.
    #expect(prompters.isEmpty)
    #expect(process.status() == 128)
    person.readOn()
    #expect(person.screen.contains("systemCancelled"))
    login.announceSleep(false)
    #expect(eventually { login.locksHeld == 1 && login.locksGiven == 2 })
    let read = try household.read("s", typing: [household.password + "\r"])
    #expect(read.status == 0 && read.value == [1], "\(read)")
  }

  @Test func `what proofs opened is shut by a sleep`() throws {
    defer { login.stop() }
    #expect(eventually { login.locksHeld == 1 })
    #expect(household.commandLine.run("unlock", passcode: household.password).status == 0)
    #expect(try household.keybag() == "unlocked")
    login.announceSleep(true)
    #expect(try eventually { try household.keybag() == "locked" })
  }

  @Test func `a proof that the policy lets outlive a sleep serves after it, and a lock still ends it`() throws {
    defer { login.stop() }
    #expect(eventually { login.locksHeld == 1 })
    let added = household.commandLine.run(
      ["add", "-s", "mail", "-a", "me", "--require", "userPresence", "--accessible", "afterFirstUnlock"], input: [7])
    #expect(added.status == 0)
    let person = try Person(owner: household.account.account)
    let shell = try household.commandLine.startShell(at: person)
    try person.see("$ ")
    let read = "'\(household.commandLine.latchkey)' get -s mail -a me >/dev/null; echo \"[$?]\"\n"
    try person.type(read)
    try person.see("Passcode for")
    try person.type(household.password + "\n")
    try person.see("[0]")
    login.announceSleep(true)
    #expect(try eventually { try household.keybag() == "locked" })
    login.announceSleep(false)
    #expect(eventually { login.locksHeld == 1 && login.locksGiven == 2 })
    try person.type(read)
    try person.see("[0]")
    #expect(person.screen.components(separatedBy: "Passcode for").count == 2, "\(person.screen)")
    #expect(household.commandLine.run("lock").status == 0)
    try person.type(read)
    try person.see("Passcode for")
    try person.type("\u{3}")
    try person.see("[128]")
    withExtendedLifetime(shell) {}
  }

  @Test func `only logind's word counts, and a logind that comes later is heard`() throws {
    #expect(eventually { login.locksHeld == 1 })
    #expect(household.commandLine.run("unlock", passcode: household.password).status == 0)
    // Root may send such a signal; it does not come from logind.
    run(
      [
        "/usr/bin/dbus-send", "--bus=\(house.busAddress)", "--type=signal", "/org/freedesktop/login1",
        "org.freedesktop.login1.Manager.PrepareForSleep", "boolean:true",
      ], environment: house.environment)
    login.announceSleep(false)
    #expect(eventually { login.locksGiven == 2 }, "\(login.failure ?? "it serves")")
    #expect(try household.keybag() == "unlocked")
    login.stop()
    let next = try eventuallyLogin()
    defer { next.stop() }
    #expect(eventually { next.locksHeld == 1 })
    next.announceSleep(true)
    #expect(try eventually { try household.keybag() == "locked" })
  }

  private func eventuallyLogin() throws -> MockLogin {
    var made: MockLogin?
    #expect(
      eventually {
        made = try? MockLogin(on: house)
        return made != nil
      })
    return try #require(made)
  }

  private func isPrompter(_ pid: pid_t) -> Bool {
    ((try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)) ?? "").hasPrefix("latchkey-prompt")
  }
}
