import AccessPolicy
import KeychainModel
import TestSupport
import Testing

struct PolicyMeetTests {
  private func meet(_ one: ServicePolicy, _ other: ServicePolicy) -> ServicePolicy { .meet(one, other) }

  private func policy(change: (inout ServicePolicy) -> Void) -> ServicePolicy {
    var policy = Scene.policy
    change(&policy)
    return policy
  }

  @Test func `the meet is commutative, associative and idempotent`() throws {
    var random = SeededGenerator(seed: 17)
    for _ in 0..<1500 {
      let (a, b, c) = (random.policy(), random.policy(), random.policy())
      try #require(meet(a, b).canonicalBytes == meet(b, a).canonicalBytes)
      try #require(meet(meet(a, b), c).canonicalBytes == meet(a, meet(b, c)).canonicalBytes)
      try #require(meet(a, a) == a.canonical)
      try #require(meet(a, b).canonical == meet(a, b))
    }
  }

  @Test func `the meet is never looser than a layer`() throws {
    var random = SeededGenerator(seed: 18)
    for _ in 0..<1500 {
      let (a, b) = (random.policy(), random.policy())
      try #require(!meet(a, b).isLooser(than: a))
      try #require(!meet(a, b).isLooser(than: b))
      try #require(!a.isLooser(than: a))
    }
  }

  @Test func `the smaller numbers, the narrower scope and the stricter rule hold`() {
    let one = policy {
      $0.tries = 2
      $0.deadlineSeconds = 90
      $0.remote = .any
      $0.reuse = Reuse(windowSeconds: 10, scope: .session)
      $0.cacheTimeoutSeconds = 5
      $0.dropOn = .lock
      $0.methods = .all
    }
    let other = policy {
      $0.tries = 4
      $0.deadlineSeconds = 30
      $0.remote = .deny
      $0.reuse = Reuse(windowSeconds: 20, scope: .context)
      $0.cacheTimeoutSeconds = 50
      $0.dropOn = .logout
      $0.methods = .biometry
    }
    let both = meet(one, other)
    #expect(both.tries == 2)
    #expect(both.deadlineSeconds == 30)
    #expect(both.remote == .deny)
    #expect(both.reuse == Reuse(windowSeconds: 10, scope: .context))
    #expect(both.cacheTimeoutSeconds == 5)
    #expect(both.dropOn == [.lock, .logout])
    #expect(both.methods == .biometry)
  }

  @Test func `methods without a common one leave none`() {
    let both = meet(policy { $0.methods = .passcode }, policy { $0.methods = .biometry })
    #expect(both.methods.isEmpty)
    #expect(Scene.request(.userPresence) { $0.policy = both }.answer == .deny(.noMethodAllowed))
  }

  @Test func `floors that cannot go into one set stand side by side, and both must be met`() {
    let either = policy { $0.require = [.biometryAny, .or, .devicePasscode] }
    let both = policy { $0.require = [.biometryAny, .and, .companion] }
    #expect(Set(meet(either, both).floors) == [[.biometryAny, .and, .companion]], "the second asks for more")
    let finger = policy { $0.require = [.biometryAny, .or, .companion] }
    let passcode = policy { $0.require = [.devicePasscode, .or, .companion] }
    let united = meet(finger, passcode)
    #expect(united.floors.count == 2)
    let request = Scene.request { $0.policy = united }
    #expect(asked(request.answer) == [[.passcode, .biometry]])
  }

  @Test func `a floor that another implies is left out`() {
    let presence = policy { $0.require = .userPresence }
    let passcode = policy { $0.require = .devicePasscode }
    #expect(meet(presence, passcode).floors == [.devicePasscode])
    let any = policy { $0.require = .biometryAny }
    let current = policy { $0.require = .biometryCurrentSet }
    #expect(meet(any, current).floors == [.biometryCurrentSet])
    #expect(meet(policy { $0.require = .or }, any).floors == [.biometryAny], "a joiner alone asks for nothing")
  }

