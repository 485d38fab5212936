import AccessPolicy
import Foundation
import KeychainModel
import LatchkeyTesting
import Synchronization
import TestSupport
import Testing

@testable import KeychainService

/// One prompt at a time for a terminal, and for a process.
@Suite struct PromptTurnTests {
  private let clock = RealClock()

  /// A keychain whose prompts nobody answers, or that stay up for a while.
  private func keychain(
    _ script: ScriptedAnswer, milliseconds: UInt32 = 0
  ) -> (UserKeychain, MockAuthenticator) {
    let test = TestKeychain()
    _ = test.add("a", "value", .userPresence)
    let authenticator = MockAuthenticator(
      passcode: "right", script: [script], clock: clock, milliseconds: milliseconds)
    let keychain = UserKeychain(
      account: UserAccountName(uid: 1000, name: "alice"), store: test.store,
      ports: ServicePorts(
        cache: MemoryKeyCache(clock: clock), authenticator: authenticator, policies: test.policies,
        enrolment: test.enrolment, log: test.log, clock: clock, host: SilentHost()))
    return (keychain, authenticator)
  }

  private func read(
    _ keychain: UserKeychain, pid: Int32, terminal: UInt64?, session: Int32 = 90,
    _ channel: TestChannel = TestChannel()
  ) -> Answer {
    let query = ItemQuery(itemClass: .genericPassword, attributes: TestKeychain.name("a"))
    return keychain.answer(
      IncomingRequest(
        request: .find(FindRequest(query: query, returns: .data)), options: RequestOptions(), secrets: [],
        peer: TestKeychain.peer(pid: pid, terminal: terminal, session: session), channel: channel))
  }

  private var soon: Instant { clock.now.adding(seconds: 20) }

