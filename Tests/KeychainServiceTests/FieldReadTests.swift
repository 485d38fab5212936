import AccessPolicy
import Foundation
import KeychainModel
import KeychainService
import LatchkeyTesting
import Synchronization
import TestSupport
import Testing

/// Reads and searches that software of this kind got wrong (docs/cases.md).
@Suite struct FieldReadTests {
  static func everything(_ parts: ReturnedParts) -> KeychainRequest {
    .find(FindRequest(query: ItemQuery(itemClass: .genericPassword, limit: .all), returns: parts))
  }

  /// Fifty protected items and five plain ones.
  static func crowd() -> TestKeychain {
    let test = TestKeychain()
    for number in 0..<50 { _ = test.add("protected\(number)", "p", .userPresence) }
    for number in 0..<5 { _ = test.add("plain\(number)", "v\(number)") }
    return test
  }

  @Test func `a search without prompts answers what is open, and fails or skips as it was told to`() {
    let test = Self.crowd()
    let attributes = Self.everything(.attributes)
    #expect(test.ask(attributes).page?.items.count == 55)
    #expect(test.ask(attributes, options: RequestOptions(interaction: .skip)).page?.items.count == 5)
    #expect(test.ask(attributes, options: RequestOptions(interaction: .fail)).reason == .interactionNotAllowed)
    let skipped = test.ask(Self.everything(.data), options: RequestOptions(interaction: .skip))
    #expect(skipped.values == ["v0", "v1", "v2", "v3", "v4"])
    let failed = test.ask(Self.everything(.data), options: RequestOptions(interaction: .fail))
    #expect(failed.reason == .interactionNotAllowed && failed.secrets.isEmpty)
    #expect(test.authenticator.prompts == 0)
  }

  @Test func `whether an item exists is told at once and without a prompt`() {
    let test = Self.crowd()
    func probe(_ account: String) -> Answer {
      let query = ItemQuery(itemClass: .genericPassword, attributes: TestKeychain.name(account))
      return test.ask(.find(FindRequest(query: query, returns: [])), options: RequestOptions(interaction: .fail))
    }
    let taken = ContinuousClock().measure {
      for _ in 0..<20 {
        #expect(probe("protected7").reason == .interactionNotAllowed)
        #expect(probe("plain3").page?.items.count == 1)
        #expect(probe("nobody").reason == .itemNotFound)
      }
    }
    #expect(taken / 60 < .milliseconds(50))
    #expect(test.authenticator.prompts == 0)
  }

  @Test func `eight reads that wait for one person, a second each, are all answered within ten seconds`() throws {
    let clock = RealClock()
    let authenticator = MockAuthenticator(
      passcode: "right", script: [.passcode("right")], clock: clock, milliseconds: 1000)
    let test = TestKeychain()
    _ = test.add("a", "value", .userPresence)
    let keychain = UserKeychain(
      account: UserAccountName(uid: 1000, name: "alice"), store: test.store,
      ports: ServicePorts(
        cache: MemoryKeyCache(clock: clock), authenticator: authenticator, policies: test.policies,
        enrolment: test.enrolment, log: test.log, clock: clock, host: SilentHost()))
    let query = ItemQuery(itemClass: .genericPassword, attributes: TestKeychain.name("a"))
    let done = Mutex<[String]>([])
    for number in 0..<8 {
      Thread.detachNewThread {
        let answer = keychain.answer(
          IncomingRequest(
            request: .find(FindRequest(query: query, returns: .data)), options: RequestOptions(), secrets: [],
            peer: TestKeychain.peer(pid: Int32(200 + number)), channel: TestChannel()))
        done.withLock { $0 += answer.values }
      }
    }
    #expect(eventually { done.withLock { $0.count } == 8 })
    #expect(done.withLock { $0 } == Array(repeating: "value", count: 8))
    #expect(authenticator.mostPromptsAtOnce == 1)
    #expect(authenticator.prompts == 8)
  }

  @Test func `a proof counts for its service and session and no other`() {
    var policy = ServicePolicy.builtIn
    policy.reuse = Reuse(windowSeconds: 60, scope: .session)
    let test = TestKeychain(policy: policy)
    _ = test.add("a", "value", .userPresence)
    let attributes = ItemAttributes([.service: .text("bank"), .account: .text("a")])
    let bank = try! AccessControl(accessibility: .whenUnlocked, flags: .userPresence)
    _ = test.ask(
      .add(AddRequest(itemClass: .genericPassword, attributes: attributes, accessControl: bank, value: 0)),
      secrets: ["money"])
    _ = test.read("a")
    #expect(test.read("a", peer: TestKeychain.peer(pid: 101)).values == ["value"])
    #expect(test.authenticator.prompts == 1)
    let query = ItemQuery(itemClass: .genericPassword, attributes: attributes)
    let quiet = RequestOptions(interaction: .fail)
    #expect(
      test.ask(.find(FindRequest(query: query, returns: .data)), options: quiet).reason == .interactionNotAllowed)
    let leader = ProcessIdentity(pid: 95, startTime: 95)
    let elsewhere = PeerFacts(
      uid: 1000, process: ProcessIdentity(pid: 102, startTime: 102),
      terminal: TerminalIdentity(device: 1, leader: leader), session: leader, origin: .local)
    #expect(test.read("a", options: quiet, peer: elsewhere).reason == .interactionNotAllowed)
    #expect(test.read("a", options: quiet).values == ["value"])
  }

  @Test func `the window counts from the proof and reads do not prolong it`() {
    var policy = ServicePolicy.builtIn
    policy.reuse = Reuse(windowSeconds: 60, scope: .terminal)
    let test = TestKeychain(policy: policy)
    _ = test.add("a", "value", .userPresence)
    _ = test.read("a")
    for _ in 0..<5 {
      test.clock.advance(seconds: 10)
      #expect(test.read("a").values == ["value"])
    }
    #expect(test.authenticator.prompts == 1)
    test.clock.advance(seconds: 11)
    #expect(test.read("a", options: RequestOptions(interaction: .fail)).reason == .interactionNotAllowed)
    #expect(test.read("a").values == ["value"])
    #expect(test.authenticator.prompts == 2)
  }
}
