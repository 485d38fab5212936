import Foundation
import TestSupport
import Testing

/// What a proof is good for afterwards, with real clocks and the real kernel keyring.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct WindowTests {
  static let policy = """
    service: mail
    methods: [passcode]
    reuse: {window: 4s, scope: session}
    cache: {timeout: 4s, dropOn: [lock]}

    """

  /// A shell at a terminal: what is typed in it shares one session and one terminal.
  private func shell(_ house: Household) throws -> (person: Person, type: (String) throws -> Void) {
    let person = try Person(owner: house.account.account)
    let line = house.commandLine
    let process = try line.startShell(at: person)
    try person.see("$ ")
    return (
      person,
      { command in
        _ = process
        try person.type(command + "\n")
      }
    )
  }

  @Test(arguments: Mode.allCases)
  func `a second read inside the window asks nothing, after it and after a lock it asks again`(mode: Mode) throws {
    let house = try Household(mode, policy: ["mail": Self.policy])
    if mode == .user {
      let file = house.account.account.home + "/mail.yaml"
      try Self.policy.write(toFile: file, atomically: true, encoding: .utf8)
      chmod(file, 0o644)
      let applied = house.commandLine.run("policy", "apply", file, passcode: house.password)
      #expect(applied.status == 0, "\(applied.complaint)")
    }
    house.add("mail", Array("value".utf8))
    let (person, type) = try shell(house)
    let read = "'\(house.commandLine.latchkey)' get -s mail -a me; echo \"[$?]\""
    try type(read)
    try person.see("Passcode for")
    try person.type(house.password + "\n")
    try person.see("[0]")
    try type(read)
    try person.see("[0]")
    #expect(person.screen.components(separatedBy: "Passcode for").count == 2, "one prompt so far: \(person.screen)")
    sleep(5)
    try type(read)
    try person.see("Passcode for")
    try person.type(house.password + "\n")
    try person.see("[0]")
    try type("'\(house.commandLine.latchkey)' lock; echo \"[$?]\"")
    try person.see("[0]")
    try type(read)
    try person.see("Passcode for")
    try person.type("\u{3}")
    try person.see("[128]")
  }

  @Test func `the daemon's death ends what a proof unlocked`() throws {
    let house = try Household(.system)
    house.add("mail", Array("value".utf8))
    #expect(house.commandLine.run("get", "-s", "mail", "-a", "me", passcode: house.password).status == 0)
    #expect(try house.keybag() == "unlocked")
    try house.crash()
    #expect(try house.keybag() == "beforeFirstUnlock")
    #expect(house.commandLine.run("get", "-s", "mail", "-a", "me").status == 36)
  }
}
