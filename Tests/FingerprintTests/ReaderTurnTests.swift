import Foundation
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

  /// A terminal, and one of another devpts with the same number.
  private func twins(_ home: FingerHome, _ terminals: ForeignTerminals) throws -> (Person, Person) {
    let person = try Person(owner: home.account.account)
    let number = try #require(Int(person.path.dropFirst("/dev/pts/".count)))
    return (person, try terminals.person(number: number, owner: home.account.account))
  }

  @Test func `a terminal that only has the same number is another place, and is called what it is`() throws {
    let home = try FingerHome()
    let terminals = try ForeignTerminals()
    try home.add("first", "biometryAny")
    try home.add("second", "biometryAny")
    let (own, twin) = try twins(home, terminals)
    let first = try home.get("first", at: own)
    try own.see(touch)
    let hidden = try home.get("second", at: twin, of: terminals)
    try twin.see("in use for another prompt")
    let before = Clock.boottime
    try own.type("\u{3}")
    #expect(first.end() == "userCancelled")
    try twin.see(touch)
    #expect(Clock.boottime - before > 1_900_000_000)
    let again = try home.get("first", at: own)
    try own.see("asks for \"com.example.second\" on a terminal of its own; a finger shown now is for that.")
    try twin.type("\u{3}")
    #expect(hidden.status() != 0)
    try own.see(touch)
    try home.house.scan("f1")
    #expect(again.end() == "secret")
  }

  @Test func `a prompt that somebody cut off is said to be over before the reader is another's`() throws {
    let home = try FingerHome()
    try home.add("first", "biometryAny")
    try home.add("second", "biometryAny")
    let first = try home.get("first")
    try first.person.see(touch)
    let hidden = try home.get("second")
    try hidden.person.see("in use for another prompt")
    try home.silence(first.person)
    try hidden.person.see(touch)
    // It stands there by now.
    first.person.readOn()
    let screen = first.person.screen
    let ending = "\r\nLatchkey: this prompt has ended; a finger shown or a passcode typed now is not for it."
    #expect(screen.contains(ending), "\(screen)")
    #expect(screen.range(of: ending)?.upperBound ?? screen.startIndex > screen.range(of: touch)!.upperBound)
    try home.house.scan("f1")
    #expect(hidden.end() == "secret")
  }

  @Test func `a terminal that takes no output does not keep the reader when its prompt is cut off`() throws {
    let home = try FingerHome()
    try home.add("first", "biometryAny")
    try home.add("second", "biometryAny")
    let first = try home.get("first")
    try first.person.see(touch)
    let hidden = try home.get("second")
    try hidden.person.see("in use for another prompt")
    #expect(tcflow(first.person.terminal.number, TCOOFF) == 0)
    try home.silence(first.person)
    try hidden.person.see(touch)
    tcflow(first.person.terminal.number, TCOON)
    #expect(fcntl(first.person.terminal.number, F_GETFL) & O_NONBLOCK == 0)
    try home.house.scan("f1")
    #expect(hidden.end() == "secret")
  }
}
