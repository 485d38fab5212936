import AccessPolicy
import KeychainModel
import Testing

struct EvidenceRuleTests {
  /// A read of a userPresence item with one proof.
  private func opens(
    _ proof: VerifiedEvidence, change: (inout AccessRequest) -> Void = { _ in }
  ) -> Bool {
    Scene.request(.userPresence) {
      $0.evidence = [proof]
      change(&$0)
    }.answer.isAllow
  }

  // MARK: Origin

  @Test(arguments: AuthenticationMethod.allCases)
  func `a good proof opens`(_ method: AuthenticationMethod) { #expect(opens(Proof.of(method))) }

  @Test func `a proof of another user does not open`() {
    #expect(!opens(Proof.of(.passcode) { $0.uid = 1001 }))
    #expect(!opens(Proof.of(.passcode) { $0.uid = 0 }), "root's passcode is nobody else's")
  }

  @Test func `a proof for another service does not open`() {
    #expect(!opens(Proof.of(.passcode) { $0.service = "com.example.Mail" }))
    #expect(!opens(Proof.of(.passcode) { $0.service = "" }))
  }

  @Test func `a proof given to a context serves any service there and nothing elsewhere`() {
    #expect(opens(Proof.of(.passcode) { $0.service = nil }))
    #expect(!opens(Proof.of(.passcode) { $0.service = nil }) { $0.context = nil })
    #expect(!opens(Proof.of(.passcode) { $0.service = nil }) { $0.context = ContextIdentifier(value: 8) })
    #expect(!opens(Proof.of(.passcode) { ($0.service, $0.context) = (nil, nil) }) { $0.context = nil })
    #expect(!opens(Proof.of(.passcode) { ($0.service, $0.requester) = (nil, Scene.otherProcess) }))
    #expect(
      !opens(Proof.of(.passcode) { ($0.service, $0.requester) = (nil, Scene.otherProcess) }) {
        $0.freshSince = Scene.second(1)
      })
  }

