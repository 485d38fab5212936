import AccessPolicy
import DialogueWire
import KeychainModel
import LinuxSystem
import Testing

@testable import latchkeyd

/// Whose the reader is while several prompts want a finger.
@Suite struct ReaderTurnsTests {
  private let turns = ReaderTurns()
  private let second: UInt64 = 1_000_000_000

  private func prompt(_ terminal: UInt64, uid: UInt32 = 1000) -> ReaderTurns.Prompt {
    prompt(at: .terminal(file(terminal), session: session), uid: uid, description(terminal))
  }

  private func description(_ terminal: UInt64) -> HoldingPrompt {
    HoldingPrompt(
      program: ShownText("/usr/bin/python3"), service: ShownText("com.example.bio"),
      site: .named(ShownText("/dev/pts/\(terminal)")))
  }

  private let session = ProcessIdentity(pid: 700, startTime: 7)

  private func file(_ number: UInt64, of devpts: UInt64 = 24) -> TerminalFile {
    TerminalFile(fileSystem: devpts, inode: number + 3, device: 136 << 8 | number)
  }

  private func prompt(
    at place: ReaderTurns.Place, uid: UInt32 = 1000, _ description: HoldingPrompt? = nil
  ) -> ReaderTurns.Prompt {
    ReaderTurns.Prompt(uid: uid, place: place, description: description ?? self.description(1))
  }

  @Test func `the first that came has the reader, the others wait in order, and one that gives up is passed over`() {
    let tickets = (1...4).map { turns.enter(prompt($0)) }
    #expect(turns.turn(of: tickets[0], now: 0) == .ours)
    for ticket in tickets.dropFirst() {
      #expect(turns.turn(of: ticket, now: 0) == .theirs(.ownPrompt(description(1))))
    }
    turns.leave(tickets[1], .decided, now: 0)
    turns.leave(tickets[0], .decided, now: 0)
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
    turns.leave(first, .decided, now: second)
    let free = second + ReaderTurns.pause
    #expect(turns.turn(of: next, now: second) == .next(from: free))
    #expect(turns.turn(of: next, now: free - 1) == .next(from: free))
    #expect(turns.turn(of: next, now: free) == .ours)
  }

  @Test func `whoever sees one prompt end and the next one come at the same terminal waits for nothing`() {
    let first = turns.enter(prompt(1))
    #expect(turns.turn(of: first, now: 0) == .ours)
    turns.leave(first, .decided, now: second)
    #expect(turns.turn(of: turns.enter(prompt(1)), now: second) == .ours)
  }

  @Test func `after a prompt that was broken off the next one waits at the same terminal too`() {
    let first = turns.enter(prompt(1))
    #expect(turns.turn(of: first, now: 0) == .ours)
    turns.leave(first, .brokenOff, now: second)
    let next = turns.enter(prompt(1))
    let free = second + ReaderTurns.pause
    #expect(turns.turn(of: next, now: free - 1) == .next(from: free))
    #expect(turns.turn(of: next, now: free) == .ours)
    turns.leave(next, .decided, now: free)
    #expect(turns.turn(of: turns.enter(prompt(1)), now: free) == .ours)
  }

  @Test(arguments: Reason.allCases)
  func `only PAM's word on what the person gave decides a prompt`(reason: Reason) {
    let decides: Set<Reason> = [.noMatch, .wrongPasscode, .biometryLockout]
    #expect(ReaderTurns.End(reason) == (decides.contains(reason) ? .decided : .brokenOff))
  }

  @Test func `a terminal of another devpts, or the next one of the same number, is another place`() {
    let own = ReaderTurns.Place.terminal(file(1), session: session)
    let later = ProcessIdentity(pid: 701, startTime: 9)
    let others: [ReaderTurns.Place] = [
      .terminal(file(1, of: 25), session: session),
      .terminal(TerminalFile(fileSystem: 24, inode: 9, device: file(1).device), session: session),
      .terminal(TerminalFile(fileSystem: 24, inode: file(1).inode, device: 4 << 8 | 1), session: session),
      .terminal(file(1), session: later), .terminal(file(1), session: nil),
    ]
    for other in others {
      let turns = ReaderTurns()
      let first = turns.enter(prompt(at: own))
      #expect(turns.turn(of: first, now: 0) == .ours)
      turns.leave(first, .decided, now: second)
      let next = turns.enter(prompt(at: other))
      #expect(turns.turn(of: next, now: second) == .next(from: second + ReaderTurns.pause), "\(other)")
    }
  }

  @Test func `one that waited in vain delays nobody`() {
    let first = turns.enter(prompt(1))
    let vain = turns.enter(prompt(2))
    #expect(turns.turn(of: first, now: 0) == .ours)
    turns.leave(first, .decided, now: 0)
    turns.leave(vain, .decided, now: 4 * second)
    #expect(turns.turn(of: turns.enter(prompt(3)), now: 4 * second) == .ours)
  }

  @Test func `a place that was given up is no place any more`() {
    let first = turns.enter(prompt(1))
    #expect(turns.turn(of: first, now: 0) == .ours)
    turns.leave(first, .decided, now: 0)
    #expect(turns.turn(of: first, now: 5 * second) == .theirs(.somebody))
  }
}
