import AccessPolicy
import KeychainModel
import TestSupport
import Testing

/// Every combination against the oracle: the small factors in full, the big products by a seeded draw.
struct ExhaustionTests {
  /// All 148 valid combinations of flags.
  static let flags: [AccessControlFlags] = (0..<512).compactMap { bits in
    let names = AccessControlFlags.named.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element.flag)
    let flags = names.reduce(into: AccessControlFlags()) { $0.formUnion($1) }
    return (try? AccessControl(accessibility: .always, flags: flags)).map { _ in flags }
  }

  static let evidence: [[VerifiedEvidence]] = [
    [],
    [Proof.of(.passcode)],
    [Proof.of(.biometry)],
    [Proof.of(.passcode), Proof.of(.biometry)],
    [Proof.of(.passcode) { $0.provedAt = Scene.second(940) }],
    [Proof.of(.passcode) { $0.provedAt = Scene.second(1001) }, Proof.of(.biometry)],
    [Proof.of(.passcode) { $0.uid = 0 }],
    [Proof.of(.passcode) { $0.service = "com.example.other" }],
    [Proof.of(.passcode) { $0.boot = [1] }, Proof.of(.biometry) { $0.boot = [] }],
    [Proof.of(.biometry) { $0.enrolment = Scene.otherFingers }, Proof.of(.passcode)],
    [Proof.of(.biometry) { $0.enrolment = nil }],
    [Proof.of(.passcode) { $0.requester = Scene.otherProcess }],
    [Proof.of(.passcode) { $0.reuse.scope = .never }, Proof.of(.biometry) { $0.reuse.windowSeconds = 10 }],
    [Proof.of(.passcode) { $0.reuse = Reuse(windowSeconds: 0, scope: .never) }],
    [Proof.of(.passcode) { $0.service = nil }],
    [Proof.of(.biometry) { ($0.service, $0.context) = (nil, ContextIdentifier(value: 8)) }],
  ]

  static let operations: [(ItemOperation, ItemPresence)] =
    ItemOperation.allCases.map { ($0, .stored) } + [(.encrypt, .new)]

  static let policies: [ServicePolicy] = {
    let methods: [MethodSet] = [.all, .passcode, .biometry, []]
    let requires: [AccessControlFlags] = [
      [], .userPresence, .devicePasscode, [.biometryCurrentSet, .or, .devicePasscode], .applicationPassword,
      .privateKeyUsage,
    ]
    var policies: [ServicePolicy] = []
    for method in methods {
      for remote in RemoteRule.allCases {
        for require in requires {
          for scope in ReuseScope.allCases {
            var policy = Scene.policy
            policy.methods = method
            policy.remote = remote
            policy.require = require
            policy.reuse = Reuse(windowSeconds: 60, scope: scope)
            policies.append(policy)
          }
        }
      }
    }
    return policies
  }()

  @Test func `there are 148 valid combinations of flags`() { #expect(Self.flags.count == 148) }

  /// Flags x accessibility x keybag x evidence x operation in full under the scene's policy, and each of them once more
  /// under a draw of the other policies, origins, enrolments and wishes to unlock: 1.6 million cases.
  @Test(arguments: KeybagState.allCases)
  func `every combination is decided as the oracle says`(_ keybag: KeybagState) {
    var random = SeededGenerator(seed: 0x5EED + UInt64(keybag.rawValue.utf8.count))
    var cases = 0
    for flags in Self.flags {
      for accessibility in Accessibility.allCases {
        var request = Scene.request(flags, accessibility) { $0.keybag = keybag }
        for evidence in Self.evidence {
          request.evidence = evidence
          for (operation, presence) in Self.operations {
            request.operation = operation
            request.presence = presence
            for isVaried in [false, true] {
              Self.vary(&request, isVaried, &random)
              cases += 1
              let (found, expected) = (request.answer, Oracle.answer(request))
              guard found == expected else { return disagree(found, expected, request) }
            }
          }
        }
      }
    }
    #expect(cases == 148 * 7 * 16 * 7 * 2)
  }

  /// Keeps the scene, or draws the policy, the origin, the enrolment and the wish to unlock.
  static func vary(_ request: inout AccessRequest, _ isVaried: Bool, _ random: inout SeededGenerator) {
    request.policy = isVaried ? random.pick(policies) : Scene.policy
    request.peer.origin = isVaried ? random.pick([.local, .remote, .unknown]) : .local
    request.mayUnlock = isVaried && random.chance(2)
    request.currentEnrolment = isVaried && random.chance(3) ? random.pick([nil, Scene.otherFingers]) : Scene.fingers
    request.boundEnrolment = isVaried && random.chance(5) ? random.pick([nil, Scene.otherFingers]) : Scene.fingers
    request.freshSince = isVaried && random.chance(3) ? Scene.second(random.pick([989, 990, 991])) : nil
  }

  /// Everything drawn: trees of an item's own, several floors, any evidence in any number.
  @Test(arguments: 0..<8)
  func `random requests are decided as the oracle says`(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed) &* 7919 &+ 1)
    var ranks = [0, 0, 0]
    for _ in 0..<25_000 {
      let request = random.request()
      let (found, expected) = (request.answer, Oracle.answer(request))
      ranks[found.rank] += 1
      guard found == expected else { return disagree(found, expected, request) }
    }
    // The draw must reach all three answers often, or it proves little.
    #expect(ranks.allSatisfy { $0 > 1000 }, "\(ranks)")
  }

  /// Reports one case; the macro around every comparison would cost more than the decisions.
  private func disagree(_ found: Answer, _ expected: Answer, _ request: AccessRequest) {
    Issue.record("found \(found), expected \(expected) for \(describe(request))")
  }

  @Test func `the order of proofs does not matter`() {
    var random = SeededGenerator(seed: 99)
    for request in Pool.requests {
      var shuffled = request
      shuffled.evidence.shuffle(using: &random)
      if request.answer != shuffled.answer { return fail("order matters: \(describe(request))") }
    }
  }

  @Test func `a recording trace decides the same and ends with what decided`() {
    for request in Pool.requests {
      var trace = DecisionTrace.recording
      let answer = request.answer(&trace)
      if answer != request.answer || !fits(trace, answer) { return fail("\(trace): \(describe(request))") }
    }
  }

  private func fits(_ trace: DecisionTrace, _ answer: Answer) -> Bool {
    switch answer {
    case .deny(let reason): trace.entries.last?.verdict == .refuses(reason)
    case .authenticate: trace.entries.last?.verdict == .asks
    case .allow: trace.entries.allSatisfy { $0.verdict == .passes }
    }
  }

  @Test func `a trace that is off stores nothing`() {
    var trace = DecisionTrace.off
    _ = Scene.request(.userPresence) { $0.evidence = [Proof.of(.passcode)] }.answer(&trace)
    _ = Scene.request { $0.keybag = .damaged }.answer(&trace)
    #expect(trace.entries.isEmpty)
  }
}
