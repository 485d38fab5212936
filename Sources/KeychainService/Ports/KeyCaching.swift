public import KeychainModel
public import SecretMemory

/// One user's cached keys: the kernel keyring in the daemon, a dictionary in tests. Every entry ends by itself.
public protocol KeyCaching: Sendable {
  /// Whether keys can be kept at all.
  var availability: CacheAvailability { get }

  /// Keeps the class keys a proof opened. Answers `off` where they could not be kept.
  func keep(_ keys: ClassKeys) -> CacheAvailability

  /// A class key, or `nil` where it is not there any more.
  func classKey(for protection: ProtectionClass, use: ClassKeyUse) -> SecretBytes?

  /// Whether a class key is there, by the cache's own books: opening something with it is what proves it.
  func standing(of protection: ProtectionClass, use: ClassKeyUse) -> ClassKeyStanding

  /// Keeps an item key for so many seconds; 0 keeps nothing. May drop the oldest.
  func keepItemKey(_ key: SecretBytes, for item: ItemIdentifier, service: ExactText, seconds: UInt32)

  /// Keeps, for so many seconds, what lets one of these fingers open the classes again after a lock; what was kept before goes.
  ///
  /// - Parameter set: the hash of the enrolled fingers. With any other set there is nothing to open with.
  func keepBiometricUnlock(_ keys: ClassKeys, for set: [UInt8], seconds: UInt32)

  /// The class keys that these fingers may open again; `nil` where that has ended.
  func biometricUnlock(for set: [UInt8]) -> ClassKeys?

  /// An item key, or `nil`.
  func itemKey(for item: ItemIdentifier) -> SecretBytes?

  /// Forgets one item's key.
  func forgetItemKey(for item: ItemIdentifier)

  /// Keeps a mark that a proof lives, for so many seconds; `nil` where nothing could be kept.
  func keepProof(service: ExactText, seconds: UInt32) -> ProofMark?

  /// Whether the mark still stands.
  func stands(_ mark: ProofMark) -> ProofStanding

  /// Revokes proofs, item keys and the keys of the classes that a lock ends; `everyClass` the others as well, and what a finger
  /// could open them again with.
  func revoke(_ scope: RevocationScope)

  /// What is cached, with the seconds left.
  func entries() -> [CachedEntry]
}

/// Whether keys can be kept in the kernel.
public enum CacheAvailability: Sendable, Equatable {
  /// They can.
  case on
  /// They cannot, and why ("the kernel refuses keyctl: EPERM").
  case off(String)
}

/// The name of a kept proof mark.
public struct ProofMark: Hashable, Sendable {
  /// A number that is never used twice while the daemon runs.
  public let value: UInt64

  /// Wraps a number.
  public init(value: UInt64) { self.value = value }
}

extension KeyCaching {
  /// Looks by reading the key.
  public func standing(of protection: ProtectionClass, use: ClassKeyUse) -> ClassKeyStanding {
    classKey(for: protection, use: use) == nil ? .ended : .kept
  }
}

/// Whether a class key is in the cache.
public enum ClassKeyStanding: Sendable { case kept, ended }

/// Whether a proof still lives in the cache.
public enum ProofStanding: Sendable { case alive, ended }

/// How much a lock revokes.
public enum RevocationScope: Sendable, Hashable {
  /// The keys of the classes that a lock ends, and the proofs and item keys of every service but these.
  case locked(sparing: Set<ExactText>)
  /// Everything.
  case everyClass
}
