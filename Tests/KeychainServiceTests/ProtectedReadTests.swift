import AccessPolicy
import Foundation
import KeychainModel
@testable import KeychainService
import LatchkeyTesting
import Synchronization
import Testing

@Suite struct ProtectedReadTests {
  @Test func `a plain item opens without a prompt`() {
    let test = TestKeychain()
    _ = test.add("a", "value")
    #expect(test.read("a").values == ["value"])
    #expect(test.authenticator.prompts == 0)
  }

  @Test func `a protected item opens after the right passcode and is written down`() {
    let test = TestKeychain()
    _ = test.add("a", "value", .userPresence)
    #expect(test.authenticator.prompts == 0)
    #expect(test.read("a").values == ["value"])
    #expect(test.authenticator.prompts == 1)
    #expect(test.log.records.map(\.action) == ["read"])
    #expect(test.log.records.first?.refusal == nil)
  }

  @Test(arguments: [
    (ScriptedAnswer.passcode("wrong"), Reason.wrongPasscode), (.refuse(.userCancelled), .userCancelled),
    (.never, .deadlinePassed), (.refuse(.noMatch), .noMatch), (.refuse(.helperFailed), .helperFailed),
  ])
  func `each way a prompt fails has its own reason and no value`(answer: ScriptedAnswer, reason: Reason) {
    let test = TestKeychain([answer])
    _ = test.add("a", "value", .userPresence)
    let refused = test.read("a")
    #expect(refused.reason == reason)
    #expect(refused.secrets.isEmpty)
    #expect(test.log.records.last?.refusal?.reason == reason)
  }

  @Test func `a caller that allows no prompt gets none`() {
    let test = TestKeychain()
    _ = test.add("a", "value", .userPresence)
    #expect(test.read("a", options: RequestOptions(interaction: .fail)).reason == .interactionNotAllowed)
    #expect(test.read("a", options: RequestOptions(interaction: .skip)).reason == .itemNotFound)
    #expect(test.authenticator.prompts == 0)
  }

  @Test func `a missing item is not found`() {
    #expect(TestKeychain().read("nobody").reason == .itemNotFound)
  }

  @Test func `another user's request is refused`() {
    let test = TestKeychain()
    _ = test.add("a", "value")
    #expect(test.read("a", peer: TestKeychain.peer(uid: 1001)).reason == .internalFailure)
  }

  @Test func `a proof serves its window and scope and no longer`() {
    var policy = ServicePolicy.builtIn
    policy.reuse = Reuse(windowSeconds: 60, scope: .terminal)
    let test = TestKeychain(policy: policy)
    _ = test.add("a", "value", .userPresence)
    _ = test.read("a")
    test.clock.advance(seconds: 59)
    #expect(test.read("a", peer: TestKeychain.peer(pid: 101)).values == ["value"])
    #expect(test.authenticator.prompts == 1)
    _ = test.read("a", peer: TestKeychain.peer(pid: 102, terminal: 2))
    #expect(test.authenticator.prompts == 2)
    test.clock.advance(seconds: 60)
    _ = test.read("a")
    #expect(test.authenticator.prompts == 3)
  }

  @Test func `with a window of zero every read prompts`() {
    var policy = ServicePolicy.builtIn
    policy.reuse = Reuse(windowSeconds: 0, scope: .never)
    let test = TestKeychain(policy: policy)
    _ = test.add("a", "value", .userPresence)
    for _ in 0..<3 { _ = test.read("a") }
    #expect(test.authenticator.prompts == 3)
  }

  @Test func `a lock ends the window at once`() {
    var policy = ServicePolicy.builtIn
    policy.reuse = Reuse(windowSeconds: 60, scope: .terminal)
    let test = TestKeychain(policy: policy)
    _ = test.add("a", "value", .userPresence)
    _ = test.read("a")
    _ = test.ask(.lock)
    #expect(test.read("a", options: RequestOptions(interaction: .fail)).reason == .interactionNotAllowed)
    #expect(test.read("a").values == ["value"])
    #expect(test.authenticator.prompts == 2)
  }

