import Foundation
import TestSupport
import Testing

/// What ends an evaluation, and how soon.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct EndingTests {
  @Test func `invalidate ends a prompt within 200 ms, and the context for good`() throws {
    let taken = try quickest(below: 200) {
      let row = try ended("invalidate")
      #expect(row["outcome"] == "-9 LocalAuthentication appCancelled", "\(row)")
      #expect(row["later"] == "-10 LocalAuthentication contextInvalid")
      #expect(row["can"] == "false")
      #expect(row["why"] == "-10 LocalAuthentication contextInvalid")
      #expect(row["credential"] == "false")
      #expect(row.prompts == 1)
      return Double(row["milliseconds"]) ?? .infinity
    }
    #expect(taken < 200)
  }

  @Test func `cancelling the task ends a prompt within 200 ms`() throws {
    let taken = try quickest(below: 200) {
      let row = try ended("cancel")
      #expect(row["outcome"] == "-9 LocalAuthentication appCancelled", "\(row)")
      return Double(row["milliseconds"]) ?? .infinity
    }
    #expect(taken < 200)
  }

  /// What a row said that was told to go on once its prompt was up.
  private func ended(_ name: String) throws -> RowOutcome {
    let house = try RowHouse()
    let running = try house.start(name)
    try running.person.see("Passcode for")
    running.go()
    return withExtendedLifetime(house) { running.outcome() }
  }

  @Test func `the main actor and other tasks go on while more prompts wait than the pool has threads`() throws {
    let row = try ended("ticking")
    #expect(Int(row["ticks"]).map { $0 >= 10 } == true, "\(row)")
    #expect(row["outcomes"] == "-9 LocalAuthentication appCancelled", "\(row)")
    #expect(Double(row["milliseconds"]).map { $0 < 10_000 } == true, "\(row)")
    #expect(row.prompts == 1)
  }
}
