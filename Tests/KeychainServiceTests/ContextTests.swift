import AccessPolicy
import KeychainModel
import KeychainService
import LatchkeyTesting
import Testing

/// Authentication contexts: a proof given to one serves every read with it, and no other.
@Suite struct ContextTests {
  static let passcode = [MethodSet.passcode.rawValue]

  static func context(_ test: TestKeychain, peer: PeerFacts = TestKeychain.peer()) throws -> RequestOptions {
    guard case .context(let number) = test.ask(.context(.create), peer: peer).reply else {
      throw Refusal(.internalFailure)
    }
    return RequestOptions(context: number)
  }

  @Test func `an evaluated context opens three items with no more prompts; without it each asks`() throws {
    let test = TestKeychain()
    for account in ["a", "b", "c"] { _ = test.add(account, account, .userPresence) }
    let options = try Self.context(test)
    #expect(test.ask(.context(.evaluate(alternatives: Self.passcode)), options: options).reason == nil)
    #expect(test.authenticator.prompts == 1)
    for account in ["a", "b", "c"] { #expect(test.read(account, options: options).values == [account]) }
    #expect(test.authenticator.prompts == 1)
    for account in ["a", "b", "c"] { _ = test.read(account) }
    #expect(test.authenticator.prompts == 4)
    #expect(test.log.records.first?.action == "evaluate")
  }

  @Test(arguments: [InteractionMode.skip, .fail])
  func `what a context proved is neither skipped nor refused where no prompt is allowed`(mode: InteractionMode) throws {
    let test = TestKeychain()
    _ = test.add("a", "value", .userPresence)
    let word = RequestOptions(applicationPassword: 1)
    let control = try AccessControl(accessibility: .whenUnlocked, flags: .applicationPassword)
    let sealed = AddRequest(
      itemClass: .genericPassword, attributes: TestKeychain.name("p"), accessControl: control, value: 0)
    #expect(test.ask(.add(sealed), options: word, secrets: ["secret", "word"]).reason == nil)
    var options = try Self.context(test)
    options.interaction = mode
    let name = ItemQuery(itemClass: .genericPassword, attributes: TestKeychain.name("a"))
    for returns in [ReturnedParts.attributes, [], .data] {
      let missing = test.ask(.find(FindRequest(query: name, returns: returns)), options: options)
      #expect(missing.reason == (mode == .skip ? .itemNotFound : .interactionNotAllowed))
    }
    var asking = options
    asking.interaction = .allow
    #expect(test.ask(.context(.evaluate(alternatives: Self.passcode)), options: asking).reason == nil)
    for returns in [ReturnedParts.attributes, [], .data] {
      let there = test.ask(.find(FindRequest(query: name, returns: returns)), options: options)
      #expect(there.page?.items.count == 1, "\(returns)")
    }
    // The passcode is not the application's password.
    let other = FindRequest(
      query: ItemQuery(itemClass: .genericPassword, attributes: TestKeychain.name("p")), returns: .attributes)
    let shut = test.ask(.find(other), options: options)
    #expect(shut.reason == (mode == .skip ? .itemNotFound : .interactionNotAllowed))
    options.applicationPassword = 0
    #expect(test.ask(.find(other), options: options, secrets: ["word"]).page?.items.count == 1)
    #expect(test.authenticator.prompts == 1)
  }

  @Test func `a fresh context asks at its first read and not at its second`() throws {
    let test = TestKeychain()
    _ = test.add("a", "value", .userPresence)
    let options = try Self.context(test)
    for _ in 0..<2 { #expect(test.read("a", options: options).values == ["value"]) }
    #expect(test.authenticator.prompts == 1)
  }

  @Test func `a context kept for ever stops opening items at the end of the policy's window`() throws {
    for (seconds, prompts) in [(UInt32(299), 1), (300, 2), (301, 2)] {
      let test = TestKeychain()
      _ = test.add("a", "value", .userPresence)
      let options = try Self.context(test)
      _ = test.ask(.context(.evaluate(alternatives: Self.passcode)), options: options)
      test.clock.advance(seconds: seconds)
      _ = test.read("a", options: options)
      #expect(test.authenticator.prompts == prompts, "after \(seconds) s")
    }
  }

  @Test func `a context of another process is refused as such, whatever it is asked for`() throws {
    let test = TestKeychain()
    let options = try Self.context(test)
    let biometry = [MethodSet.biometry.rawValue]
    let accessControl = try AccessControl(accessibility: .whenUnlocked, flags: .biometryAny)
    let requests: [ContextRequest] = [
      .canEvaluate(alternatives: biometry), .evaluate(alternatives: biometry),
      .evaluateAccessControl(accessControl, .decrypt),
    ]
    for request in requests {
      #expect(
        test.ask(.context(request), options: options, peer: TestKeychain.peer(pid: 101)).reason == .contextInvalid)
      #expect(test.ask(.context(request), options: options).reason == .biometryNotAvailable)
    }
    #expect(test.ask(.context(.evaluate(alternatives: biometry))).reason == .contextInvalid)
  }

  @Test func `an invalidated context opens nothing and asks nothing`() throws {
    let test = TestKeychain()
    _ = test.add("a", "value", .userPresence)
    let options = try Self.context(test)
    _ = test.ask(.context(.evaluate(alternatives: Self.passcode)), options: options)
    #expect(test.ask(.context(.invalidate), options: options).reason == nil)
    #expect(test.read("a", options: options).reason == .contextInvalid)
    #expect(test.ask(.context(.evaluate(alternatives: Self.passcode)), options: options).reason == .contextInvalid)
    #expect(test.authenticator.prompts == 1)
  }

  @Test func `another process cannot use a context, evaluated or not`() throws {
    let test = TestKeychain()
    _ = test.add("a", "value", .userPresence)
    let options = try Self.context(test)
    _ = test.ask(.context(.evaluate(alternatives: Self.passcode)), options: options)
    let other = TestKeychain.peer(pid: 101)
    #expect(test.read("a", options: options, peer: other).reason == .contextInvalid)
    #expect(
      test.ask(.context(.evaluate(alternatives: Self.passcode)), options: options, peer: other).reason
        == .contextInvalid)
  }

