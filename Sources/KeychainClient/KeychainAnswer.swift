public import KeychainModel
public import SecretMemory

/// A reply and the secrets it names.
public struct KeychainAnswer: Sendable {
  /// What the daemon says; never `refused`.
  public let reply: KeychainReply
  /// The secrets, by their places.
  public let secrets: [SecretBytes]
}
