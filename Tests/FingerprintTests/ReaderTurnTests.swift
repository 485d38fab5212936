import LinuxSystem
import TestSupport
import Testing

/// Two prompts that want a finger at the same time: it opens what the prompt asked for that said to show it.
@Suite struct ReaderTurnTests {
  @Test func `a prompt behind another says whose the reader is, takes no finger of it, and has its turn afterwards`()
    throws
  {
    let home = try FingerHome()
    try home.add("first", "biometryAny")
    try home.add("second", "biometryAny")
    let first = try home.get("first")
    try first.person.see(touch)
    let second = try home.get("second")
    try second.person.see("in use for another prompt: \"\(home.commandLine.latchkey)\" asks for \"com.example.first\"")
    try second.person.see(first.person.path)
    #expect(!second.person.screen.contains(touch))
    try home.house.scan("f1")
    #expect(first.end() == "secret")
    #expect(second.person.readOn() >= 0)
    #expect(!second.person.screen.contains("accepted"))
    try second.person.see(touch)
    try home.house.scan("f1")
    #expect(second.end() == "secret")
  }

  @Test func `where the reader is held all the time the passcode opens, and nobody is told to touch it`() throws {
    let home = try FingerHome()
    try home.add("hidden", "biometryAny")
    try home.add("presence", "userPresence")
    let hidden = try home.get("hidden")
    try hidden.person.see(touch)
    let own = try home.get("presence")
    try own.person.see("in use for another prompt")
    try own.person.see("Passcode for")
    try own.person.type("right\n")
    #expect(own.end() == "secret")
    #expect(!own.person.screen.contains(touch))
    try hidden.person.type("\u{3}")
    #expect(hidden.end() == "userCancelled")
  }

  @Test func `a prompt that is broken off hands over after a pause`() throws {
    let home = try FingerHome()
    try home.add("first", "biometryAny")
    try home.add("second", "biometryAny")
    let first = try home.get("first")
    try first.person.see(touch)
    let second = try home.get("second")
    try second.person.see("in use for another prompt")
    let before = Clock.boottime
    try first.person.type("\u{3}")
    #expect(first.end() == "userCancelled")
    try second.person.see(touch)
    #expect(Clock.boottime - before > 1_900_000_000)
    try home.house.scan("f1")
    #expect(second.end() == "secret")
  }
}
