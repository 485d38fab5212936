public import AccessPolicy
public import KeychainModel

/// The policy in force for one service, and where it came from.
public struct EffectivePolicy: Hashable, Sendable {
  /// The policy, in its canonical form.
  public let policy: ServicePolicy
  /// The files that had a say, the strongest layer first; empty where only the built-in policy holds.
  public let voices: [PolicyVoice]
  /// What the ``PolicyDigest`` is the hash of. It depends on what is in force alone, not on where it stands.
  public var digestInput: [UInt8] { policy.canonicalBytes }
}

/// One file that had a say.
public struct PolicyVoice: Hashable, Sendable {
  /// The layer.
  public let origin: PolicyOrigin
  /// What the file states.
  public let file: PolicyFile
}

/// Why no policy can be told for a service: a file that matters there cannot be used (`policyInvalid`).
public struct PolicyUnavailable: Error, Hashable, Sendable {
  /// The layer.
  public let origin: PolicyOrigin
  /// What is wrong with its file.
  public let faults: [PolicyFault]

  /// The reason, always `policyInvalid`.
  public var reason: Reason { .policyInvalid }
  /// The first fault, for people.
  public var detail: String { faults.first?.description ?? "" }
}
