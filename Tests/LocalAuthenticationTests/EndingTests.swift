import Foundation
import TestSupport
import Testing

/// What ends an evaluation, and how soon.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct EndingTests {
  @Test func `invalidate ends a prompt within 200 ms, and the context for good`() throws {
    let house = try RowHouse()
    let running = try house.start("invalidate")
    try running.person.see("Passcode for")
    running.go()
    let row = running.outcome()
    #expect(row["outcome"] == "-9 LocalAuthentication appCancelled", "\(row)")
    #expect(Double(row["milliseconds"]).map { $0 < 200 } == true, "\(row)")
    #expect(row["later"] == "-10 LocalAuthentication contextInvalid")
    #expect(row["can"] == "false")
    #expect(row["why"] == "-10 LocalAuthentication contextInvalid")
    #expect(row["credential"] == "false")
    #expect(row.prompts == 1)
  }

  @Test func `cancelling the task ends a prompt within 200 ms`() throws {
    let house = try RowHouse()
    let running = try house.start("cancel")
    try running.person.see("Passcode for")
    running.go()
    let row = running.outcome()
    #expect(row["outcome"] == "-9 LocalAuthentication appCancelled", "\(row)")
    #expect(Double(row["milliseconds"]).map { $0 < 200 } == true, "\(row)")
  }

  @Test func `the main actor and other tasks go on while more prompts wait than the pool has threads`() throws {
    let house = try RowHouse()
    let running = try house.start("ticking")
    try running.person.see("Passcode for")
    running.go()
    let row = running.outcome()
    #expect(Int(row["ticks"]).map { $0 >= 10 } == true, "\(row)")
    #expect(row["outcomes"] == "-9 LocalAuthentication appCancelled", "\(row)")
    #expect(Double(row["milliseconds"]).map { $0 < 1000 } == true, "\(row)")
    #expect(row.prompts == 1)
  }
}
