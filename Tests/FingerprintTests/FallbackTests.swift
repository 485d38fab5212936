import Foundation
import LinuxSystem
import Testing

import TestSupport

/// The choice of the passcode beside a finger prompt, as a program with `LAContext` names or hides it.
@Suite struct FallbackTests {
  private let home: FingerHome
  private let program: String

  init() throws {
    home = try FingerHome()
    // Where the account may run it; it goes away with the daemon's folder.
    program = "\(home.daemon.folder)/authentication-rows"
    try FileManager.default.copyItem(atPath: BuiltPrograms.path(of: "authentication-rows"), toPath: program)
    chmod(program, 0o755)
  }

  private func start(_ variables: [String: String]) throws -> (person: Person, process: SpawnedProcess) {
    var environment = ["LATCHKEY_SOCKET": home.daemon.socket, "SWIFT_BACKTRACE": "enable=no"]
    environment.merge(variables) { $1 }
    let person = try Person(owner: home.account.account)
    let line = CommandLine(latchkey: program, account: home.account.account, environment: environment)
    let process = try line.start("fallback", at: person)
    try person.see(touch)
    try home.house.waitUntilAsked()
    return (person, process)
  }

  @Test func `an empty title hides the choice: Enter does nothing, and the prompt does not speak of it`() throws {
    let (person, process) = try start(["TITLE": ""])
    try person.see(".")
    #expect(!person.screen.contains("Enter") && !person.screen.contains("Passcode"))
    try person.type("\n\n")
    #expect(try !Poll.wait([PollEntry(process.pidfd)], timeoutMilliseconds: 300)[0].isReadable)
    #expect(home.isAsked)
    try home.house.scan("f1")
    try person.see("outcome=success")
    #expect(process.status() == 0)
  }

  @Test(arguments: [(String?.none, "press Enter to choose the passcode"), ("Use PIN", "press Enter for \"Use PIN\"")])
  func `the choice is offered by its title, is an error of its own, and asks for no passcode`(
    title: String?, words: String
  ) throws {
    let (person, process) = try start(title.map { ["TITLE": $0] } ?? [:])
    try person.see(words)
    try person.type("\n")
    try person.see("outcome=-3 ")
    try person.see("userFallback")
    #expect(process.status() == 0)
    #expect(!person.screen.contains("Passcode for"))
    #expect(eventually { !home.isAsked })
  }

  @Test func `where the passcode does as well an empty title leaves it up`() throws {
    let (person, process) = try start(["TITLE": "", "OWNER": "1"])
    try person.see("Passcode for")
    try person.type("\n")
    try person.see("Passcode for")
    try person.type("right\n")
    try person.see("outcome=success")
    #expect(process.status() == 0)
  }
}
