package import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// The user's own keychain behind the daemon: generic passwords, stored so that they open only while it is unlocked.
///
/// Calls block for a round trip to the daemon, and for its start where none runs. They never prompt: what would want a proof or
/// an unlock is refused as ``KeychainError/interactionNotAllowed``. All instances share the process's connections, which are
/// made anew after a restart of the daemon and after fork(2).
public struct SystemKeychainInterface: ChangeReportingInterface {
  private static let shared = KeychainClient.Keychain()
  private let keychain: KeychainClient.Keychain

  /// The keychain of this process's user.
  public init() { self.init(Self.shared) }

  /// A keychain at the end of another connection.
  package init(_ keychain: KeychainClient.Keychain) { self.keychain = keychain }

  /// The bytes of a key.
  public func read(_ key: KeychainAttributes) throws(KeychainError) -> [UInt8] {
    try ask { () throws(Refusal) in try keychain.value(key.query, options: Self.options).unprotectedCopy() }
  }

  /// Stores bytes for a key that has none, as `kSecAttrAccessibleWhenUnlockedThisDeviceOnly`.
  public func insert(_ value: [UInt8], for key: KeychainAttributes) throws(KeychainError) {
    try ask { () throws(Refusal) in
      let item = NewItem(
        service: ExactText(key.service), account: ExactText(key.account), value: try Self.protected(value),
        accessControl: .unconstrained(.whenUnlockedThisDeviceOnly))
      try keychain.add(item, options: Self.options)
    }
  }

  /// Replaces the bytes of a key; its other attributes stay.
  public func update(_ value: [UInt8], for key: KeychainAttributes) throws(KeychainError) {
    try ask { () throws(Refusal) in
      try keychain.update(key.query, ItemChanges(value: try Self.protected(value)), options: Self.options)
    }
  }

  /// Takes a key's bytes away, also while the keychain is locked.
  public func remove(_ key: KeychainAttributes) throws(KeychainError) {
    try ask { () throws(Refusal) in try keychain.delete(key.query, options: Self.options) }
  }

  /// Calls `report` after changes to the user's keychain, by whichever program, and when it is locked or opened.
  public func watchChanges(_ report: @escaping @Sendable () -> Void) throws(KeychainError) -> InterfaceWatch {
    let watch = try ask { () throws(Refusal) in try keychain.watchChanges(report) }
    return InterfaceWatch { watch.end() }
  }

  private static let options = CallOptions(interaction: .fail)

  /// The value in locked memory; the caller's copy stays the caller's.
  private static func protected(_ value: [UInt8]) throws(Refusal) -> SecretBytes {
    guard value.count <= ItemLimits.valueBytes else { throw Refusal(.valueTooLarge) }
    do throws(SecretMemoryError) { return try SecretBytes(copying: value) } catch { throw Refusal(.outOfMemory) }
  }

  @discardableResult
  private func ask<Answer>(_ body: () throws(Refusal) -> Answer) throws(KeychainError) -> Answer {
    do throws(Refusal) { return try body() } catch { throw KeychainError(error) }
  }
}

extension KeychainAttributes {
  /// Its item, wherever the program may see it.
  fileprivate var query: ItemQuery {
    .genericPassword(service: ExactText(service), account: ExactText(account))
  }
}