  @Test func `with the cache off every protected read asks and still works`() {
    var policy = ServicePolicy.builtIn
    policy.reuse = Reuse(windowSeconds: 60, scope: .terminal)
    let test = TestKeychain(policy: policy, cache: .off("the kernel refuses keyctl: EPERM"))
    _ = test.add("a", "value", .userPresence)
    for _ in 0..<2 { #expect(test.read("a").values == ["value"]) }
    #expect(test.authenticator.prompts == 2)
  }

  @Test func `eight reads at once show one prompt at a time and all complete`() {
    let test = TestKeychain(promptMilliseconds: 20)
    _ = test.add("a", "value", .userPresence)
    let done = Mutex(Set<Int>())
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      let values = test.read("a", peer: TestKeychain.peer(pid: Int32(200 + number))).values
      if values == ["value"] { done.withLock { _ = $0.insert(number) } }
    }
    #expect(done.withLock { $0.count } == 8)
    #expect(test.authenticator.mostPromptsAtOnce == 1)
  }

  @Test func `five protected items among plain ones cost one prompt as a batch`() {
    let test = TestKeychain()
    for number in 0..<5 { _ = test.add("p\(number)", "v\(number)", .userPresence) }
    _ = test.add("plain", "x")
    let query = ItemQuery(
      itemClass: .genericPassword, attributes: ItemAttributes([.service: .text("mail")]), limit: .all)
    let answer = test.ask(.find(FindRequest(query: query, returns: .data)))
    #expect(answer.values == ["v0", "v1", "v2", "v3", "v4", "x"])
    #expect(test.authenticator.prompts == 1)
  }

  @Test func `listing attributes never prompts`() {
    let test = TestKeychain()
    for number in 0..<50 { _ = test.add("p\(number)", "v", .userPresence) }
    let query = ItemQuery(itemClass: .genericPassword, limit: .all)
    let page = test.ask(.find(FindRequest(query: query, returns: .attributes))).page
    #expect(page?.items.count == 50)
    #expect(page?.items.allSatisfy { $0.value == nil } == true)
    #expect(test.authenticator.prompts == 0)
  }

  @Test func `too many wrong passcodes close the tally`() {
    let test = TestKeychain([.passcode("wrong")])
    _ = test.add("a", "value", .userPresence)
    let reasons = (0..<6).map { _ in test.read("a").reason }
    #expect(reasons.dropLast(2).allSatisfy { $0 == .wrongPasscode })
    #expect(reasons.suffix(2) == [.tooManyAttempts, .tooManyAttempts])
    #expect(test.authenticator.prompts == 5)
  }

  @Test func `programs that guess side by side get no more guesses than one`() {
    let test = TestKeychain([.passcode("wrong")], promptMilliseconds: 20)
    _ = test.add("a", "value", .userPresence)
    let reasons = Mutex<[Reason?]>([])
    let threads = (0..<12).map { number in
      Thread {
        let peer = TestKeychain.peer(pid: Int32(200 + number), terminal: UInt64(number))
        let reason = test.read("a", peer: peer).reason
        reasons.withLock { $0.append(reason) }
      }
    }
    for thread in threads { thread.start() }
    while reasons.withLock({ $0.count }) < threads.count { usleep(1000) }
    #expect(try! test.store.tally().misses == 5)
    #expect(test.authenticator.prompts == 5)
    #expect(reasons.withLock { $0.count { $0 == .tooManyAttempts } } == 8)
  }

  @Test func `where a miss cannot be counted no further guess is taken`() {
    let test = TestKeychain([.passcode("wrong")])
    _ = test.add("a", "value", .userPresence)
    test.store.refuseMisses(with: .diskFull)
    let reasons = (0..<4).map { _ in test.read("a").reason }
    #expect(reasons == [.diskFull, .diskFull, .diskFull, .diskFull])
    #expect(test.authenticator.prompts == 1)
    test.store.refuseMisses(with: nil)
    #expect(test.read("a").reason == .wrongPasscode)
    #expect(try! test.store.tally().misses == 2)
  }

