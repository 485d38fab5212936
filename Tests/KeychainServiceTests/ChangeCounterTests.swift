import KeychainModel
import KeychainService
import Synchronization
import Testing

/// What counts as a change of a keychain, and who is told.
@Suite struct ChangeCounterTests {
  /// How far a request moves the count.
  private func moves(_ test: TestKeychain, _ body: () -> Answer) -> UInt64 {
    let before = test.keychain.changes.current
    _ = body()
    return test.keychain.changes.current &- before
  }

  private static let query = ItemQuery(itemClass: .genericPassword, attributes: TestKeychain.name("a"))

  @Test func `storing, changing and deleting an item each move the count by one`() {
    let test = TestKeychain()
    #expect(moves(test) { test.add("a", "1") } == 1)
    #expect(moves(test) { test.add("a", "2", rule: .replace) } == 1)
    #expect(moves(test) { test.ask(.update(UpdateRequest(query: Self.query, value: 0)), secrets: ["3"]) } == 1)
    #expect(moves(test) { test.ask(.delete(DeleteRequest(query: Self.query))) } == 1)
  }

  @Test func `what is refused and what only looks moves nothing`() {
    let test = TestKeychain()
    _ = test.add("a", "1")
    let missing = ItemQuery(itemClass: .genericPassword, attributes: TestKeychain.name("b"))
    #expect(moves(test) { test.add("a", "2") } == 0)
    #expect(moves(test) { test.ask(.update(UpdateRequest(query: missing, value: 0)), secrets: ["3"]) } == 0)
    #expect(moves(test) { test.ask(.delete(DeleteRequest(query: missing))) } == 0)
    for request in [KeychainRequest.status, .doctor, .log(LogRequest()), .watch(since: nil), .context(.create)] {
      #expect(moves(test) { test.ask(request) } == 0, "\(request)")
    }
    #expect(moves(test) { test.read("a") } == 0)
  }

  @Test func `locking and opening the keybag move the count, also where a read opens it`() {
    let test = TestKeychain()
    _ = test.add("a", "1", .userPresence)
    #expect(moves(test) { test.ask(.unlock(.passcode)) } > 0)
    #expect(moves(test) { test.ask(.lock) } == 1)
    #expect(moves(test) { test.ask(.lockAll) } == 1)
    #expect(moves(test) { test.read("a", options: RequestOptions(mayUnlock: true)) } > 0)
  }

  @Test func `a watch through the service is answered by the count, whatever it names`() {
    let test = TestKeychain()
    for since in [nil, test.keychain.changes.current, 0] {
      #expect(test.ask(.watch(since: since)).reply == .changed(test.keychain.changes.current))
    }
  }

  @Test func `two keychains begin to count at different places`() {
    #expect(TestKeychain().keychain.changes.current != TestKeychain().keychain.changes.current)
  }

  @Test func `every waiter is called once for each change until it leaves`() throws {
    let counter = ChangeCounter()
    let calls = Mutex([0, 0])
    let first = try counter.attach { calls.withLock { $0[0] += 1 } }
    let second = try counter.attach { calls.withLock { $0[1] += 1 } }
    counter.advance()
    counter.detach(first)
    counter.advance()
    counter.detach(second)
    counter.advance()
    #expect(calls.withLock { $0 } == [1, 2])
  }

  @Test func `sixteen may wait, a seventeenth is refused, and one that leaves makes room`() throws {
    let counter = ChangeCounter()
    var tickets = try (0..<ChangeCounter.maximumWaiters).map { _ in try counter.attach {} }
    #expect(tickets.count == 16)
    #expect(throws: Refusal(.tooManyRequests, detail: "too many programs watch this keychain")) {
      _ = try counter.attach {}
    }
    counter.detach(tickets.removeLast())
    _ = try counter.attach {}
  }
}
