import Foundation
import LinuxSystem
import Testing

import TestSupport

/// What `status` and `doctor` say of reader, fingers and lid.
@Suite struct HostTests {
  @Test func `status and doctor name the reader, its fingers and the lid`() throws {
    let house = try FingerprintHouse()
    let login = try MockLogin(on: house)
    defer { login.stop() }
    let household = try Household(.system, reader: house)
    let me = household.account.name
    #expect(status(household).contains("biometry: biometryNotEnrolled"))
    #expect(doctor(household).contains("fprintd-enroll \(me)"))
    try house.enrol(as: "f1", for: me)
    #expect(status(household).contains("biometry: right-index-finger on Virtual device"), "\(status(household))")
    #expect(doctor(household).contains("knows right-index-finger of \(me)"))
    #expect(!doctor(household).contains("biometryCurrentSet is refused"))
    login.setLid(closed: true)
    #expect(status(household).contains("the lid is shut"))
    #expect(doctor(household).contains("the lid is shut"))
    login.setLid(closed: false)
    chmod(house.templates, 0o777)
    #expect(doctor(household).contains("enrolmentUnreadable") && doctor(household).contains("is not root's alone"))
    chmod(house.templates, 0o700)
    #expect(!status(household).contains("the lid is shut"))
    try house.hangReader()
    #expect(status(household).contains("biometry: readerBroken: fprintd does not answer"))
    try house.wakeReader()
    house.killBus()
    #expect(
      status(household).contains(
        "biometry: biometryNotAvailable: the system bus is not there (connection refused)"))
  }

  private func status(_ household: Household) -> String { household.commandLine.run("status").output }
  private func doctor(_ household: Household) -> String {
    let result = household.commandLine.run("doctor")
    return result.output + result.complaint
  }
}
