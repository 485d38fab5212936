import Foundation
import LinuxSystem
import TestSupport
import Testing

/// The keybag and the finger.
@Suite struct BiometricUnlockTests {
  @Test func `after a lock a finger opens the keybag, after a restart the passcode is asked first, with that reason`()
    throws
  {
    let home = try FingerHome()
    try home.add("any", "biometryAny")
    try home.add("presence", "userPresence")
    for name in ["any", "presence"] {
      #expect(home.commandLine.run("lock").status == 0)
      let reading = try home.get(name)
      try home.house.scan("f1")
      #expect(reading.end() == "secret")
    }
    try home.restart()
    let presence = try home.get("presence")
    try presence.person.see("the passcode must come first")
    try presence.person.see("Passcode for")
    #expect(!presence.person.screen.contains(touch))
    try presence.person.type("right\n")
    #expect(presence.end() == "secret")
    try home.restart()
    let any = try home.get("any")
    try any.person.see("the passcode must come first")
    try any.person.see(", and type the passcode")
    try any.person.see("Passcode for")
    try any.person.type("right\n")
    try home.house.scan("f1")
    #expect(any.end() == "secret")
  }

  @Test func `after a full lock, and for a finger enrolled since, the passcode is asked first`() throws {
    let home = try FingerHome(.storage)
    try home.add("any", "biometryAny")
    #expect(home.commandLine.run("lock", "--all").status == 0)
    let reading = try home.get("any")
    try reading.person.see("the passcode must come first")
    try reading.person.see("Passcode for")
    try reading.person.type("right\n")
    try home.house.scan("f1")
    #expect(reading.end() == "secret")
    try home.house.enrol(.leftThumb, as: "f2", for: home.account.name)
    #expect(home.commandLine.run("lock").status == 0)
    let second = try home.get("any")
    try second.person.see("the passcode must come first")
    try second.person.type("\u{3}")
    #expect(second.end() == "userCancelled")
  }
}
