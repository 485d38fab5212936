import AccessPolicy
import KeychainModel
import Testing

struct KeybagRuleTests {
  private func request(
    _ state: KeybagState, _ accessibility: Accessibility, _ flags: AccessControlFlags = [],
    change: (inout AccessRequest) -> Void = { _ in }
  ) -> AccessRequest {
    Scene.request(flags, accessibility) {
      $0.keybag = state
      change(&$0)
    }
  }

  /// The table of design section 4, for a plain item that no prompt may unlock.
  static let table: [(KeybagState, [Answer])] = [
    (.none, [.allow, .allow, .allow, .deny(.passcodeNotBound)]),
    (.unbound, [.allow, .allow, .allow, .deny(.passcodeNotBound)]),
    (.beforeFirstUnlock, [.allow] + Array(repeating: .deny(.beforeFirstUnlock), count: 3)),
    (.unlocked, [.allow, .allow, .allow, .allow]),
    (.locked, [.allow, .allow, .deny(.keybagLocked), .deny(.keybagLocked)]),
    (.passcodeChanged, [.allow] + Array(repeating: .deny(.passcodeChanged), count: 3)),
    (.akpuDestroyed, [.allow, .deny(.passcodeChanged), .deny(.passcodeChanged), .deny(.passcodeRemoved)]),
    (.damaged, Array(repeating: .deny(.storeDamaged), count: 4)),
  ]

  @Test(arguments: table)
  func `a plain item opens by the class and state table`(_ state: KeybagState, _ answers: [Answer]) {
    for accessibility in Accessibility.allCases {
      let found = request(state, accessibility).answer
      #expect(found == answers[Int(accessibility.protectionClass.rawValue) - 1], "\(accessibility)")
    }
  }

  @Test(arguments: [KeybagState.beforeFirstUnlock, .locked, .passcodeChanged])
  func `a protected item of a locked class asks the passcode and unlocks`(_ state: KeybagState) {
    guard case .authenticate(let requirement) = request(state, .whenUnlocked, .userPresence).answer else {
      return fail("no prompt")
    }
    #expect(requirement.unlocksKeybag)
    #expect(requirement.alternatives == [.passcode])
  }

  @Test func `an item of a locked class that wants a finger asks for finger and passcode`() {
    #expect(asked(request(.locked, .whenUnlocked, .biometryAny).answer) == [[.passcode, .biometry]])
  }

  @Test func `the passcode opens the keybag even where it is no method of the policy`() {
    let request = request(.locked, .whenUnlocked, .userPresence) { $0.policy.methods = .biometry }
    #expect(asked(request.answer) == [[.passcode, .biometry]])
  }

  @Test(arguments: [KeybagState.beforeFirstUnlock, .locked, .passcodeChanged])
  func `a proof alone opens no locked class`(_ state: KeybagState) {
    let request = request(state, .whenUnlocked, [.biometryAny, .devicePasscode]) {
      $0.evidence = [Proof.of(.passcode), Proof.of(.biometry)]
      $0.freshSince = Scene.second(980)
    }
    #expect(asked(request.answer) == [.passcode])
  }

  @Test(arguments: [KeybagState.beforeFirstUnlock, .locked, .passcodeChanged])
  func `a plain item is unlocked by a prompt only where the caller wants it`(_ state: KeybagState) {
    guard case .authenticate(let requirement) = request(state, .whenUnlocked, change: { $0.mayUnlock = true }).answer
    else { return fail("no prompt") }
    #expect(requirement.unlocksKeybag && requirement.alternatives == [.passcode])
    #expect(request(state, .whenUnlocked).answer.rank == 0)
  }

  @Test func `a finger opens a locked class while an earlier passcode lets it, and where the policy lets fingers do`() {
    let any = request(.locked, .whenUnlocked, .biometryAny) { $0.biometricUnlock = .possible }
    #expect(asked(any.answer) == [.biometry])
    let plain = request(.locked, .whenUnlocked) {
      $0.biometricUnlock = .possible
      $0.mayUnlock = true
    }
    #expect(asked(plain.answer) == [.biometry, .passcode])
    let barred = request(.locked, .whenUnlocked) {
      $0.biometricUnlock = .possible
      $0.mayUnlock = true
      $0.policy.methods = .passcode
    }
    #expect(asked(barred.answer) == [.passcode])
  }

  @Test(arguments: [KeybagState.beforeFirstUnlock, .passcodeChanged])
  func `nobody's finger opens what the passcode has not opened since the start`(_ state: KeybagState) {
    let any = request(state, .whenUnlocked, .biometryAny) { $0.biometricUnlock = .possible }
    #expect(asked(any.answer) == [[.passcode, .biometry]])
  }

  @Test func `adding to a locked class is locked, protected or not`() {
    for flags in [AccessControlFlags(), .userPresence] {
      let add = request(.locked, .whenUnlocked, flags) {
        $0.operation = .encrypt
        $0.presence = .new
      }
      #expect(add.answer == .deny(.keybagLocked))
    }
  }

  @Test(arguments: KeybagState.allCases, Accessibility.allCases)
  func `deleting is never stopped by a locked class`(_ state: KeybagState, _ accessibility: Accessibility) {
    let delete = request(state, accessibility, .userPresence) { $0.operation = .delete }
    #expect(delete.answer == (state == .damaged ? .deny(.storeDamaged) : .allow))
  }

  @Test func `an item whose key died with the passcode is deleted without a proof nobody can give`() {
    let delete = request(.akpuDestroyed, .whenPasscodeSetThisDeviceOnly) {
      $0.operation = .delete
      $0.accessControl = try! AccessControl(
        accessibility: .whenPasscodeSetThisDeviceOnly, overrides: [.delete: .constrained(.passcode)])
    }
    #expect(delete.answer == .allow)
    var alive = delete
    alive.keybag = .locked
    #expect(asked(alive.answer) == [.passcode])
  }

  @Test(arguments: [KeybagState.none, .unbound])
  func `no prompt makes a class that does not exist yet`(_ state: KeybagState) {
    let request = request(state, .whenPasscodeSetThisDeviceOnly, .userPresence) { $0.mayUnlock = true }
    #expect(request.answer == .deny(.passcodeNotBound))
  }

  @Test func `no prompt brings back what was destroyed with the passcode`() {
    for (accessibility, reason) in [
      (Accessibility.whenPasscodeSetThisDeviceOnly, Reason.passcodeRemoved), (.whenUnlocked, .passcodeChanged),
    ] {
      let request = request(.akpuDestroyed, accessibility, .userPresence) { $0.mayUnlock = true }
      #expect(request.answer == .deny(reason))
    }
  }

  @Test func `a requirement carries the policy's terms`() {
    let request = Scene.request(.userPresence) {
      $0.policy.tries = 7
      $0.policy.deadlineSeconds = 11
      $0.policy.reuse = Reuse(windowSeconds: 13, scope: .terminal)
    }
    let expected = Requirement(
      alternatives: [.biometry, .passcode], unlocksKeybag: false, boundEnrolment: false, tries: 7, deadlineSeconds: 11,
      reuse: Reuse(windowSeconds: 13, scope: .terminal), policyDigest: Scene.digest)
    #expect(request.answer == .authenticate(expected))
  }
}
