import DialogueWire
import Testing

@testable import latchkeyd

/// Whose the reader is while several prompts want a finger.
@Suite struct ReaderTurnsTests {
  private let turns = ReaderTurns()
  private let second: UInt64 = 1_000_000_000

  private func prompt(_ terminal: UInt64, uid: UInt32 = 1000) -> ReaderTurns.Prompt {
    ReaderTurns.Prompt(uid: uid, place: .terminal(terminal), description: description(terminal))
  }

  private func description(_ terminal: UInt64) -> HoldingPrompt {
    HoldingPrompt(
      program: ShownText("/usr/bin/python3"), service: ShownText("com.example.bio"),
      terminal: ShownText("/dev/pts/\(terminal)"))
  }

  @Test func `the first that came has the reader, the others wait in order, and one that gives up is passed over`() {
    let tickets = (1...4).map { turns.enter(prompt($0)) }
    #expect(turns.turn(of: tickets[0], now: 0) == .ours)
    for ticket in tickets.dropFirst() {
      #expect(turns.turn(of: ticket, now: 0) == .theirs(.ownPrompt(description(1))))
    }
    turns.leave(tickets[1], now: 0)
    turns.leave(tickets[0], now: 0)
    #expect(turns.turn(of: tickets[2], now: 5 * second) == .ours)
    #expect(turns.turn(of: tickets[3], now: 5 * second) == .theirs(.ownPrompt(description(3))))
  }

  @Test func `of another user's prompt nothing is told but that it is one`() {
    let first = turns.enter(prompt(1, uid: 1001))
    let own = turns.enter(prompt(2))
    #expect(turns.turn(of: first, now: 0) == .ours)
    #expect(turns.turn(of: own, now: 0) == .theirs(.prompt))
  }

  @Test func `a finger on its way to a prompt that ended is not taken by the next one elsewhere`() {
    let first = turns.enter(prompt(1))
    #expect(turns.turn(of: first, now: 0) == .ours)
    let next = turns.enter(prompt(2))
    turns.leave(first, now: second)
    let free = second + ReaderTurns.pause
    #expect(turns.turn(of: next, now: second) == .next(from: free))
    #expect(turns.turn(of: next, now: free - 1) == .next(from: free))
    #expect(turns.turn(of: next, now: free) == .ours)
  }

  @Test func `whoever sees one prompt end and the next one come at the same terminal waits for nothing`() {
    let first = turns.enter(prompt(1))
    #expect(turns.turn(of: first, now: 0) == .ours)
    turns.leave(first, now: second)
    #expect(turns.turn(of: turns.enter(prompt(1)), now: second) == .ours)
  }

  @Test func `one that waited in vain delays nobody`() {
    let first = turns.enter(prompt(1))
    let vain = turns.enter(prompt(2))
    #expect(turns.turn(of: first, now: 0) == .ours)
    turns.leave(first, now: 0)
    turns.leave(vain, now: 4 * second)
    #expect(turns.turn(of: turns.enter(prompt(3)), now: 4 * second) == .ours)
  }

  @Test func `a place that was given up is no place any more`() {
    let first = turns.enter(prompt(1))
    #expect(turns.turn(of: first, now: 0) == .ours)
    turns.leave(first, now: 0)
    #expect(turns.turn(of: first, now: 5 * second) == .theirs(.somebody))
  }
}
