public import KeychainModel
public import SecretMemory

/// What a class key is for.
public enum ClassKeyUse: UInt8, CaseIterable, Sendable {
  /// Wraps item keys.
  case values = 1
  /// Seals metadata.
  case metadata = 2
}

/// One of the keybag's keys.
public struct ClassKeyName: Hashable, Sendable {
  /// The class.
  public let protection: ProtectionClass
  /// Its use.
  public let use: ClassKeyUse
  /// Names a key.
  public init(_ protection: ProtectionClass, _ use: ClassKeyUse) {
    self.protection = protection
    self.use = use
  }
}

/// Where the store finds class keys for one call. The store keeps none; `nil` means locked.
public protocol ClassKeySource: Sendable {
  /// The key of 32 bytes, or `nil` where it is not at hand.
  func key(for protection: ProtectionClass, use: ClassKeyUse) -> SecretBytes?
}

/// Class keys in locked memory: what opening, binding and unlocking hand out.
public struct ClassKeySet: ClassKeySource {
  /// The keys at hand.
  public private(set) var keys: [ClassKeyName: SecretBytes]

  /// A set of these keys.
  public init(_ keys: [ClassKeyName: SecretBytes] = [:]) { self.keys = keys }

  /// The key, or `nil`.
  public func key(for protection: ProtectionClass, use: ClassKeyUse) -> SecretBytes? {
    keys[ClassKeyName(protection, use)]
  }

  /// The classes that have both keys here.
  public var classes: Set<ProtectionClass> {
    Set(ProtectionClass.allCases.filter { name in ClassKeyUse.allCases.allSatisfy { key(for: name, use: $0) != nil } })
  }

  /// These keys and the other's; the other's win.
  public func merging(_ other: ClassKeySet) -> ClassKeySet {
    ClassKeySet(keys.merging(other.keys) { $1 })
  }

  /// New random keys for these classes.
  static func random(_ classes: some Sequence<ProtectionClass>) throws(StoreError) -> ClassKeySet {
    var keys: [ClassKeyName: SecretBytes] = [:]
    for protection in classes {
      for use in ClassKeyUse.allCases { keys[ClassKeyName(protection, use)] = try SecretBytes.randomKey() }
    }
    return ClassKeySet(keys)
  }
}

extension SecretBytes {
  /// 32 random bytes.
  static func randomKey() throws(StoreError) -> SecretBytes {
    do { return try random(count: 32) } catch { throw .outOfMemory }
  }
}