  @Test func `programs must be named by both, with the groups of both`() {
    let one = policy {
      $0.callers = [
        CallerRule(executable: "/b", groups: ["x", "y"]), CallerRule(executable: "/a", groups: []),
        CallerRule(executable: "/b", groups: ["z"]),
      ]
    }
    let other = policy { $0.callers = [CallerRule(executable: "/b", groups: ["z", "y", "w"])] }
    #expect(meet(one, other).callers == [CallerRule(executable: "/b", groups: ["y", "z"])])
    #expect(meet(one, policy { $0.callers = [] }).callers == [])
    #expect(
      meet(Scene.policy, other).callers == [CallerRule(executable: "/b", groups: [])], "a group is what both give")
    #expect(meet(Scene.policy, Scene.policy).callers == nil)
  }

  @Test func `paths of the same look and other bytes are other programs`() {
    let composed = policy { $0.callers = [CallerRule(executable: "/caf\u{E9}", groups: [])] }
    let decomposed = policy { $0.callers = [CallerRule(executable: "/cafe\u{301}", groups: [])] }
    #expect(meet(composed, decomposed).callers == [])
  }

  @Test func `the user's programs count only where no system policy speaks`() {
    let system = policy { $0.tries = 2 }
    let user = policy { $0.callers = [CallerRule(executable: "/mine", groups: ["g"])] }
    #expect(ServicePolicy.effective(system: system, user: user).callers == nil)
    #expect(ServicePolicy.effective(system: nil, user: user).callers == user.callers)
    let listed = policy { $0.callers = [CallerRule(executable: "/theirs", groups: [])] }
    #expect(ServicePolicy.effective(system: listed, user: user).callers == listed.callers)
  }

  @Test func `a shipped policy serves only where neither layer speaks`() {
    let shipped = policy { $0.tries = 1 }
    #expect(ServicePolicy.effective(system: nil, user: nil, shipped: shipped).tries == 1)
    #expect(ServicePolicy.effective(system: nil, user: Scene.policy, shipped: shipped).tries == 3)
    #expect(ServicePolicy.effective(system: Scene.policy, user: nil, shipped: shipped).tries == 3)
    #expect(ServicePolicy.effective(system: nil, user: nil) == .builtIn)
  }

  /// One change each: looser one way, stricter the other.
  static let loosenings: [@Sendable (inout ServicePolicy) -> Void] = [
    { $0.require = .userPresence },
    { $0.require = [.biometryAny, .devicePasscode, .applicationPassword] },
    { $0.require = [.biometryCurrentSet, .devicePasscode] },
    { $0.require = [.biometryCurrentSet, .applicationPassword] },
    { $0.require = [.biometryCurrentSet, .or, .devicePasscode, .applicationPassword] },
    { $0.require = [] },
    { $0.methods = .all },
    { $0.tries = 4 },
    { $0.deadlineSeconds = 61 },
    { $0.remote = .any },
    { $0.reuse.windowSeconds = 61 },
    { $0.reuse.scope = .session },
    { $0.cacheTimeoutSeconds = 601 },
    { $0.dropOn = [.lock, .suspend] },
    { $0.callers?[0].groups.append("more") },
    { $0.callers?.append(CallerRule(executable: "/more", groups: [])) },
  ]

  @Test(arguments: loosenings.indices)
  func `each loosening is seen, and its reverse is not one`(_ index: Int) {
    let strict = policy {
      $0.require = [.biometryCurrentSet, .devicePasscode, .applicationPassword]
      $0.methods = .passcode
      $0.reuse.scope = .process
      $0.callers = [CallerRule(executable: "/usr/bin/mail", groups: ["g"])]
    }
    var loose = strict
    Self.loosenings[index](&loose)
    #expect(loose.isLooser(than: strict))
    #expect(!strict.isLooser(than: loose))
  }

  @Test func `a group is a grant: to name programs with one is looser, without any it is not`() {
    let open = policy { $0.callers = nil }
    let named = policy { $0.callers = [CallerRule(executable: "/mine", groups: [])] }
    let granting = policy { $0.callers = [CallerRule(executable: "/mine", groups: ["g"])] }
    #expect(!named.isLooser(than: open))
    #expect(open.isLooser(than: named))
    #expect(granting.isLooser(than: open))
    #expect(granting.isLooser(than: named))
    #expect(open.isLooser(than: granting), "other programs come in")
  }

  @Test func `no program holds a group under the meet that either policy does not give it`() throws {
    var random = SeededGenerator(seed: 29)
    func groups(_ policy: ServicePolicy) -> [ExactText: Set<ExactText>] {
      (policy.callers ?? []).reduce(into: [:]) { $0[ExactText($1.executable), default: []].formUnion($1.groups) }
    }
    var granting = 0
    for _ in 0..<1500 {
      let (a, b) = (random.policy(), random.policy())
      let (inA, inB) = (groups(a), groups(b))
      for (program, held) in groups(meet(a, b)) {
        try #require(held == (inA[program] ?? []).intersection(inB[program] ?? []))
        granting += held.count
      }
      let isMore = inA.contains { !$0.value.isSubset(of: inB[$0.key] ?? []) }
      if isMore { try #require(a.isLooser(than: b)) }
    }
    #expect(granting > 10)
  }

  @Test func `two floors that together ask as much as one are not looser`() {
    let two = policy { $0.requireAlso = [.biometryAny, .devicePasscode] }
    let one = policy { $0.require = [.biometryAny, .and, .devicePasscode] }
    #expect(!two.isLooser(than: one))
    #expect(!one.isLooser(than: two))
  }

  @Test func `the canonical bytes are these and stay these`() {
    let policy = ServicePolicy(
      require: .userPresence, methods: .passcode, tries: 3, deadlineSeconds: 60, remote: .any,
      reuse: Reuse(windowSeconds: 0x0102, scope: .terminal), cacheTimeoutSeconds: 600, dropOn: [.lock, .logout],
      callers: [CallerRule(executable: "/é", groups: ["g"])])
    let expected: [UInt8] =
      [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 3, 0, 0, 0, 60, 2, 0, 0, 1, 2, 3, 0, 0, 2, 0x58, 5]
      + [1, 0, 0, 0, 1, 0, 0, 0, 3, 0x2F, 0xC3, 0xA9, 0, 0, 0, 1, 0, 0, 0, 1, 0x67]
    #expect(policy.canonicalBytes == expected)
  }

  @Test func `the bytes do not depend on spelling and do depend on every part`() {
    let one = policy {
      $0.require = .devicePasscode
      $0.requireAlso = [.userPresence, .biometryAny, .devicePasscode]
      $0.callers = [CallerRule(executable: "/b", groups: ["y", "x"]), CallerRule(executable: "/a", groups: [])]
    }
    let other = policy {
      $0.require = .biometryAny
      $0.requireAlso = [.devicePasscode]
      $0.callers = [
        CallerRule(executable: "/a", groups: []), CallerRule(executable: "/b", groups: ["x"]),
        CallerRule(executable: "/b", groups: ["y"]),
      ]
    }
    #expect(one.canonicalBytes == other.canonicalBytes)
    var seen: Set<[UInt8]> = [Scene.policy.canonicalBytes]
    let changes: [(inout ServicePolicy) -> Void] = [
      { $0.require = .userPresence }, { $0.require = .applicationPassword }, { $0.methods = [] }, { $0.tries = 1 },
      { $0.deadlineSeconds = 5 }, { $0.remote = .deny }, { $0.reuse.windowSeconds = 0 }, { $0.reuse.scope = .never },
      { $0.cacheTimeoutSeconds = 0 }, { $0.dropOn = [] }, { $0.callers = [] },
      { $0.callers = [CallerRule(executable: "/a", groups: [])] },
      { $0.callers = [CallerRule(executable: "/a", groups: [""])] },
      { $0.callers = [CallerRule(executable: "", groups: ["/a"])] },
    ]
    for change in changes { seen.insert(policy(change: change).canonicalBytes) }
    #expect(seen.count == changes.count + 1)
  }

  @Test func `random policies have the same bytes only where they are the same`() throws {
    var random = SeededGenerator(seed: 23)
    var seen: [[UInt8]: ServicePolicy] = [:]
    for _ in 0..<5000 {
      let policy = random.policy().canonical
      if let earlier = seen.updateValue(policy, forKey: policy.canonicalBytes) { try #require(earlier == policy) }
    }
    #expect(seen.count > 1000)
  }
}
