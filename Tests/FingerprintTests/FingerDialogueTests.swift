import Foundation
import LinuxSystem
import TestSupport
import Testing

/// `latchkey get` at a terminal, with a finger on the real fprintd's virtual reader.
@Suite struct FingerDialogueTests {
  @Test func `a finger opens what wants one, is told of before the reader starts, and leaves the terminal as it was`()
    throws
  {
    let home = try FingerHome()
    try home.add("any", "biometryAny")
    let reading = try home.get("any")
    try reading.person.see(touch)
    try home.house.scan("f1")
    #expect(reading.end() == "secret")
    #expect(try reading.person.settings == reading.before)
    #expect(try reading.person.nextLine(typing: "ls\n") == "ls\n")
  }

  @Test func `a finger that is not enrolled may be shown as often as the policy has tries`() throws {
    let home = try FingerHome()
    try home.add("any", "biometryAny")
    let reading = try home.get("any")
    for _ in 0..<3 {
      try home.house.scan("other")
      try reading.person.see("Failed to match fingerprint")
    }
    #expect(reading.end() == "noMatch")
    let second = try home.get("any")
    try home.house.scan("other")
    try second.person.see("Failed to match fingerprint")
    try home.house.scan("f1")
    #expect(second.end() == "secret")
  }

  @Test func `a touch that was too short is told, counts as no miss, and the next one opens`() throws {
    let home = try FingerHome(policy: FingerHome.policy("tries: 1\n"))
    try home.add("any", "biometryAny")
    let reading = try home.get("any")
    for _ in 0..<6 {
      try home.house.scanBadly(.tooShort)
      try reading.person.see("too short")
    }
    try home.house.scan("f1")
    #expect(reading.end() == "secret")
  }

