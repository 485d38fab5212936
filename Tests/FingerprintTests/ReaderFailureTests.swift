import Foundation
import LinuxSystem
import TestSupport
import Testing

/// A reader that goes away, is taken, or breaks while a finger is wanted: each has its reason, and the passcode goes on.
@Suite struct ReaderFailureTests {
  /// Something that happens to the reader, with the reason it leads to.
  struct Mishap: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let reason: String
    let happen: @Sendable (FingerHome) throws -> Void
    init(_ name: String, _ reason: String, _ happen: @escaping @Sendable (FingerHome) throws -> Void) {
      testDescription = name
      self.reason = reason
      self.happen = happen
    }
  }

  static let mishaps = [
    Mishap("unplugged", "biometryNotAvailable") { try $0.house.unplug() },
    Mishap("fprintd killed", "biometryNotAvailable") { $0.house.killReader() },
    Mishap("its helper killed", "helperFailed") { home in #expect(home.killNewestHelper() == 1) },
    Mishap("fails again and again", "readerBroken") { home in for _ in 0..<8 { try home.house.fail() } },
  ]

  @Test(arguments: mishaps) func `a finger alone ends with the reason`(mishap: Mishap) throws {
    let home = try FingerHome()
    try home.add("any", "biometryAny")
    let reading = try home.get("any")
    try home.house.waitUntilAsked()
    try mishap.happen(home)
    #expect(reading.end() == mishap.reason)
    #expect(eventually { !home.isAsked })
    #expect(try reading.person.settings == reading.before)
  }

  @Test(arguments: mishaps) func `the passcode goes on`(mishap: Mishap) throws {
    let home = try FingerHome()
    try home.add("presence", "userPresence")
    let reading = try home.get("presence")
    try reading.person.see("Passcode for")
    try home.house.waitUntilAsked()
    try mishap.happen(home)
    try reading.person.see("No finger is taken any more")
    try reading.person.type("right\n")
    #expect(reading.end() == "secret")
  }

  @Test func `a reader that somebody has is waited for, and is busy in the end`() throws {
    let home = try FingerHome()
    try home.add("any", "biometryAny")
    let occupant = try home.house.occupy(for: home.account.name)
    let waiting = try home.get("any")
    try waiting.person.see("The fingerprint reader is in use; a finger shown now is not for this prompt.")
    #expect(waiting.end() == "readerBusy")
    #expect(!waiting.person.screen.contains(touch))
    let second = try home.get("any")
    try second.person.see("in use")
    occupant.leave()
    try second.person.see(touch)
    try home.house.scan("f1")
    #expect(second.end() == "secret")
  }

  @Test func `with nothing enrolled the passcode is all that is asked for, and a finger alone is refused at once`()
    throws
  {
    let home = try FingerHome()
    try home.add("presence", "userPresence")
    try home.add("any", "biometryAny")
    try home.house.remove(of: home.account.name)
    try passcodeAlone(home)
    try refused(home, "biometryNotEnrolled")
    try home.house.enrol(as: "f2", for: home.account.name)
    try opens(home, by: "f2")
  }

  @Test func `with no reader the passcode is all that is asked for, and a finger alone is refused at once`() throws {
    let home = try FingerHome()
    try home.add("presence", "userPresence")
    try home.add("any", "biometryAny")
    try home.house.startReader(FingerprintHouse.Driver.none)
    try passcodeAlone(home)
    try refused(home, "biometryNotAvailable")
    try home.house.startReader()
    try opens(home, by: "f1")
  }

  private func passcodeAlone(_ home: FingerHome) throws {
    let reading = try home.get("presence")
    try reading.person.see("Passcode for")
    #expect(!reading.person.screen.contains(touch))
    try reading.person.type("right\n")
    #expect(reading.end() == "secret")
  }

  private func refused(_ home: FingerHome, _ reason: String) throws {
    let reading = try home.get("any")
    #expect(reading.end() == reason)
    #expect(!reading.person.screen.contains(touch))
  }

  private func opens(_ home: FingerHome, by finger: String) throws {
    let reading = try home.get("any")
    try home.house.scan(finger)
    #expect(reading.end() == "secret")
  }
}
