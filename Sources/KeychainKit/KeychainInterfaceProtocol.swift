/// What a ``Keychain`` stores its values in: four calls on bytes, each of which does its one thing or throws.
///
/// ``SystemKeychainInterface`` is the daemon's keychain; `InMemoryKeychainInterface` of module LatchkeyTesting is one for tests.
/// A conformer is called under its keychain's lock, from any thread, and may block.
public protocol KeychainInterfaceProtocol: Sendable {
  /// The bytes of a key.
  ///
  /// - Throws: ``KeychainError``: `.itemNotFound` where the key has none, and any other.
  func read(_ key: KeychainAttributes) throws(KeychainError) -> [UInt8]

  /// Stores bytes for a key that has none.
  ///
  /// - Throws: ``KeychainError``: `.duplicateItem` where it has some by now, which stay, and any other.
  func insert(_ value: [UInt8], for key: KeychainAttributes) throws(KeychainError)

  /// Replaces the bytes of a key.
  ///
  /// - Throws: ``KeychainError``: `.itemNotFound` where the key has none, and any other; the old bytes stay.
  func update(_ value: [UInt8], for key: KeychainAttributes) throws(KeychainError)

  /// Takes a key's bytes away.
  ///
  /// - Throws: ``KeychainError``: `.itemNotFound` where the key has none, and any other; the bytes stay.
  func remove(_ key: KeychainAttributes) throws(KeychainError)
}

/// An interface that can tell of changes made by others.
public protocol ChangeReportingInterface: KeychainInterfaceProtocol {
  /// Calls `report` after changes to what it stores, whoever makes them, until the watch ends.
  ///
  /// One call may stand for many changes, and for none: it says only that a read may be answered differently now.
  /// - Parameter report: called on any thread; must not block.
  /// - Returns: the watch; it ends with its last reference.
  /// - Throws: ``KeychainError``, where it cannot watch.
  func watchChanges(_ report: @escaping @Sendable () -> Void) throws(KeychainError) -> InterfaceWatch
}

/// A running watch of a ``ChangeReportingInterface``; ends with its last reference.
public final class InterfaceWatch: Sendable {
  private let onEnd: @Sendable () -> Void

  /// Makes one. `onEnd` ends it; it is called from ``end()`` and once more from the end of the object's life.
  public init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

  deinit { onEnd() }

  /// Ends the reports; may be called again.
  public func end() { onEnd() }
}
