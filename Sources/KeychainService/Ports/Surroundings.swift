public import AccessPolicy
public import KeychainModel

/// Time, as the service sees it.
public protocol ServiceClock: Sendable {
  /// Now, on the boot-time clock.
  var now: Instant { get }
  /// Now, for records: seconds since 1970 UTC.
  var wallSeconds: Double { get }
  /// This boot.
  var bootID: [UInt8] { get }
  /// Waits a moment.
  func pause(milliseconds: UInt32)
}

/// The set of enrolled fingers.
public protocol EnrolmentReading: Sendable {
  /// The set of a user's fingers now.
  func currentSet(of account: UserAccountName) -> EnrolmentState
}

/// What is known of the enrolled fingers.
public enum EnrolmentState: Sendable, Equatable {
  /// A hash of the set; 32 bytes.
  case enrolled([UInt8])
  /// Fingers are enrolled, but only their names are known: a hash of those, and why no more is. A finger that took another's
  /// place under its name goes unseen, so that no item may be bound to this.
  case named([UInt8], Refusal)
  /// No finger is enrolled.
  case nothingEnrolled
  /// It cannot be told, and why.
  case unavailable(Refusal)

  /// The hash of what is known, for proofs; `nil` where nothing is enrolled or known.
  public var hash: [UInt8]? {
    switch self {
    case .enrolled(let hash), .named(let hash, _): hash
    case .nothingEnrolled, .unavailable: nil
    }
  }

  /// The hash of the set where that is known; `nil` where only names are, for which no keys are kept: a finger that was enrolled
  /// since would open them.
  public var setHash: [UInt8]? { if case .enrolled(let hash) = self { hash } else { nil } }

  /// The hash of the set where it is known, `nil` where nothing is enrolled.
  ///
  /// - Throws: ``Refusal``: why the set is not known. Nothing may be destroyed because of that.
  public func knownSet() throws(Refusal) -> [UInt8]? {
    switch self {
    case .enrolled(let hash): return hash
    case .nothingEnrolled: return nil
    case .named(_, let refusal), .unavailable(let refusal): throw refusal
    }
  }
}

/// Keeps the decisions on protected items.
public protocol DecisionRecording: Sendable {
  /// Appends a record; never throws, and says so in the daemon's own log where it fails.
  func record(_ record: DecisionRecord)
  /// A page of records.
  func page(_ request: LogRequest) throws(Refusal) -> LogReply
}

/// One decision. Never a secret.
public struct DecisionRecord: Sendable, Hashable {
  /// Seconds since 1970 UTC.
  public var time: Double
  /// Who asked.
  public var peer: PeerFacts
  /// The service.
  public var service: ExactText
  /// The item.
  public var item: ItemIdentifier?
  /// What was to be done ("read", "update", "delete", "unlock", "policy").
  public var action: String
  /// How it was proved ("passcode", "passcode, earlier proof"), or empty.
  public var method: String
  /// `nil` where it was allowed.
  public var refusal: Refusal?

  /// Makes a record.
  public init(
    time: Double, peer: PeerFacts, service: ExactText, item: ItemIdentifier?, action: String, method: String,
    refusal: Refusal?
  ) {
    self.time = time
    self.peer = peer
    self.service = service
    self.item = item
    self.action = action
    self.method = method
    self.refusal = refusal
  }
}

/// What the daemon knows of itself and of the machine.
public protocol HostDescribing: Sendable {
  /// Fills what the service does not know: version, mode, paths, triggers, installation, threats.
  func describe(_ status: inout StatusReply)
  /// Whether a process is gone; `false` where that cannot be told.
  func hasEnded(_ process: ProcessIdentity) -> Bool
  /// Where a process comes from whose origin its connection did not tell; asked only where that changes a decision.
  func origin(of peer: PeerFacts) -> PeerFacts.Origin
  /// Checks the machine.
  func findings(account: UserAccountName) -> [DoctorFinding]
}
