import AccessPolicy
import Foundation
import KeychainService
import LinuxSystem
import SystemBus
import TestSupport
import Testing

@testable import latchkeyd

/// A finger that is waited for when the machine is about to sleep.
@Suite struct SuspendedFingerTests {
  @Test func `the reader is given back before the machine may sleep, and asked again afterwards`() throws {
    let house = try FingerprintHouse()
    let login = try MockLogin(on: house)
    defer { login.stop() }
    let household = try Household(.system, policy: EnrolmentItemTests.policy, reader: house)
    let me = household.account
    try house.enrol(as: "f1", for: me.name)
    #expect(household.add("s", [1], require: "biometryAny").status == 0)
    #expect(eventually { login.locksHeld == 1 })
    let reader = FingerprintReader(address: try #require(BusAddress(house.busAddress)))
    let name = UserAccountName(uid: me.uid, name: me.name)
    let peer = PeerFacts(uid: me.uid, process: ProcessIdentity(pid: getpid(), startTime: 1), origin: .local)
    let person = try Person(owner: me.account)
    let process = try household.commandLine.start("get", "-s", "s", "-a", "me", "--json", at: person)
    try house.waitUntilAsked()
    #expect(reader.diagnosis(for: name, peer: peer) != .ready(fingers: ["right-index-finger"]))
    login.announceSleep(true)
    #expect(eventually { login.locksHeld == 0 })
    // The helper is gone by now, and fprintd sees it.
    #expect(eventually { reader.diagnosis(for: name, peer: peer) == .ready(fingers: ["right-index-finger"]) })
    #expect(process.status() == 128)
    person.readOn()
    #expect(person.screen.contains("systemCancelled"))
    login.announceSleep(false)
    let output = "\(me.account.home)/value"
    let again = try household.commandLine.start("get", "-s", "s", "-a", "me", at: person, output: output)
    try house.scan("f1")
    #expect(again.status() == 0)
    #expect(try Files.readAll(output, limit: 16).first == 1)
  }

  @Test func `doctor tells of fingers that did not match, until a passcode ends that`() throws {
    let home = try FingerHome(policy: FingerHome.policy("tries: 5\n"))
    try home.add("any", "biometryAny")
    #expect(!doctor(home).contains("did not match"))
    let reading = try home.get("any")
    for miss in 1...5 {
      try home.house.scan("other")
      try reading.person.see("Failed to match fingerprint")
      if miss == 1 { #expect(eventually { doctor(home).contains("1 in a row did not match") }) }
    }
    #expect(reading.end() == "biometryLockout")
    let locked = doctor(home)
    #expect(locked.contains("biometry: locked") && locked.contains("latchkey lock && latchkey unlock"), "\(locked)")
    #expect(home.commandLine.run("lock").status == 0)
    #expect(home.commandLine.run("unlock", passcode: home.password).status == 0)
    #expect(!doctor(home).contains("did not match"))
  }

  private func doctor(_ home: FingerHome) -> String {
    let result = home.commandLine.run("doctor")
    return result.output + result.complaint
  }
}
