import AccessPolicy
import KeychainModel
import TestSupport
import Testing

/// A decision that can be compared: what the evaluator and the oracle answer.
enum Answer: Hashable {
  case allow
  case authenticate(Requirement)
  case deny(Reason)

  var isAllow: Bool { self == .allow }

  /// 0 for a refusal, 1 for a prompt, 2 for an allowance.
  var rank: Int {
    switch self {
    case .deny: 0
    case .authenticate: 1
    case .allow: 2
    }
  }
}

extension AccessRequest {
  /// What the evaluator answers; a grant for anything but what was asked counts as an internal failure.
  var answer: Answer {
    var trace = DecisionTrace.off
    return answer(&trace)
  }

  func answer(_ trace: inout DecisionTrace) -> Answer {
    switch AccessEvaluator.evaluate(self, trace: &trace) {
    case .allow(let grant): grant.item == item && grant.operation == operation ? .allow : .deny(.internalFailure)
    case .authenticate(let requirement): .authenticate(requirement)
    case .deny(let reason): .deny(reason)
    }
  }
}

/// The alternatives an answer asks for, or `nil` where it asks for none.
func asked(_ answer: Answer) -> [MethodSet]? {
  if case .authenticate(let requirement) = answer { return requirement.alternatives }
  return nil
}

/// The fixed facts of the tests: whose they are, where and when.
enum Scene {
  static let uid: UInt32 = 1000
  static let service: ExactText = "com.example.mail"
  static let boot: [UInt8] = Array(repeating: 0xB0, count: 16)
  static let fingers: [UInt8] = Array(repeating: 0xF1, count: 32)
  static let otherFingers: [UInt8] = Array(repeating: 0xF2, count: 32)
  static let process = ProcessIdentity(pid: 40, startTime: 400)
  static let otherProcess = ProcessIdentity(pid: 41, startTime: 410)
  static let program = ExecutableIdentity(device: 1, inode: 10, displayPath: "/usr/bin/mail")
  static let otherProgram = ExecutableIdentity(device: 1, inode: 11, displayPath: "/usr/bin/mail")
  static let leader = ProcessIdentity(pid: 30, startTime: 300)
  static let otherLeader = ProcessIdentity(pid: 31, startTime: 310)
  static let terminal = TerminalIdentity(device: 34816, leader: leader)
  static let otherTerminal = TerminalIdentity(device: 34817, leader: leader)
  static let context = ContextIdentifier(value: 7)
  static let digest = PolicyDigest(bytes: Array(repeating: 0xD1, count: 32))
  static let mail = ExecutableIdentity(device: 1, inode: 2, displayPath: "/usr/bin/mail")
  static let now = second(1000)

  static func second(_ seconds: UInt64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

  /// A policy that reuses proofs for a minute in a session and asks nothing special.
  static let policy = ServicePolicy(
    require: [], methods: .all, tries: 3, deadlineSeconds: 60, remote: .passcode,
    reuse: Reuse(windowSeconds: 60, scope: .session), cacheTimeoutSeconds: 600, dropOn: .all, callers: nil)

  static let peer = PeerFacts(
    uid: uid, process: process, terminal: terminal, session: leader, executable: mail, origin: .local)

  /// A read of an unlocked, unprotected item by a local program, then changed by the test.
  static func request(
    _ flags: AccessControlFlags = [], _ accessibility: Accessibility = .whenUnlocked,
    change: (inout AccessRequest) -> Void = { _ in }
  ) -> AccessRequest {
    var request = AccessRequest(
      item: ItemIdentifier(high: 1, low: 2), service: service, operation: .decrypt,
      accessControl: try! AccessControl(accessibility: accessibility, flags: flags), boundEnrolment: fingers,
      currentEnrolment: fingers, policy: policy, policyDigest: digest, keybag: .unlocked, peer: peer,
      context: context, now: now, bootID: boot)
    change(&request)
    return request
  }
}

/// The parts of a proof, to be changed one at a time.
struct Proof {
  var method: AuthenticationMethod
  var uid = Scene.uid
  var service: ExactText? = Scene.service
  var requester = Scene.process
  var program: ExecutableIdentity?
  var terminal: TerminalIdentity? = Scene.terminal
  var session: ProcessIdentity? = Scene.leader
  var context: ContextIdentifier? = Scene.context
  var enrolment: [UInt8]?
  var boot = Scene.boot
  var provedAt = Scene.second(990)
  var reuse = Reuse(windowSeconds: 60, scope: .session)

  init(_ method: AuthenticationMethod) {
    self.method = method
    enrolment = method == .biometry ? Scene.fingers : nil
  }

  var evidence: VerifiedEvidence {
    VerifiedEvidence(
      provenBy: method, uid: uid, service: service, requester: requester, program: program, terminal: terminal,
      session: session,
      context: context, policyDigest: Scene.digest, enrolmentHash: enrolment, bootID: boot, provedAt: provedAt,
      reuse: reuse)
  }

  /// A good proof of ten seconds ago, then changed.
  static func of(_ method: AuthenticationMethod, change: (inout Proof) -> Void = { _ in }) -> VerifiedEvidence {
    var proof = Proof(method)
    change(&proof)
    return proof.evidence
  }
}

extension SeededGenerator {
  mutating func pick<T>(_ values: [T]) -> T { values[Int(next() % UInt64(values.count))] }
  mutating func chance(_ oneIn: UInt64) -> Bool { next() % oneIn == 0 }
}

/// Records a failure, for tests that leave at the first one.
func fail(_ text: String) { Issue.record("\(text)") }
