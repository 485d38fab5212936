import Foundation
import TestSupport
import Testing

/// What a proof in a context is good for.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct ContextTests {
  @Test func `one evaluation opens three items without a further prompt, and nothing outside of its context`() throws {
    let house = try RowHouse()
    let answer = house.password + "\n"
    let row = try house.run("reads", typing: [answer, answer, answer, answer])
    #expect(row["evaluation"] == "success", "\(row)")
    #expect(row["with"] == "value of a|value of b|value of c")
    #expect(row["without"] == "value of a|value of b|value of c")
    #expect(row["other"] == "refused interactionNotAllowed")
    #expect(row["invalidated"] == "refused contextInvalid")
    #expect(row.prompts == 4)
  }

  @Test func `a fresh context asks at its first read and not at its second`() throws {
    let house = try RowHouse()
    let row = try house.run("fresh", typing: [house.password + "\n"])
    #expect(row["first"] == "value of a", "\(row)")
    #expect(row["second"] == "value of a")
    #expect(row.prompts == 1)
  }

  @Test func `a hundred tasks at once are all answered`() throws {
    let house = try RowHouse()
    // Binds the keybag first, so that the protected item is refused for want of a proof alone.
    _ = try house.run("evaluate", typing: [house.password + "\n"])
    let row = house.run("hundred")
    #expect(
      row["100"] == "true -1004 LocalAuthentication interactionNotAllowed value of plain refused interactionNotAllowed",
      "\(row)")
  }

  @Test func `a child process has neither its parent's proof nor its connection`() throws {
    let house = try RowHouse()
    let row = try house.run("fork", typing: [house.password + "\n"])
    #expect(row["before"] == "value of a", "\(row)")
    #expect(row["child"] == "refused interactionNotAllowed")
    #expect(row["child again"] == "refused interactionNotAllowed")
    #expect(row["status"] == "0")
    #expect(row["parent"] == "value of a")
    #expect(row.prompts == 1)
  }

  @Test func `a context outlives a daemon that is killed, its proof does not`() throws {
    let house = try RowHouse()
    let running = try house.start("restart")
    try running.person.see("Passcode for")
    try running.person.type(house.password + "\n")
    #expect(running.hears("before"))
    try house.household.crash()
    running.go()
    try running.person.see("Passcode for")
    try running.person.type(house.password + "\n")
    let row = running.outcome()
    #expect(row["before"] == "value of a", "\(row)")
    #expect(row["silent"].hasPrefix("refused"), "\(row)")
    #expect(row["again"] == "success")
    #expect(row["after"] == "value of a")
    #expect(row.prompts == 2)
  }
}
