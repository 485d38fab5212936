import AccessPolicy
import KeychainModel
import Testing

/// Each rule by itself: what it lets pass and what it stops.
struct RuleTests {
  // MARK: Operation

  @Test func `a plain item is read without proof`() { #expect(Scene.request().answer == .allow) }

  @Test func `a protected item is not read without proof`() {
    #expect(asked(Scene.request(.userPresence).answer) == [.biometry, .passcode])
  }

  @Test func `an operation that the item denies is refused whatever is proved`() {
    let request = Scene.request(.privateKeyUsage) { $0.evidence = [Proof.of(.passcode), Proof.of(.biometry)] }
    #expect(request.answer == .deny(.operationDenied))
  }

  @Test func `adding a protected item needs no proof`() {
    let request = Scene.request(.userPresence) {
      $0.operation = .encrypt
      $0.presence = .new
      $0.policy.require = .devicePasscode
    }
    #expect(request.answer == .allow)
  }

  @Test func `replacing a protected value needs the proof that reading it needs`() {
    let request = Scene.request(.devicePasscode) { $0.operation = .encrypt }
    #expect(asked(request.answer) == [.passcode])
  }

  @Test func `replacing a plain value needs no proof`() {
    #expect(Scene.request { $0.operation = .encrypt }.answer == .allow)
  }

  @Test(arguments: [AccessControlFlags.userPresence, .devicePasscode, [.biometryAny, .devicePasscode]])
  func `deleting a protected item needs no proof`(_ flags: AccessControlFlags) {
    let request = Scene.request(flags) {
      $0.operation = .delete
      $0.policy.require = .userPresence
    }
    #expect(request.answer == .allow)
  }

  private func overriding(_ operation: ItemOperation, _ rule: OperationRule) -> AccessRequest {
    Scene.request {
      $0.accessControl = try! AccessControl(accessibility: .whenUnlocked, overrides: [operation: rule])
      $0.operation = operation
      $0.presence = .new
    }
  }

  @Test func `an override makes deleting and adding ask`() {
    #expect(asked(overriding(.delete, .constrained(.passcode)).answer) == [.passcode])
    #expect(asked(overriding(.encrypt, .constrained(.biometryAny)).answer) == [.biometry])
  }

  @Test func `an override makes deleting and adding impossible`() {
    #expect(overriding(.delete, .denied).answer == .deny(.operationDenied))
    #expect(overriding(.encrypt, .denied).answer == .deny(.operationDenied))
  }

  @Test func `an override allows what the flags would not`() {
    var request = Scene.request(.userPresence)
    request.accessControl = try! AccessControl(
      accessibility: .whenUnlocked, flags: .userPresence, overrides: [.decrypt: .allowed])
    #expect(request.answer == .allow)
  }

  // MARK: Constraint trees

  @Test func `and needs both proofs, and either alone leaves the other to be asked`() {
    var request = Scene.request([.biometryAny, .and, .devicePasscode])
    #expect(asked(request.answer) == [[.passcode, .biometry]])
    request.evidence = [Proof.of(.biometry)]
    #expect(asked(request.answer) == [.passcode])
    request.evidence = [Proof.of(.passcode)]
    #expect(asked(request.answer) == [.biometry])
    request.evidence = [Proof.of(.passcode), Proof.of(.biometry)]
    #expect(request.answer == .allow)
  }

  @Test func `or is satisfied by one proof`() {
    var request = Scene.request([.biometryAny, .or, .devicePasscode])
    #expect(asked(request.answer) == [.biometry, .passcode])
    request.evidence = [Proof.of(.passcode)]
    #expect(request.answer == .allow)
  }

  @Test func `a passcode does not open an item that wants a finger`() {
    let request = Scene.request(.biometryAny) { $0.evidence = [Proof.of(.passcode)] }
    #expect(asked(request.answer) == [.biometry])
  }

  @Test func `a finger does not open an item that wants the passcode`() {
    let request = Scene.request(.devicePasscode) { $0.evidence = [Proof.of(.biometry)] }
    #expect(asked(request.answer) == [.passcode])
  }

  // MARK: Methods

  @Test func `an item that wants a paired device is not available`() {
    #expect(Scene.request(.companion).answer == .deny(.companionNotAvailable))
    #expect(Scene.request([.companion, .biometryAny]).answer == .deny(.companionNotAvailable))
  }

  @Test func `a paired device or the passcode leaves the passcode`() {
    #expect(asked(Scene.request([.companion, .or, .devicePasscode]).answer) == [.passcode])
  }

  @Test func `a method that the policy allows is asked`() {
    #expect(asked(Scene.request(.userPresence) { $0.policy.methods = .passcode }.answer) == [.passcode])
  }

  @Test func `an item whose methods the policy does not allow is refused`() {
    #expect(Scene.request(.biometryAny) { $0.policy.methods = .passcode }.answer == .deny(.noMethodAllowed))
    #expect(
      Scene.request([.biometryAny, .devicePasscode]) { $0.policy.methods = .passcode }.answer
        == .deny(.noMethodAllowed), "the rest of an and is never enough")
  }

  @Test func `a proof by a method that the policy no longer allows does not count`() {
    let request = Scene.request(.userPresence) {
      $0.policy.methods = .passcode
      $0.evidence = [Proof.of(.biometry)]
    }
    #expect(asked(request.answer) == [.passcode])
  }

  @Test func `a constraint that asks for one of none is refused`() {
    #expect(overriding(.decrypt, .constrained(.anyOf([]))).answer == .deny(.noMethodAllowed))
  }

  // MARK: Remote

  @Test func `a local session may read where remote ones may not`() {
    #expect(Scene.request { $0.policy.remote = .deny }.answer == .allow)
  }