  @Test(arguments: [(0, 3), (2, 3), (3, 2), (4, 1), (5, 1), (9, 1)])
  func `a dialogue gets no more tries than are left before a wait`(misses: UInt32, tries: UInt8) throws {
    let budget = GuessBudget()
    let store = MemoryStore()
    for _ in 0..<misses { _ = try store.countMiss() }
    store.endWait()
    #expect(try budget.take(3, store) == .tries(tries))
    let left = misses < 5 ? 5 - UInt8(misses) - tries : 0
    #expect(try budget.take(3, store) == (left > 0 ? .tries(left) : .busy))
    #expect(try budget.take(1, store) == .busy)
    budget.give(back: tries)
    #expect(try budget.take(1, store) == .tries(1))
    for _ in misses..<max(misses + 1, 5) { _ = try store.countMiss() }
    guard case .waitOut = try budget.take(1, store) else { return #expect(Bool(false), "the wait is on") }
  }

  @Test(arguments: [ReturnedParts.attributes, .data])
  func `a search for one answers one and no page behind it`(parts: ReturnedParts) {
    let test = TestKeychain()
    for number in 0..<3 { _ = test.add("p\(number)", "v\(number)") }
    let query = ItemQuery(itemClass: .genericPassword, attributes: ItemAttributes([.service: .text("mail")]))
    let page = test.ask(.find(FindRequest(query: query, returns: parts))).page
    #expect(page?.items.count == 1)
    #expect(page?.next == nil)
  }

  @Test(arguments: [ReturnedParts.attributes, .data])
  func `a search for one goes on behind pages without a match`(parts: ReturnedParts) {
    let test = TestKeychain(rowsPerPage: 2)
    for number in 0..<9 { _ = test.add("p\(number)", "v\(number)") }
    var query = ItemQuery(itemClass: .genericPassword, attributes: ItemAttributes([.account: .text("p8")]))
    let page = test.ask(.find(FindRequest(query: query, returns: parts))).page
    #expect(page?.items.count == 1 && page?.next == nil)
    query.attributes[.account] = .text("p9")
    #expect(test.ask(.find(FindRequest(query: query, returns: parts))).reason == .itemNotFound)
  }

  @Test func `a search for one passes over what would prompt on every page`() {
    let test = TestKeychain(rowsPerPage: 2)
    for number in 0..<5 { _ = test.add("p\(number)", "v\(number)", .userPresence) }
    _ = test.add("plain", "v")
    let query = ItemQuery(itemClass: .genericPassword, attributes: ItemAttributes([.service: .text("mail")]))
    let request = KeychainRequest.find(FindRequest(query: query, returns: .data))
    #expect(test.ask(request, options: RequestOptions(interaction: .skip)).values == ["v"])
    #expect(test.authenticator.prompts == 0)
  }

  @Test(arguments: [(63, [63]), (64, [64]), (65, [64, 1]), (129, [64, 64, 1])])
  func `a page holds as many values as a reply has room for secrets`(count: Int, sizes: [Int]) {
    let test = TestKeychain()
    for number in 0..<count { _ = test.add("p\(number)", "v") }
    var request = FindRequest(query: ItemQuery(itemClass: .genericPassword, limit: .all), returns: .data)
    var pages: [Int] = []
    repeat {
      let answer = test.ask(.find(request))
      pages.append(answer.secrets.count)
      request.after = answer.page?.next
    } while request.after != nil && pages.count < 10
    #expect(pages == sizes)
  }

  @Test func `values that one reply cannot hold come page by page, each once`() {
    let test = TestKeychain()
    let sizes = [600_000, 400_000, 48_576, 1, 1_048_576, 5]
    for (number, size) in sizes.enumerated() { _ = test.add("p\(number)", String(repeating: "x", count: size)) }
    let query = ItemQuery(itemClass: .genericPassword, limit: .all)
    var request = FindRequest(query: query, returns: .data)
    var pages: [[Int]] = []
    repeat {
      let answer = test.ask(.find(request))
      pages.append(answer.secrets.map(\.count))
      request.after = answer.page?.next
    } while request.after != nil && pages.count < 10
    #expect(pages == [[600_000, 400_000, 48_576], [1], [1_048_576], [5]])
  }
}
