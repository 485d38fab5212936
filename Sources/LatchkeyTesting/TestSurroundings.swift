// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What only implements a port is documented where the port is declared, in KeychainService/Ports.

public import AccessPolicy
public import KeychainModel
public import KeychainService
internal import Synchronization

/// A clock that stands still until it is told to go on. Pausing moves it.
public final class TestClock: ServiceClock {
  private let nanoseconds = Mutex<UInt64>(1_000_000_000_000)

  /// A clock at some moment after boot.
  public init() {}

  public var now: Instant { Instant(nanoseconds: nanoseconds.withLock { $0 }) }
  public var wallSeconds: Double { Double(now.nanoseconds) / 1e9 }
  public var bootID: [UInt8] { [UInt8](repeating: 7, count: 16) }
  public func pause(milliseconds: UInt32) { advance(nanoseconds: UInt64(milliseconds) * 1_000_000) }

  /// Moves the clock on.
  public func advance(seconds: UInt32) { advance(nanoseconds: UInt64(seconds) * 1_000_000_000) }

  private func advance(nanoseconds step: UInt64) { nanoseconds.withLock { $0 += step } }
}

/// The same policy for every service but those that have one of their own. Its lists of programs name no program.
public final class FixedPolicies: PolicyProviding {
  private let policy: Mutex<ServicePolicy>
  private let own = Mutex<[ExactText: ServicePolicy]>([:])
  private let proposal = Mutex<ProposedPolicy?>(nil)
  private let changes = Mutex<[ProposedPolicy]>([])
  private let granted = Mutex<[ExactText]>([])

  /// Policies that say this.
  public init(_ policy: ServicePolicy = .builtIn) { self.policy = Mutex(policy) }

  /// Grants every program these groups.
  public func grant(_ groups: [ExactText]) { granted.withLock { $0 = groups } }

  /// Replaces the policy.
  public func set(_ new: ServicePolicy) { policy.withLock { $0 = new } }

  /// Gives a service a policy of its own.
  public func set(_ new: ServicePolicy, for service: ExactText) { own.withLock { $0[service] = new } }

  /// Takes every text, and every removal, for this change.
  public func propose(_ new: ProposedPolicy) { proposal.withLock { $0 = new } }

  /// The changes that were put in force. They change nothing here.
  public var applied: [ProposedPolicy] { changes.withLock { $0 } }

  public func effective(for service: ExactText) throws(Refusal) -> EffectiveServicePolicy {
    let current = own.withLock { $0[service] } ?? policy.withLock { $0 }
    return EffectiveServicePolicy(policy: current, digest: PolicyDigest(bytes: current.canonicalBytes))
  }
  public func standing(of peer: PeerFacts, in policy: ServicePolicy) -> CallerStanding {
    policy.callers == nil ? .unrestricted : .notListed
  }
  public func groups(of peer: PeerFacts) -> [ExactText] { granted.withLock { $0 } }
  public func grantingFile(for service: ExactText) -> String { "policies.d/\(service.string).yaml" }
  public func examine(_ text: ExactText) throws(Refusal) -> ProposedPolicy {
    guard let proposal = proposal.withLock({ $0 }) else { throw Refusal(.unimplemented) }
    return proposal
  }
  public func examineRemoval(of service: ExactText) throws(Refusal) -> ProposedPolicy {
    guard let proposal = proposal.withLock({ $0 }) else { throw Refusal(.itemNotFound) }
    return proposal
  }
  public func put(_ proposal: ProposedPolicy) throws(Refusal) { changes.withLock { $0.append(proposal) } }
  public func listing() throws(Refusal) -> PolicyReply { PolicyReply(layers: [], effective: "") }
  public func explanation(of service: ExactText) throws(Refusal) -> PolicyReply {
    PolicyReply(layers: [], effective: "")
  }
}

/// A decision log that can be looked at.
public final class RecordedDecisions: DecisionRecording {
  private let list = Mutex<[DecisionRecord]>([])

  /// An empty log.
  public init() {}

  /// What was recorded, oldest first.
  public var records: [DecisionRecord] { list.withLock { $0 } }

  public func record(_ record: DecisionRecord) { list.withLock { $0.append(record) } }
  public func page(_ request: LogRequest) throws(Refusal) -> LogReply { LogReply(lines: [], next: nil) }
}

/// An enrolment that tests set by hand.
public final class SetEnrolment: EnrolmentReading {
  private let state: Mutex<EnrolmentState>
  private let asked = Atomic(0)

  /// An enrolment in this state.
  public init(_ state: EnrolmentState) { self.state = Mutex(state) }

  /// How often it was asked for.
  public var looks: Int { asked.load(ordering: .relaxed) }

  /// Changes it.
  public func set(_ new: EnrolmentState) { state.withLock { $0 = new } }

  public func currentSet(of account: UserAccountName) -> EnrolmentState {
    asked.add(1, ordering: .relaxed)
    return state.withLock { $0 }
  }
}

/// A host with nothing to tell but which processes have ended.
public final class SilentHost: HostDescribing {
  private let ended = Mutex<Set<ProcessIdentity>>([])
  private let origins = Mutex<(origin: PeerFacts.Origin, asked: Int)>((.unknown, 0))

  /// Makes one.
  public init() {}

  /// Says so of every process whose origin its connection does not tell.
  public func place(_ origin: PeerFacts.Origin) { origins.withLock { $0.origin = origin } }

  /// How often it was asked where a process comes from.
  public var timesAskedForOrigin: Int { origins.withLock { $0.asked } }

  /// Lets a process end.
  public func end(_ process: ProcessIdentity) { ended.withLock { _ = $0.insert(process) } }

  public func hasEnded(_ process: ProcessIdentity) -> Bool { ended.withLock { $0.contains(process) } }
  public func origin(of peer: PeerFacts) -> PeerFacts.Origin {
    origins.withLock { origins in
      origins.asked += 1
      return origins.origin
    }
  }
  public func describe(_ status: inout StatusReply) { status.mode = "test" }
  public func findings(account: UserAccountName) -> [DoctorFinding] { [] }
}

/// A channel whose client is there until a test says otherwise.
public final class TestChannel: PromptChannel {
  private struct State {
    var liveness = ChannelLiveness.alive
    var notices: [Notice] = []
    var held: [Int] = []
    var most = Int.max
  }

  private let state = Mutex(State())

  /// A channel of a client that waits.
  public init() {}

  /// What the client was told.
  public var notices: [Notice] { state.withLock { $0.notices } }

  /// Ends the client's wait.
  public func end(_ reason: Reason) { state.withLock { $0.liveness = .ended(reason) } }

  public var liveness: ChannelLiveness { state.withLock { $0.liveness } }
  public func notify(_ notice: Notice) { state.withLock { $0.notices.append(notice) } }

  /// The bytes of values that its requests took, and 0 for each time they gave them back.
  public var held: [Int] { state.withLock { $0.held } }

  /// Refuses requests that want more bytes of values.
  public func bound(to most: Int) { state.withLock { $0.most = most } }

  public func hold(secretBytes: Int) throws(Refusal) {
    let isRefused = state.withLock { state in
      state.held.append(secretBytes)
      return secretBytes > state.most
    }
    if isRefused { throw Refusal(.tooManyRequests) }
  }
}
