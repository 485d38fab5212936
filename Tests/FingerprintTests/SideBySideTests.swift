import Foundation
import LinuxSystem
import TestSupport
import Testing

/// Finger and passcode in one prompt.
@Suite struct SideBySideTests {
  @Test func `a finger wins over a passcode that is half typed, and nothing of that reaches the shell`() throws {
    let home = try FingerHome()
    try home.add("presence", "userPresence")
    let reading = try home.get("presence")
    try reading.person.see(touch)
    try reading.person.see("Passcode for")
    try reading.person.type("half-typ")
    try home.house.scan("f1")
    #expect(reading.end() == "secret")
    #expect(try reading.person.settings == reading.before)
    #expect(try reading.person.nextLine(typing: "ls\n") == "ls\n")
    #expect(!reading.person.screen.contains("half"))
  }

  @Test func `a passcode wins over the finger, and the reader is free at once`() throws {
    let home = try FingerHome()
    try home.add("presence", "userPresence")
    let reading = try home.get("presence")
    try home.house.waitUntilAsked()
    try reading.person.see("Passcode for")
    try reading.person.type("right\n")
    #expect(reading.end() == "secret")
    #expect(!home.isAsked)
    #expect(try reading.person.settings == reading.before)
  }

  @Test func `enter alone moves to the passcode within 300 ms and gives the reader back`() throws {
    let home = try FingerHome()
    try home.add("presence", "userPresence")
    let time = try quickest(below: 300) {
      let reading = try home.get("presence")
      try home.house.waitUntilAsked()
      try reading.person.see("Passcode for")
      let time = try milliseconds {
        try reading.person.type("\n")
        try reading.person.see("Passcode for")
      }
      #expect(eventually { !home.isAsked })
      try reading.person.type("right\n")
      #expect(reading.end() == "secret")
      return time
    }
    #expect(time < 300)
  }

  @Test func `what the reader says and a miss leave the passcode up`() throws {
    let home = try FingerHome()
    try home.add("presence", "userPresence")
    let reading = try home.get("presence")
    try reading.person.see("Passcode for")
    try reading.person.type("ri")
    try home.house.scanBadly(.tooShort)
    try reading.person.see("too short")
    for _ in 0..<3 {
      try home.house.scan("other")
      try reading.person.see("Failed to match fingerprint")
    }
    try reading.person.see("No finger is taken any more: the finger does not match.")
    try reading.person.see("Passcode for")
    try reading.person.type("ght\n")
    #expect(reading.end() == "secret")
  }

  @Test func `with the lid shut the passcode is up within 300 ms and the reader is never started`() throws {
    let home = try FingerHome()
    let login = try MockLogin(on: home.house)
    defer { login.stop() }
    try home.add("presence", "userPresence")
    try home.add("any", "biometryAny")
    login.setLid(closed: true)
    let time = try quickest(below: 300) {
      var reading: Reading?
      let time = try milliseconds {
        reading = try home.get("presence")
        try reading?.person.see("Passcode for")
      }
      #expect(reading?.person.screen.contains(touch) == false)
      #expect(!home.isAsked)
      try reading?.person.type("right\n")
      #expect(reading?.end() == "secret")
      return time
    }
    #expect(time < 300)
    #expect(try home.get("any").end() == "lidClosed")
    login.setLid(closed: false)
    let open = try home.get("any")
    try home.house.scan("f1")
    #expect(open.end() == "secret")
  }

  @Test(arguments: [true, false])
  func `where both are wanted each alone is not enough, in either order`(fingerFirst: Bool) throws {
    let home = try FingerHome()
    try home.add("both", "biometryAny,devicePasscode")
    let reading = try home.get("both")
    try reading.person.see(", and type the passcode")
    try reading.person.see("Passcode for")
    if fingerFirst {
      try home.house.scan("f1")
      #expect(eventually { !home.isAsked })
      #expect(try !Poll.wait([PollEntry(reading.process.pidfd)], timeoutMilliseconds: 300)[0].isReadable)
      try reading.person.type("right\n")
    } else {
      try reading.person.type("right\n")
      #expect(try !Poll.wait([PollEntry(reading.process.pidfd)], timeoutMilliseconds: 1500)[0].isReadable)
      try home.house.scan("f1")
    }
    #expect(reading.end() == "secret")
  }

  @Test func `where both are wanted the passcode ends a lockout before the finger is asked for`() throws {
    let home = try FingerHome(policy: FingerHome.policy("tries: 5\n"))
    try home.add("any", "biometryAny")
    try home.add("both", "biometryAny,devicePasscode")
    let reading = try home.get("any")
    for _ in 0..<5 { try home.house.scan("other") }
    #expect(reading.end() == "biometryLockout")
    let both = try home.get("both")
    try both.person.see("Passcode for")
    try both.person.type("right\n")
    try home.house.scan("f1")
    #expect(both.end() == "secret")
  }

  @Test func `a full lock ends a prompt that has taken a finger and waits for the passcode`() throws {
    let home = try FingerHome()
    try home.add("both", "biometryAny,devicePasscode")
    let reading = try home.get("both")
    try reading.person.see("Passcode for")
    try home.house.scan("f1")
    try reading.person.see("The finger is accepted")
    #expect(home.commandLine.run("lock", "--all").status == 0)
    #expect(reading.end() == "systemCancelled")
    #expect(try reading.person.settings == reading.before)
  }

  @Test func `enter alone where only a finger does is the choice of the passcode`() throws {
    let home = try FingerHome()
    try home.add("any", "biometryAny")
    let reading = try home.get("any")
    try home.house.waitUntilAsked()
    try reading.person.type("\n")
    #expect(reading.end() == "userFallback")
    #expect(eventually { !home.isAsked })
  }
}
