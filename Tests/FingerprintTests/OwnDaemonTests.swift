import Foundation
import LinuxSystem
import Testing

import TestSupport

/// What a user's own daemon makes of fingers: it may ask fprintd where the session may, and cannot read what is stored.
@Suite struct OwnDaemonTests {
  private let house: FingerprintHouse
  private let account = TestAccount(password: "horse", home: .made)
  private let daemon: SpawnedProcess
  private let commandLine: CommandLine

  init() throws {
    house = try FingerprintHouse()
    let home = account.account.home
    let (reading, writing) = try OwnedDescriptor.pipe()
    var plan = SpawnPlan(
      arguments: [
        "latchkeyd", "--user", "--socket", "\(home)/run/socket", "--state", "\(home)/state", "--bus",
        house.busAddress, "--ready-fd", "3",
      ], environment: ["HOME": home], descriptors: [.init(writing, as: 3)])
    plan.asUser = account.account
    daemon = try Spawn.start(Installation.shared.latchkeyd, plan)
    plan.descriptors = []
    try SystemDaemon.waitUntilReady(reading)
    commandLine = CommandLine(
      latchkey: Installation.shared.latchkey, account: account.account,
      environment: ["LATCHKEY_SOCKET": "\(home)/run/socket"])
  }

  private func add(_ service: String, _ flags: String) -> CommandResult {
    commandLine.run(["add", "-s", service, "-a", "me", "--require", flags, "--json"], input: [1])
  }

  @Test func `a session that may not use the reader is told so`() throws {
    try house.enrol(as: "f1", for: account.name)
    for flag in ["biometryAny", "biometryCurrentSet"] {
      let result = add(flag, flag)
      #expect(result.status == 53 && result.output.contains("biometryNotAvailable"), "\(result)")
      #expect(result.output.contains("does not let this session use the reader"), "\(result)")
    }
  }

  @Test func `one that may is refused the current set by its reason, and any finger is taken`() throws {
    // What an active session on a seat may do by polkit's own defaults.
    let rules = "/etc/polkit-1/rules.d/49-latchkey-\(account.name).rules"
    let rule = """
      polkit.addRule(function(action, subject) {
        if (action.id == "net.reactivated.fprint.device.verify" && subject.user == "\(account.name)")
          return polkit.Result.YES;
      });
      """
    try rule.write(toFile: rules, atomically: true, encoding: .utf8)
    chmod(rules, 0o644)
    defer { unlink(rules) }
    #expect(eventually { add("early", "biometryAny").output.contains("biometryNotEnrolled") })
    try house.enrol(as: "f1", for: account.name)
    #expect(add("any", "biometryAny").status == 0)
    let bound = add("bound", "biometryCurrentSet")
    #expect(bound.status == 53 && bound.output.contains("enrolmentUnreadable"), "\(bound)")
    #expect(commandLine.run("status").output.contains("biometry: right-index-finger"))
    house.killReader()
    #expect(add("later", "biometryAny").output.contains("biometryNotAvailable"))
  }
}