  @Test func `evaluating needs a context and a method that can run`() throws {
    let test = TestKeychain()
    #expect(test.ask(.context(.evaluate(alternatives: Self.passcode))).reason == .contextInvalid)
    let options = try Self.context(test)
    let biometry = [MethodSet.biometry.rawValue]
    #expect(test.ask(.context(.evaluate(alternatives: biometry)), options: options).reason == .biometryNotAvailable)
    for bad in [[], [0], [255]] as [[UInt8]] {
      #expect(test.ask(.context(.evaluate(alternatives: bad)), options: options).reason == .invalidParameter)
    }
    #expect(test.authenticator.prompts == 0)
  }

  @Test func `an access control is evaluated by what it wants`() throws {
    let test = TestKeychain()
    _ = test.add("a", "value", .userPresence)
    let options = try Self.context(test)
    let plain = try AccessControl(accessibility: .whenUnlocked, flags: [])
    #expect(test.ask(.context(.evaluateAccessControl(plain, .decrypt)), options: options).reply == .done(count: 0))
    #expect(test.authenticator.prompts == 0)
    let presence = try AccessControl(accessibility: .whenUnlocked, flags: .userPresence)
    #expect(test.ask(.context(.evaluateAccessControl(presence, .decrypt)), options: options).reply == .done(count: 1))
    #expect(test.read("a", options: options).values == ["value"])
    #expect(test.authenticator.prompts == 1)
    let fresh = try Self.context(test)
    #expect(test.ask(.context(.evaluateAccessControl(presence, .encrypt)), options: fresh).reply == .done(count: 0))
    #expect(test.authenticator.prompts == 1, "adding asks nobody")
    let bound = try AccessControl(accessibility: .whenUnlocked, flags: .biometryCurrentSet)
    #expect(test.ask(.context(.evaluateAccessControl(bound, .decrypt)), options: fresh).reason == .biometryNotAvailable)
    let finger = try AccessControl(accessibility: .whenUnlocked, flags: .biometryAny)
    #expect(
      test.ask(.context(.evaluateAccessControl(finger, .decrypt)), options: options).reason == .biometryNotAvailable)
  }

  /// A policy that lets a proof serve the whole process for five minutes.
  static var processWide: ServicePolicy {
    var policy = ServicePolicy.builtIn
    policy.reuse = Reuse(windowSeconds: 300, scope: .process)
    return policy
  }

  @Test func `a fresh context takes an earlier proof only as far back as the program lets it`() throws {
    for (allowed, later, prompts) in [
      (UInt32(5), UInt32(4), 1), (5, 5, 2), (5, 6, 2), (0, 0, 2), (300, 299, 1), (.max, 299, 1), (.max, 300, 2),
    ] {
      let test = TestKeychain(policy: Self.processWide)
      _ = test.add("a", "value", .userPresence)
      _ = test.read("a")
      let options = try Self.context(test)
      #expect(test.ask(.context(.allowReuse(seconds: allowed)), options: options).reply == .done(count: 1))
      test.clock.advance(seconds: later)
      #expect(test.read("a", options: options).values == ["value"])
      #expect(test.authenticator.prompts == prompts, "\(allowed) s allowed, \(later) s later")
    }
  }

  @Test
  func `a context that says nothing of earlier proofs asks each time, requests without one do as the policy says`()
    throws
  {
    let test = TestKeychain(policy: Self.processWide)
    _ = test.add("a", "value", .userPresence)
    for prompts in 1...3 {
      _ = test.read("a", options: try Self.context(test))
      #expect(test.authenticator.prompts == prompts)
    }
    _ = test.read("a")
    #expect(test.authenticator.prompts == 3)
  }

  @Test func `allowing reuse opens nothing that the policy keeps shut`() throws {
    let test = TestKeychain()
    _ = test.add("a", "value", .userPresence)
    _ = test.read("a")
    let options = try Self.context(test)
    _ = test.ask(.context(.allowReuse(seconds: 300)), options: options)
    _ = test.read("a", options: options)
    #expect(test.authenticator.prompts == 2)
    #expect(test.ask(.context(.allowReuse(seconds: 300))).reason == .contextInvalid)
    let other = TestKeychain.peer(pid: 101)
    #expect(test.ask(.context(.allowReuse(seconds: 300)), options: options, peer: other).reason == .contextInvalid)
  }

  @Test func `the contexts of a process that has ended go, with their proofs`() throws {
    let test = TestKeychain()
    let options = try Self.context(test)
    _ = test.ask(.context(.evaluate(alternatives: Self.passcode)), options: options)
    #expect(test.ask(.context(.invalidate), options: options).reason == nil, "one that lives is known")
    test.host.end(TestKeychain.peer().process)
    _ = try Self.context(test, peer: TestKeychain.peer(pid: 101))
    #expect(test.ask(.context(.invalidate), options: options).reason == .contextInvalid)
  }

  @Test(arguments: [(63, false), (64, true), (65, true)])
  func `a process has 64 contexts, one more takes the place of its oldest`(more: Int, isGone: Bool) throws {
    let test = TestKeychain()
    let neighbour = try Self.context(test, peer: TestKeychain.peer(pid: 101))
    let first = try Self.context(test)
    for _ in 0..<more { _ = try Self.context(test) }
    #expect((test.ask(.context(.invalidate), options: first).reason == .contextInvalid) == isGone)
    #expect(test.ask(.context(.invalidate), options: neighbour, peer: TestKeychain.peer(pid: 101)).reason == nil)
  }

  @Test func `what stands for the enrolled fingers changes with them and is not their hash`() throws {
    let test = TestKeychain(enrolment: .enrolled([1, 2]))
    guard case .enrolment(let first) = test.ask(.context(.enrolment)).reply else { throw Refusal(.internalFailure) }
    #expect(first.count == 32 && first != [1, 2])
    #expect(test.ask(.context(.enrolment)).reply == .enrolment(first))
    test.enrolment.set(.enrolled([1, 2, 3]))
    #expect(test.ask(.context(.enrolment)).reply != .enrolment(first))
    test.enrolment.set(.nothingEnrolled)
    #expect(test.ask(.context(.enrolment)).reason == .biometryNotEnrolled)
    test.enrolment.set(.unavailable(Refusal(.biometryNotAvailable)))
    #expect(test.ask(.context(.enrolment)).reason == .biometryNotAvailable)
  }
}
