import TestSupport
import Testing

/// A keychain whose keybag is bound to no passcode yet.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct FirstBindingTests {
  @Test(arguments: [Mode.system, .user])
  func `two prompts that are up before it is bound both open with the passcode`(mode: Mode) throws {
    let house = try Household(mode)
    house.add("one", Array("first value".utf8))
    house.add("two", Array("second value".utf8))
    let people = [try Person(owner: house.account.account), try Person(owner: house.account.account)]
    let readings = try zip(["one", "two"], people).map { service, person in
      let reading = try house.commandLine.start("get", "-s", service, "-a", "me", at: person)
      try person.see("Passcode for")
      return reading
    }
    for (person, value) in zip(people, ["first value", "second value"]) {
      try person.type(house.password + "\n")
      try person.see(value)
      #expect(!person.screen.contains("before it was changed"))
    }
    for reading in readings { #expect(reading.status() == 0) }
  }
}
