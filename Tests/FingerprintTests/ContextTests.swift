import Foundation
import LinuxSystem
import Testing

import TestSupport

/// What a program learns of the reader through Apple's API, with nobody asked for a finger.
@Suite struct ContextTests {
  private let house: FingerprintHouse
  private let login: MockLogin
  private let daemon: SystemDaemon
  private let account = TestAccount(password: "horse", home: .made)
  private let program: String

  init() throws {
    house = try FingerprintHouse(.storage)
    login = try MockLogin(on: house)
    daemon = try SystemDaemon(policy: EnrolmentItemTests.policy, reader: house)
    // Where the account may run it: the build's folder may be shut. It goes away with the daemon's folder.
    program = "\(daemon.folder)/authentication-rows"
    try FileManager.default.copyItem(atPath: BuiltPrograms.path(of: "authentication-rows"), toPath: program)
    chmod(program, 0o755)
  }

  private func row() -> [String: String] {
    let commandLine = CommandLine(
      latchkey: program, account: account.account,
      environment: ["LATCHKEY_SOCKET": daemon.socket, "SWIFT_BACKTRACE": "enable=no"])
    let result = commandLine.run("fingers")
    var found = ["complaint": result.complaint]
    for line in result.output.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      found[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
    }
    return found
  }

  @Test func `the domain state is the set's, over restarts, and changes with each finger`() throws {
    defer { login.stop() }
    let none = row()
    #expect(none["can"]?.hasSuffix("biometryNotEnrolled") == true && none["can"]?.hasPrefix("-7 ") == true, "\(none)")
    #expect(none["type"] == "1" && none["state"] == "none" && none["domain"] == "none" && none["before"] == "true")
    #expect(none["environment"] == "false false false")
    try house.enrol(.rightIndex, as: "f1", for: account.name)
    let one = row()
    #expect(one["can"] == "yes" && one["type"] == "1" && one["environment"] == "true true false", "\(one)")
    #expect(one["state"] != "none" && one["state"] == one["domain"])
    daemon.crash()
    try daemon.start()
    #expect(row()["state"] == one["state"])
    try house.enrol(.leftThumb, as: "f2", for: account.name)
    let two = row()
    #expect(two["can"] == "yes" && two["state"] != "none" && two["state"] != one["state"])
    try house.remove(.leftThumb, of: account.name)
    #expect(row()["state"] == one["state"])
  }

  @Test func `each obstacle is the LAError that Apple's program knows, with its own reason`() throws {
    defer { login.stop() }
    try house.enrol(.rightIndex, as: "f1", for: account.name)
    #expect(row()["can"] == "yes")
    login.setLid(closed: true)
    let shut = row()
    #expect(shut["can"]?.hasPrefix("-6 ") == true && shut["can"]?.hasSuffix("lidClosed") == true, "\(shut)")
    #expect(shut["type"] == "1" && shut["environment"] == "false true true")
    login.setLid(closed: false)
    login.setSession(MockLogin.Session(isRemote: true))
    #expect(row()["can"]?.hasSuffix("biometryRemote") == true)
    login.setSession(nil)
    house.killReader()
    let gone = row()
    #expect(gone["can"]?.hasPrefix("-6 ") == true && gone["can"]?.hasSuffix("biometryNotAvailable") == true, "\(gone)")
    #expect(gone["type"] == "0" && gone["environment"] == "none")
  }
}
