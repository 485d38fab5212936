public import Foundation
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory
internal import Security

/// Where rights are stored: each is an item of the user's keychain under the service `latchkey.rights`, and opens in no
/// other way than any item.
///
/// Errors are of ``LAErrorDomain`` where they are about authentication, else of `NSOSStatusErrorDomain` with the item's
/// result code (`errSecItemNotFound`, `errSecDuplicateItem`).
public final class LARightStore: NSObject, @unchecked Sendable {
  /// The one store.
  public static let shared = LARightStore()

  private override init() {}

  /// A right that was stored.
  public func right(forIdentifier identifier: String) async throws -> LAPersistedRight {
    try await call { (keychain, options) throws(Refusal) in
      let item = RightItem(identifier: identifier)
      let found = try keychain.find(item.query, returning: [], options: options)
      guard let first = found.items.first else {
        throw Refusal(found.hidden > 0 ? .keybagLocked : .itemNotFound)
      }
      guard let rule = RightRule(first.item.accessControl.flags) else {
        throw Refusal(.itemNotFound, detail: "the item of this name is no right")
      }
      return try LAPersistedRight(item, rule)
    }
  }

  /// Stores a right; its tag and its authorisation are not stored.
  @discardableResult
  public func saveRight(_ right: LARight, identifier: String) async throws -> LAPersistedRight {
    try await save(right, identifier, nil)
  }

  /// Stores a right with a secret, at most 1 MiB. Asks nobody.
  @discardableResult
  public func saveRight(_ right: LARight, identifier: String, secret: Data) async throws -> LAPersistedRight {
    try await save(right, identifier, secret)
  }

  /// Deletes a right and its secret. Asks nobody.
  public func removeRight(_ right: LAPersistedRight) async throws {
    try await removeRight(forIdentifier: right.item.identifier)
  }

  /// Deletes the right of this name and its secret. Asks nobody.
  public func removeRight(forIdentifier identifier: String) async throws {
    try await call { (keychain, options) throws(Refusal) in
      _ = try keychain.delete(RightItem(identifier: identifier).query, options: options)
    }
  }

  /// Deletes every right that this program may see. Asks nobody; that there is none is no error.
  public func removeAllRights() async throws {
    try await call { (keychain, options) throws(Refusal) in
      do throws(Refusal) {
        _ = try keychain.delete(RightItem.all, options: options)
      } catch  where error.reason == .itemNotFound {}
    }
  }

  private func save(_ right: LARight, _ identifier: String, _ secret: Data?) async throws -> LAPersistedRight {
    let rule = right.rule
    return try await call { (keychain, options) throws(Refusal) in
      let item = RightItem(identifier: identifier)
      let new = NewItem(
        .genericPassword, item.attributes, value: try Self.locked(secret),
        accessControl: try RightItem.accessControl(rule))
      try keychain.add(new, options: options)
      return try LAPersistedRight(item, rule)
    }
  }

  private static func locked(_ secret: Data?) throws(Refusal) -> SecretBytes? {
    guard let secret else { return nil }
    if secret.count > ItemLimits.valueBytes { throw Refusal(.valueTooLarge) }
    guard let locked = try? SecretBytes(copying: secret.span) else { throw Refusal(.outOfMemory) }
    return locked
  }

  private func call<Value: Sendable>(
    _ body: @escaping @Sendable (Keychain, CallOptions) throws(Refusal) -> Value
  ) async throws -> Value {
    do throws(Refusal) { return try await SharedKeychain.keychain.asynchronously(CallOptions(), body) } catch {
      throw AuthenticationFailure.storedRightError(for: error)
    }
  }
}

// Apple's calls with a completion.
extension LARightStore {
  /// As ``right(forIdentifier:)``.
  public func right(
    forIdentifier identifier: String, completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    Completion.run(completion) { [self] in try await right(forIdentifier: identifier) }
  }

  /// As ``saveRight(_:identifier:)``.
  public func saveRight(
    _ right: LARight, identifier: String, completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    Completion.run(completion) { [self] in try await saveRight(right, identifier: identifier) }
  }

  /// As ``saveRight(_:identifier:secret:)``.
  public func saveRight(
    _ right: LARight, identifier: String, secret: Data,
    completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    Completion.run(completion) { [self] in try await saveRight(right, identifier: identifier, secret: secret) }
  }

  /// As ``removeRight(_:)``.
  public func removeRight(_ right: LAPersistedRight, completion: @escaping @Sendable ((any Error)?) -> Void) {
    Completion.run(completion) { [self] in try await removeRight(right) }
  }

  /// As ``removeRight(forIdentifier:)``.
  public func removeRight(
    forIdentifier identifier: String, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    Completion.run(completion) { [self] in try await removeRight(forIdentifier: identifier) }
  }

  /// As ``removeAllRights()``.
  public func removeAllRights(completion: @escaping @Sendable ((any Error)?) -> Void) {
    Completion.run(completion) { [self] in try await removeAllRights() }
  }
}