  @Test func `a proof of another boot does not open`() { #expect(!opens(Proof.of(.passcode) { $0.boot = [] })) }

  @Test func `a proof of this very moment opens and one of the future does not`() {
    #expect(opens(Proof.of(.passcode) { $0.provedAt = Scene.now }))
    let future = Instant(nanoseconds: Scene.now.nanoseconds + 1)
    #expect(!opens(Proof.of(.passcode) { $0.provedAt = future }))
    #expect(!opens(Proof.of(.passcode) { $0.provedAt = future }) { $0.freshSince = Scene.second(990) })
  }

  // MARK: Enrolment

  @Test func `a finger counts only while the enrolled ones are those it was shown under`() {
    #expect(!opens(Proof.of(.biometry) { $0.enrolment = Scene.otherFingers }))
    #expect(!opens(Proof.of(.biometry) { $0.enrolment = nil }))
    #expect(!opens(Proof.of(.biometry)) { $0.currentEnrolment = nil })
    #expect(!opens(Proof.of(.biometry) { $0.enrolment = nil }) { $0.currentEnrolment = nil })
  }

  @Test func `the passcode does not care about fingers`() {
    #expect(opens(Proof.of(.passcode)) { $0.currentEnrolment = nil })
  }

  // MARK: Window

  @Test(arguments: [(59, true), (60, false), (61, false)])
  func `a proof serves inside the policy's window of 60 seconds`(_ age: UInt64, _ serves: Bool) {
    let proof = Proof.of(.passcode) {
      $0.provedAt = Scene.second(1000 - age)
      $0.reuse.windowSeconds = 300
    }
    #expect(opens(proof) == serves)
  }

  @Test(arguments: [(19, true), (20, false), (21, false)])
  func `a proof serves inside its own window of 20 seconds, whatever the policy says later`(
    _ age: UInt64, _ serves: Bool
  ) {
    let proof = Proof.of(.passcode) {
      $0.provedAt = Scene.second(1000 - age)
      $0.reuse.windowSeconds = 20
    }
    #expect(opens(proof) { $0.policy.reuse.windowSeconds = 86_400 } == serves)
  }

  @Test func `the window ends to the nanosecond`() {
    let proof = Proof.of(.passcode) { $0.provedAt = Scene.second(940) }
    #expect(opens(proof) { $0.now = Instant(nanoseconds: Scene.now.nanoseconds - 1) })
    #expect(!opens(proof))
  }

  @Test func `a window of nothing never serves again`() {
    let proof = Proof.of(.passcode) {
      $0.provedAt = Scene.now
      $0.reuse.windowSeconds = 0
    }
    #expect(!opens(proof))
  }

  @Test func `a window that runs past the end of the clock does not wrap`() {
    let late = Instant(nanoseconds: .max - 2)
    let proof = Proof.of(.passcode) { $0.provedAt = Instant(nanoseconds: .max - 3) }
    #expect(opens(proof) { $0.now = late })
  }

  // MARK: Scope

  /// A proof given under one scope, read back from somewhere else.
  private func opens(_ scope: ReuseScope, ownScope: ReuseScope? = nil, from peer: (inout AccessRequest) -> Void) -> Bool
  {
    opens(Proof.of(.passcode) { $0.reuse.scope = ownScope ?? scope }) {
      $0.policy.reuse.scope = ownScope == nil ? .session : scope
      peer(&$0)
    }
      && opens(Proof.of(.passcode) { $0.reuse.scope = ownScope ?? .session }) {
        $0.policy.reuse.scope = scope
        peer(&$0)
      }
  }

  private func elsewhere(_ request: inout AccessRequest) {
    request.peer.process = Scene.otherProcess
    request.peer.terminal = Scene.otherTerminal
    request.peer.session = Scene.otherLeader
    request.context = ContextIdentifier(value: 8)
  }

  @Test(arguments: ReuseScope.allCases) func `no scope reaches a stranger`(_ scope: ReuseScope) {
    #expect(!opens(scope, from: elsewhere))
  }

  @Test func `never serves nobody, the asker included`() { #expect(!opens(.never) { _ in }) }

  @Test func `a context serves itself and no other, nor requests without one`() {
    #expect(opens(.context) { _ in })
    #expect(!opens(.context) { $0.context = ContextIdentifier(value: 8) })
    #expect(!opens(.context) { $0.context = nil })
    #expect(!opens(.context) { $0.peer.process = Scene.otherProcess })
    let contextless = Proof.of(.passcode) {
      $0.context = nil
      $0.reuse.scope = .context
    }
    #expect(!opens(contextless) { $0.context = nil }, "no context equals no other")
  }

  @Test func `a process serves itself and not a later one of the same number`() {
    #expect(opens(.process) { $0.context = nil })
    #expect(!opens(.process) { $0.peer.process = ProcessIdentity(pid: Scene.process.pid, startTime: 401) })
  }

  @Test func `a process that became another program is not the one that proved`() {
    func opens(_ scope: ReuseScope, _ program: ExecutableIdentity?, as now: ExecutableIdentity?, fresh: Bool = false)
      -> Bool
    {
      let proof = Proof.of(.passcode) {
        ($0.reuse.scope, $0.program, $0.terminal, $0.session) = (scope, program, nil, nil)
      }
      return self.opens(proof) {
        $0.peer.executable = now
        $0.freshSince = fresh ? proof.provedAt : nil
      }
    }
    for scope in [ReuseScope.context, .process, .terminal, .session] {
      #expect(opens(scope, Scene.program, as: Scene.program))
      #expect(!opens(scope, Scene.program, as: Scene.otherProgram), "\(scope)")
      #expect(!opens(scope, Scene.program, as: nil), "\(scope)")
      #expect(opens(scope, nil, as: Scene.program), "a program that could not be told is not held against the process")
    }
    #expect(opens(.never, Scene.program, as: Scene.program, fresh: true))
    #expect(!opens(.never, Scene.program, as: Scene.otherProgram, fresh: true))
    let inContext = Proof.of(.passcode) { ($0.service, $0.program) = (nil, Scene.program) }
    #expect(self.opens(inContext) { $0.peer.executable = Scene.program })
    #expect(!self.opens(inContext) { $0.peer.executable = Scene.otherProgram })
  }

  @Test func `a terminal serves its programs and not the next login on it`() {
    #expect(opens(.terminal) { $0.peer.process = Scene.otherProcess })
    #expect(
      !opens(.terminal) {
        $0.peer.process = Scene.otherProcess
        $0.peer.terminal = TerminalIdentity(device: Scene.terminal.device, leader: Scene.otherLeader)
      })
  }

  @Test func `a session serves its terminals`() {
    #expect(
      opens(.session) {
        $0.peer.process = Scene.otherProcess
        $0.peer.terminal = Scene.otherTerminal
      })
  }

  @Test func `programs without terminal or session do not share them`() {
    let detached = Proof.of(.passcode) {
      $0.terminal = nil
      $0.session = nil
    }
    #expect(
      !opens(detached) {
        $0.peer.process = Scene.otherProcess
        $0.peer.terminal = nil
        $0.peer.session = nil
      })
  }

  @Test func `the narrower of the proof's scope and the policy's holds`() {
    let other: (inout AccessRequest) -> Void = { $0.peer.process = Scene.otherProcess }
    #expect(!opens(Proof.of(.passcode) { $0.reuse.scope = .process }, change: other))
    #expect(
      !opens(Proof.of(.passcode)) {
        other(&$0)
        $0.policy.reuse.scope = .process
      })
  }

  // MARK: Freshness

  private let spent = Proof.of(.passcode) { $0.reuse = Reuse(windowSeconds: 0, scope: .never) }

  @Test func `a proof given for this very request counts even with reuse never`() {
    #expect(opens(spent) { $0.freshSince = Scene.second(990) })
    #expect(opens(spent) { $0.freshSince = Scene.second(989) })
  }

  @Test func `a proof from before the request does not count as its own`() {
    #expect(!opens(spent) { $0.freshSince = Scene.second(991) })
    #expect(!opens(spent))
  }

  @Test func `another process's proof does not count as this request's own`() {
    #expect(
      !opens(spent) {
        $0.freshSince = Scene.second(989)
        $0.peer.process = Scene.otherProcess
      })
  }

  @Test func `a fresh proof is still held to user, service and fingers`() {
    for change: (inout Proof) -> Void in [
      { $0.uid = 0 }, { $0.service = "x" }, { $0.boot = [] }, { $0.enrolment = Scene.otherFingers },
    ] {
      #expect(!opens(Proof.of(.biometry, change: change)) { $0.freshSince = Scene.second(980) })
    }
  }
}
