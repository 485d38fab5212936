import AccessPolicy
import KeychainModel
import TestSupport
import Testing

/// Adding a restriction never turns a refusal or a prompt into an allowance.
struct MonotonicityTests {
  /// One restriction: what it is called and how it is added.
  struct Restriction: Sendable, CustomTestStringConvertible {
    let name: String
    let add: @Sendable (inout AccessRequest, inout SeededGenerator) -> Void
    var testDescription: String { name }
  }

  static let restrictions: [Restriction] = [
    Restriction(name: "a method less") { request, random in
      request.policy.methods.remove(random.pick([.passcode, .biometry]))
    },
    Restriction(name: "a floor more") { request, random in request.policy.requireAlso.append(random.floor()) },
    Restriction(name: "a first floor") { request, random in
      if request.policy.require.isEmpty { request.policy.require = random.floor() }
    },
    Restriction(name: "a stricter rule for remote sessions") { request, _ in
      request.policy.remote = RemoteRule(rawValue: max(request.policy.remote.rawValue, 1) - 1)!
    },
    Restriction(name: "a narrower scope") { request, _ in
      request.policy.reuse.scope = ReuseScope(rawValue: max(request.policy.reuse.scope.rawValue, 1) - 1)!
    },
    Restriction(name: "a shorter window") { request, _ in request.policy.reuse.windowSeconds /= 2 },
    Restriction(name: "a list of programs") { request, _ in request.policy.callers = request.policy.callers ?? [] },
    Restriction(name: "not being listed") { request, _ in request.callerStanding = .notListed },
    Restriction(name: "a program that is not known") { request, _ in request.peer.executable = nil },
    Restriction(name: "a remote session") { request, random in
      request.peer.origin = random.pick([.remote, .unknown])
    },
    Restriction(name: "a lock") { request, random in
      guard request.keybag == .unlocked else { return }
      request.keybag = random.pick([.beforeFirstUnlock, .locked, .passcodeChanged, .damaged])
    },
    Restriction(name: "a proof less") { request, _ in _ = request.evidence.popLast() },
    Restriction(name: "another enrolment") { request, _ in request.currentEnrolment = [9] },
    Restriction(name: "an item bound to nothing") { request, _ in request.boundEnrolment = nil },
    Restriction(name: "a rule of the item's own that is stricter") { request, _ in
      let control = request.accessControl
      var overrides = control.overrides
      switch control.rule(for: request.operation) {
      case .allowed: overrides[request.operation] = .constrained(.userPresence)
      case .constrained(let tree): overrides[request.operation] = .constrained(.allOf([tree, .passcode]))
      case .denied: overrides[request.operation] = .denied
      }
      request.accessControl = try! AccessControl(
        accessibility: control.accessibility, flags: control.flags, overrides: overrides)
    },
    Restriction(name: "later") { request, _ in
      if request.evidence.allSatisfy({ $0.provedAt <= request.now }) { request.now = request.now.adding(seconds: 45) }
    },
    Restriction(name: "another boot") { request, _ in request.bootID = [2] },
    Restriction(name: "nothing fresh") { request, _ in request.freshSince = nil },
    Restriction(name: "no context") { request, _ in request.context = nil },
  ]

  @Test(arguments: restrictions)
  func `a restriction never opens anything`(_ restriction: Restriction) {
    var random = SeededGenerator(seed: 0xAB)
    var bites = 0
    for request in Pool.requests.prefix(15_000) {
      var restricted = request
      restriction.add(&restricted, &random)
      let (before, after) = (request.answer, restricted.answer)
      if before.isAllow && !after.isAllow { bites += 1 }
      if after.isAllow && !before.isAllow {
        return fail("\(restriction.name) opened \(describe(request))")
      }
    }
    #expect(bites > 0, "the restriction never mattered: the test could not fail")
  }

  @Test func `the meet never allows what a layer refuses or asks a proof for`() {
    var random = SeededGenerator(seed: 0xCD)
    var allowed = 0
    for one in Pool.requests {
      var other = one
      other.policy = random.policy()
      var both = one
      both.policy = ServicePolicy.meet(one.policy, other.policy)
      let answers = (one.answer, other.answer, both.answer)
      if answers.2.isAllow {
        allowed += 1
        if !answers.0.isAllow || !answers.1.isAllow {
          return fail("the meet allows what a layer does not: \(describe(both))")
        }
      }
    }
    #expect(allowed > 500)
  }

  @Test func `the canonical spelling of a policy decides the same`() {
    for request in Pool.requests {
      var respelled = request
      respelled.policy = request.policy.canonical
      let (before, after) = (request.answer, respelled.answer)
      if before.rank != after.rank || asked(before) != asked(after) { return fail("respelling: \(describe(request))") }
    }
  }

  @Test func `a policy that is not looser allows nothing that the other does not`() {
    var random = SeededGenerator(seed: 0xEF)
    var compared = 0
    for var request in Pool.requests {
      let old = request.policy
      var new = old
      let donor = random.policy()
      if random.chance(2) { new.require = donor.require }
      if random.chance(2) { new.methods = donor.methods }
      if random.chance(3) { new.remote = donor.remote }
      if random.chance(3) { new.reuse = donor.reuse }
      if random.chance(3) { new.callers = donor.callers }
      if new.isLooser(than: old) { continue }
      compared += 1
      let before = request.answer
      request.policy = new
      if request.answer.isAllow && !before.isAllow { return fail("\(new) against \(describe(request))") }
    }
    #expect(compared > 1000)
  }
}
