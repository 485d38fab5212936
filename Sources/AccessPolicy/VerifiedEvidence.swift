public import KeychainModel

/// A proof that PAM accepted. Only the daemon's PAM adapter and LatchkeyTesting can make one.
///
/// The reuse terms are fixed here when the proof is given; a later policy can only shorten them.
public struct VerifiedEvidence: Hashable, Sendable {
  /// The user whose credentials were proved.
  public let uid: UInt32
  /// How.
  public let method: AuthenticationMethod
  /// The service whose policy asked for the proof. `nil`: it was given to an authentication context, and serves any service
  /// there and none elsewhere.
  public let service: ExactText?
  /// The process that asked.
  public let requester: ProcessIdentity
  /// The program that it ran; `nil` where it could not be told.
  public let program: ExecutableIdentity?
  /// Its terminal.
  public let terminal: TerminalIdentity?
  /// Its session.
  public let session: ProcessIdentity?
  /// The authentication context it belongs to, or `nil`.
  public let context: ContextIdentifier?
  /// The digest of the effective policy at the time.
  public let policyDigest: PolicyDigest
  /// The hash of the enrolled fingers at the time; `nil` for other methods. Checked again on use.
  public let enrolmentHash: [UInt8]?
  /// The boot in which the proof was given (kernel boot_id).
  public let bootID: [UInt8]
  /// When the proof was given.
  public let provedAt: Instant
  /// How it may be used again.
  public let reuse: Reuse

  /// Only the PAM adapter and LatchkeyTesting; a fence check looks for other callers.
  package init(
    provenBy method: AuthenticationMethod, uid: UInt32, service: ExactText?, requester: ProcessIdentity,
    program: ExecutableIdentity?, terminal: TerminalIdentity?, session: ProcessIdentity?, context: ContextIdentifier?,
    policyDigest: PolicyDigest,
    enrolmentHash: [UInt8]?, bootID: [UInt8], provedAt: Instant, reuse: Reuse
  ) {
    self.method = method
    self.uid = uid
    self.service = service
    self.requester = requester
    self.program = program
    self.terminal = terminal
    self.session = session
    self.context = context
    self.policyDigest = policyDigest
    self.enrolmentHash = enrolmentHash
    self.bootID = bootID
    self.provedAt = provedAt
    self.reuse = reuse
  }
}

extension VerifiedEvidence {
  /// Whether it is the process that asked, still with the program it ran then: execve(2) makes another program of a process.
  func isOf(_ peer: PeerFacts) -> Bool {
    requester == peer.process && (program == nil || program == peer.executable)
  }
}

/// The name of an authentication context, made by the daemon and tied to one process.
public struct ContextIdentifier: Hashable, Sendable {
  /// A random number.
  public let value: UInt64
  /// Wraps a number.
  public init(value: UInt64) { self.value = value }
}

/// A digest of an effective policy: 32 bytes.
public struct PolicyDigest: Hashable, Sendable {
  /// The bytes.
  public let bytes: [UInt8]
  /// Wraps the bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }
}
