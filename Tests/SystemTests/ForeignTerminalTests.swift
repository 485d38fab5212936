import Foundation
import LinuxSystem
import TestSupport
import Testing

/// Terminals of two devpts, which have the same numbers.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts and mounts a devpts"))
struct ForeignTerminalTests {
  private let house: Household
  private let terminals: ForeignTerminals
  private let own: Person
  private let twin: Person

  init() throws {
    house = try Household(.system)
    house.add("guarded", Array("value".utf8))
    house.add("hidden", Array("value".utf8))
    terminals = try ForeignTerminals()
    own = try Person(owner: house.account.account)
    twin = try terminals.person(
      number: try #require(Int(own.path.dropFirst("/dev/pts/".count))), owner: house.account.account)
  }

  @Test func `a prompt waits for none at a terminal that only has the same number`() throws {
    let hidden = try house.commandLine.start("get", "-s", "hidden", "-a", "me", at: twin, of: terminals)
    try twin.see("Passcode for")
    let reading = try house.commandLine.start("get", "-s", "guarded", "-a", "me", at: own)
    try own.see("Passcode for")
    #expect(!own.screen.contains("another prompt"))
    try own.type(house.password + "\n")
    try own.see("value")
    #expect(reading.status() == 0)
    // A program in a container has its prompts as well.
    try twin.type(house.password + "\n")
    try twin.see("value")
    #expect(hidden.status() == 0)
  }

  @Test func `a program is asked at the terminal that controls it, and not at one of the same number`() throws {
    // It sees this machine's terminals, and so the other one by the name of its own.
    let reading = try house.commandLine.start("get", "-s", "guarded", "-a", "me", at: twin)
    try twin.see("Passcode for")
    #expect(own.readOn() == 0)
    try twin.type(house.password + "\n")
    try twin.see("value")
    #expect(reading.status() == 0)
  }

  @Test func `who waits for a prompt is told whose it is and where it stands`() throws {
    let shell = try house.commandLine.startShell(at: own)
    try own.see("$ ")
    let latchkey = house.commandLine.latchkey
    try own.type("sh -c '\(latchkey) get -s guarded -a me & \(latchkey) get -s hidden -a me; wait'\n")
    try own.see("another prompt is up; waiting for its end: process ")
    try own.see(" on \"\(own.path)\", \"\(latchkey)\" asks for \"")
    withExtendedLifetime(shell) {}
  }
}