  @Test func `a process on several terminals and a display has one prompt at a time, and all its reads complete`() {
    let (keychain, authenticator) = keychain(.passcode("right"), milliseconds: 30)
    let done = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 6) { number in
      let terminal: UInt64? = number == 0 ? nil : UInt64(number)
      if read(keychain, pid: 200, terminal: terminal).values == ["value"] { done.withLock { $0 += 1 } }
    }
    #expect(done.withLock { $0 } == 6)
    #expect(authenticator.mostPromptsAtOnce == 1)
  }

  @Test func `two processes on two terminals do not wait for each other`() {
    let (keychain, authenticator) = keychain(.never)
    let channels = [TestChannel(), TestChannel()]
    for number in 0..<2 {
      Thread.detachNewThread {
        _ = self.read(keychain, pid: 200 + Int32(number), terminal: UInt64(number), channels[number])
      }
    }
    #expect(eventually { authenticator.mostPromptsAtOnce == 2 })
    for channel in channels { channel.end(.clientGone) }
  }

  @Test func `a session whose terminal only has the same number waits for nobody`() {
    let (keychain, authenticator) = keychain(.never)
    let channels = [TestChannel(), TestChannel()]
    for number in 0..<2 {
      Thread.detachNewThread {
        _ = self.read(keychain, pid: 200 + Int32(number), terminal: 7, session: 90 + Int32(number), channels[number])
      }
    }
    #expect(eventually { authenticator.mostPromptsAtOnce == 2 })
    for channel in channels { channel.end(.clientGone) }
  }

  @Test func `who waits is told for whose prompt, and where that stands as soon as it is known`() {
    let turns = PromptTurns()
    let terminal = TestKeychain.peer().terminal!
    let clock = clock
    let end = soon
    let channel = TestChannel()
    let first = PromptHolder(
      process: ProcessIdentity(pid: 4242, startTime: 1), program: "/usr/bin/python3",
      service: ExactText("x\" asks for nothing\n"))
    let second = PromptHolder(process: ProcessIdentity(pid: 4243, startTime: 1), program: "", service: ExactText(""))
    let up = try! turns.take(.terminal(terminal), for: first, until: end, clock: clock, channel: TestChannel()).ticket
    let done = Mutex(false)
    Thread.detachNewThread {
      let ticket = try? turns.take(.terminal(terminal), for: second, until: end, clock: clock, channel: channel).ticket
      if let ticket { turns.give(back: ticket) }
      done.withLock { $0 = true }
    }
    let wait = "another prompt is up; waiting for its end: process 4242"
    let asks = ", \"/usr/bin/python3\" asks for \"x\\\" asks for nothing\\n\""
    #expect(eventually { channel.notices.map(\.text) == [wait + asks] })
    turns.note(.ownTerminal, of: up)
    #expect(eventually { channel.notices.map(\.text) == [wait + asks, wait + " on a terminal of its own" + asks] })
    turns.give(back: up)
    #expect(eventually { done.withLock { $0 } })
    #expect(channel.notices.count == 2)
  }

  @Test(arguments: [(63, false), (64, false), (65, true)])
  func `of a name 64 characters are told`(_ count: Int, _ isCut: Bool) {
    let name = String(repeating: "n", count: count)
    var holder = PromptHolder(process: ProcessIdentity(pid: 7, startTime: 1), program: name, service: ExactText(""))
    let kept = "\"" + String(repeating: "n", count: min(count, 64)) + "\"" + (isCut ? "…" : "")
    #expect(holder.line == "another prompt is up; waiting for its end: process 7, \(kept) asks for the keychain")
    holder.site = .named("/dev/pts/3")
    #expect(holder.line.contains("process 7 on \"/dev/pts/3\", \"n"))
  }

  @Test func `the longest line of the worst names fits a notice`() {
    let worst = String(repeating: "\u{1}\u{10FFFF}", count: 200)
    let holder = PromptHolder(
      process: ProcessIdentity(pid: .max, startTime: 1), program: worst, service: ExactText(worst),
      site: .named(worst))
    // KeychainWire's bound for a notice is that of a reason.
    #expect(holder.line.utf8.count <= RequestOptions.reasonBytes, "\(holder.line.utf8.count)")
  }

  @Test(arguments: [(31, Reason?.none), (32, nil), (33, .promptPending)])
  func `32 requests of a process wait behind its prompt, and one more is refused`(_ waiting: Int, _ last: Reason?) {
    let (keychain, _) = keychain(.never)
    let channels = (0..<waiting).map { _ in TestChannel() }
    let up = TestChannel()
    let answers = Mutex<[Reason?]>([])
    Thread.detachNewThread { _ = self.read(keychain, pid: 200, terminal: 0, up) }
    #expect(eventually { keychain.turns.count(of: TestKeychain.peer(pid: 200).process) == 1 })
    for (number, channel) in channels.enumerated() {
      Thread.detachNewThread {
        let answer = self.read(keychain, pid: 200, terminal: UInt64(number), channel)
        answers.withLock { $0.append(answer.reason) }
      }
      #expect(eventually { !channel.notices.isEmpty || !answers.withLock { $0.isEmpty } })
    }
    #expect(answers.withLock { $0 } == (last == nil ? [] : [last]))
    // Another process is asked all the same.
    let other = TestChannel()
    other.end(.clientGone)
    #expect(read(keychain, pid: 201, terminal: 99, other).reason == .clientGone)
    for channel in channels { channel.end(.clientGone) }
    up.end(.clientGone)
    #expect(eventually { answers.withLock { $0.count } == waiting })
    #expect(eventually { keychain.turns.count(of: TestKeychain.peer(pid: 200).process) == 0 })
  }

  @Test func `threads that take turns at random places and processes all get there, never two at one`() {
    let turns = PromptTurns()
    let up = Mutex<(places: Set<Int>, processes: Set<Int>, clashes: Int, done: Int)>(([], [], 0, 0))
    let leader = ProcessIdentity(pid: 90, startTime: 90)
    DispatchQueue.concurrentPerform(iterations: 12) { number in
      var generator = SeededGenerator(seed: UInt64(number + 1))
      for _ in 0..<25 {
        let place = Int.random(in: 0..<3, using: &generator)
        let process = Int.random(in: 0..<3, using: &generator)
        let holder = PromptHolder(
          process: ProcessIdentity(pid: Int32(process), startTime: 1), program: "", service: ExactText(""))
        let terminal = TerminalIdentity(device: UInt64(place), leader: leader)
        guard
          let (ticket, _) = try? turns.take(
            .terminal(terminal), for: holder, until: soon, clock: clock, channel: TestChannel())
        else { continue }
        up.withLock { up in
          if !up.places.insert(place).inserted || !up.processes.insert(process).inserted { up.clashes += 1 }
        }
        usleep(100)
        up.withLock { up in
          up.places.remove(place)
          up.processes.remove(process)
          up.done += 1
        }
        turns.give(back: ticket)
      }
    }
    #expect(up.withLock { $0.clashes } == 0)
    #expect(up.withLock { $0.done } == 300)
  }
}