  @Test func `five misses lock biometry over a restart, and a passcode ends that`() throws {
    let home = try FingerHome(policy: FingerHome.policy("tries: 5\n"))
    // Of a class that no restart locks, so that nothing but the fingers matters.
    try home.add("any", "biometryAny", accessible: "always")
    try home.add("presence", "userPresence", accessible: "always")
    let reading = try home.get("any")
    for miss in 1...5 {
      try home.house.scan("other")
      try reading.person.see("Failed to match fingerprint")
      if miss == 4 { #expect(eventually { home.notes.contains("4 in a row did not match") }) }
    }
    #expect(reading.end() == "biometryLockout")
    try home.restart()
    #expect(home.notes.contains("biometry: locked"))
    #expect(home.commandLine.run("unlock", passcode: "wrong").status != 0)
    #expect(try home.get("any").end() == "biometryLockout", "a wrong passcode ends nothing")
    let presence = try home.get("presence")
    try presence.person.see("five fingers did not match")
    try presence.person.see("Passcode for")
    #expect(!presence.person.screen.contains(touch))
    try presence.person.type("right\n")
    #expect(presence.end() == "secret")
    #expect(!home.notes.contains("did not match"))
    let last = try home.get("any")
    try home.house.scan("f1")
    #expect(last.end() == "secret")
  }

  @Test(arguments: ["cancelled", "killed"])
  func `a prompt that is broken off at the miss has had it counted`(way: String) throws {
    let home = try FingerHome(policy: FingerHome.policy("tries: 5\n"))
    try home.add("any", "biometryAny", accessible: "always")
    for miss in 1...4 {
      let reading = try home.get("any")
      try home.house.scan("other")
      try reading.person.see("Failed to match")
      if way == "killed" { home.account.killEverything() } else { try reading.person.type("\u{3}") }
      _ = reading.process.status()
      #expect(eventually { home.notes.contains("\(miss) in a row did not match") })
      // Whoever ended it, the reader is free.
      #expect(eventually { !home.isAsked })
    }
    let last = try home.get("any")
    try home.house.scan("f1")
    #expect(last.end() == "secret")
  }

  @Test func `the reader's own shorter wait is told and begun anew`() throws {
    let home = try FingerHome(policy: FingerHome.policy("tries: 1\ndeadline: 2m\n"))
    try home.add("any", "biometryAny")
    let reading = try home.get("any")
    try reading.person.see("timed out")
    // The old wait may still be ending: a finger is for the one that says so anew.
    try reading.person.see("Swipe")
    try home.house.scan("f1")
    #expect(reading.end() == "secret")
  }

  @Test func `nobody's finger until the deadline is that`() throws {
    let home = try FingerHome(policy: FingerHome.policy("deadline: 5s\n"))
    try home.add("any", "biometryAny")
    let reading = try home.get("any")
    #expect(reading.end() == "deadlinePassed")
    #expect(eventually { !home.isAsked })
    #expect(try reading.person.settings == reading.before)
  }

  @Test func `both fingers of two that are enrolled open`() throws {
    let home = try FingerHome(.storage)
    try home.house.enrol(.leftThumb, as: "f2", for: home.account.name)
    try home.add("set", "biometryCurrentSet")
    for finger in ["f1", "f2"] {
      let reading = try home.get("set")
      try home.house.scan(finger)
      #expect(reading.end() == "secret")
    }
  }

  @Test
  func `a bound item opens by its fingers, and by none once another is enrolled; deleted and added again it opens`()
    throws
  {
    let home = try FingerHome(.storage)
    try home.add("set", "biometryCurrentSet")
    let first = try home.get("set")
    try home.house.scan("f1")
    #expect(first.end() == "secret")
    try home.house.enrol(.leftThumb, as: "f2", for: home.account.name)
    for _ in 0..<2 { #expect(try home.get("set").end() == "invalidatedByEnrolment") }
    #expect(home.commandLine.run("delete", "-s", "com.example.set", "-a", "me").status == 0)
    try home.add("set", "biometryCurrentSet")
    let again = try home.get("set")
    try home.house.scan("f2")
    #expect(again.end() == "secret")
  }

  @Test
  func `a finger that takes another's name ends a bound item, opens one for any finger, and the old one does not`()
    throws
  {
    let home = try FingerHome()
    try home.add("set", "biometryCurrentSet")
    try home.add("any", "biometryAny")
    try home.house.enrol(as: "f9", for: home.account.name)
    let set = try home.get("set")
    #expect(set.end() == "invalidatedByEnrolment")
    #expect(!set.person.screen.contains(touch))
    let any = try home.get("any")
    try home.house.scan("f1")
    try any.person.see("Failed to match fingerprint")
    try home.house.scan("f9")
    #expect(any.end() == "secret")
  }

  @Test func `a finger enrolled during the dialogue ends a bound item, and any other asks once more`() throws {
    let home = try FingerHome()
    try home.add("set", "biometryCurrentSet")
    try home.add("any", "biometryAny")
    let any = try home.get("any")
    try home.house.waitUntilAsked()
    try home.smuggleFinger()
    try home.house.scan("f1")
    // A match of before the change proves nothing of the set after it.
    try any.person.see(touch)
    try any.person.see(touch)
    try any.person.type("\u{3}")
    #expect(any.end() == "userCancelled")
    #expect(try home.get("set").end() == "invalidatedByEnrolment")
  }

  @Test func `a finger enrolled while a bound item is asked for ends it`() throws {
    let home = try FingerHome()
    try home.add("set", "biometryCurrentSet")
    let set = try home.get("set")
    try home.house.waitUntilAsked()
    try home.smuggleFinger()
    try home.house.scan("f1")
    #expect(set.end() == "invalidatedByEnrolment")
  }

  @Test func `a passcode that was handed in leaves the reader alone, and is none where a finger is wanted`() throws {
    let home = try FingerHome()
    try home.add("presence", "userPresence")
    try home.add("any", "biometryAny")
    try home.add("both", "biometryAny,devicePasscode")
    let time = quickest(below: 1000) {
      milliseconds {
        let result = home.commandLine.run("get", "-s", "com.example.presence", "-a", "me", passcode: "right")
        #expect(result.output == "secret")
        #expect(!home.isAsked)
      }
    }
    #expect(time < 1000)
    for (name, reason) in [("any", "userFallback"), ("both", "noWayToPrompt")] {
      let result = home.commandLine.run("get", "-s", "com.example.\(name)", "-a", "me", "--json", passcode: "right")
      #expect(JSONAnswer(result.output)["reason"] as? String == reason)
    }
    let blind = home.commandLine.run("get", "-s", "com.example.any", "-a", "me", "--json")
    #expect(JSONAnswer(blind.output)["reason"] as? String == "noWayToPrompt")
    #expect(!home.isAsked)
  }

  @Test func `a client that is killed gives the reader back within a second`() throws {
    let home = try FingerHome()
    try home.add("any", "biometryAny")
    let time = try quickest(below: 1000) {
      let reading = try home.get("any")
      try home.house.waitUntilAsked()
      return milliseconds {
        home.account.killEverything()
        #expect(eventually { !home.isAsked })
        _ = reading.process.status()
      }
    }
    #expect(time < 1000)
  }
}