  @Test(arguments: [PeerFacts.Origin.remote, .unknown], ItemOperation.allCases)
  func `a remote session and one of unknown origin are refused`(_ origin: PeerFacts.Origin, _ operation: ItemOperation)
  {
    let request = Scene.request {
      $0.policy.remote = .deny
      $0.peer.origin = origin
      $0.operation = operation
    }
    #expect(request.answer == .deny(.remoteDenied))
  }

  @Test(arguments: [PeerFacts.Origin.remote, .unknown])
  func `a remote session is asked the passcode only`(_ origin: PeerFacts.Origin) {
    #expect(asked(Scene.request(.userPresence) { $0.peer.origin = origin }.answer) == [.passcode])
    #expect(Scene.request(.biometryAny) { $0.peer.origin = origin }.answer == .deny(.remoteMethodDenied))
  }

  @Test func `a remote session may use any method where the policy says so`() {
    let request = Scene.request(.userPresence) {
      $0.peer.origin = .remote
      $0.policy.remote = .any
    }
    #expect(asked(request.answer) == [.biometry, .passcode])
  }

  @Test func `a finger shown in a local session does not serve a remote one`() {
    let request = Scene.request(.userPresence) {
      $0.peer.origin = .remote
      $0.evidence = [Proof.of(.biometry)]
    }
    #expect(asked(request.answer) == [.passcode])
  }

  // MARK: Callers

  private func called(_ standing: CallerStanding, _ rules: [CallerRule]?) -> AccessRequest {
    Scene.request {
      $0.callerStanding = standing
      $0.policy.callers = rules
    }
  }
  private let rules = [CallerRule(executable: "/usr/bin/mail", groups: [])]

  @Test func `a listed program may use the service`() { #expect(called(.listed, rules).answer == .allow) }

  @Test func `a program that is not listed may not, not even delete`() {
    #expect(called(.notListed, rules).answer == .deny(.callerNotAllowed))
    var request = called(.notListed, rules)
    request.operation = .delete
    #expect(request.answer == .deny(.callerNotAllowed))
  }

  @Test func `a program that nobody looked up may not`() {
    #expect(called(.unrestricted, rules).answer == .deny(.callerNotAllowed))
    #expect(called(.notListed, nil).answer == .deny(.callerNotAllowed))
  }

  @Test func `a program that is not known may not, where programs are named`() {
    var request = called(.listed, rules)
    request.peer.executable = nil
    #expect(request.answer == .deny(.callerNotAllowed))
    request.policy.callers = nil
    #expect(request.answer == .allow)
  }

  // MARK: Require

  @Test(arguments: [ItemOperation.decrypt, .encrypt, .sign, .keyAgreement])
  func `a floor protects a plain item's value`(_ operation: ItemOperation) {
    let request = Scene.request {
      $0.policy.require = .devicePasscode
      $0.operation = operation
    }
    #expect(asked(request.answer) == [.passcode])
    var proved = request
    proved.evidence = [Proof.of(.passcode)]
    #expect(proved.answer == .allow)
  }

  @Test func `a floor adds to what the item itself needs`() {
    let request = Scene.request(.biometryAny) { $0.policy.require = .devicePasscode }
    #expect(asked(request.answer) == [[.passcode, .biometry]])
  }

  @Test func `every further floor must be met too`() {
    let request = Scene.request { $0.policy.requireAlso = [.userPresence, .biometryAny] }
    #expect(asked(request.answer) == [.biometry])
  }

  @Test func `a floor of an application password refuses items without one`() {
    let change: (inout AccessRequest) -> Void = { $0.policy.require = .applicationPassword }
    #expect(Scene.request(change: change).answer == .deny(.applicationPasswordRequired))
    #expect(Scene.request(.applicationPassword, change: change).answer == .allow)
  }

  @Test func `a floor of private-key use refuses reading and allows signing`() {
    let change: (inout AccessRequest) -> Void = { $0.policy.require = .privateKeyUsage }
    #expect(Scene.request(change: change).answer == .deny(.operationDenied))
    #expect(
      Scene.request(.privateKeyUsage) {
        change(&$0); $0.operation = .sign
      }.answer == .allow)
  }

  @Test func `a floor of flags that cannot stand together refuses`() {
    #expect(Scene.request { $0.policy.require = [.or, .and] }.answer == .deny(.policyInvalid))
  }

  // MARK: Enrolment

  @Test func `an item bound to the enrolled fingers opens with one of them`() {
    var request = Scene.request(.biometryCurrentSet)
    guard case .authenticate(let requirement) = request.answer else { return fail("no prompt") }
    #expect(requirement.boundEnrolment && requirement.alternatives == [.biometry])
    request.evidence = [Proof.of(.biometry)]
    #expect(request.answer == .allow)
  }

  @Test(arguments: [(Scene.fingers, Scene.otherFingers), (Scene.fingers, nil), (nil, Scene.fingers), (nil, nil)])
  func `an item whose fingers changed is invalidated`(_ bound: [UInt8]?, _ current: [UInt8]?) {
    var request = Scene.request([.biometryCurrentSet, .or, .devicePasscode]) {
      $0.boundEnrolment = bound
      $0.currentEnrolment = current
      $0.evidence = [Proof.of(.biometry) { $0.enrolment = current }, Proof.of(.passcode)]
    }
    #expect(request.answer == .deny(.invalidatedByEnrolment))
    request.operation = .delete
    #expect(request.answer == .allow, "deleting it and adding it again works")
  }

  @Test func `biometryAny survives a change of the fingers`() {
    let request = Scene.request(.biometryAny) { $0.currentEnrolment = Scene.otherFingers }
    #expect(asked(request.answer) == [.biometry])
  }
}
