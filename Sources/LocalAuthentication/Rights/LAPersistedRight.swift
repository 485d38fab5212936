public import Foundation
internal import KeychainClient
internal import KeychainModel
internal import Security

/// A right that is stored, with a secret or a key that only its authorisation opens. ``LARightStore`` makes them.
public final class LAPersistedRight: LARight, @unchecked Sendable {
  /// The name it is stored under.
  let item: RightItem
  private let accessControl: AccessControl

  init(_ item: RightItem, _ rule: RightRule) throws(Refusal) {
    self.item = item
    accessControl = try RightItem.accessControl(rule)
    super.init(rule)
  }

  /// Its private key. Latchkey makes none: see ``LAPrivateKey``.
  public var key: LAPrivateKey { LAPrivateKey() }

  /// The secret that was stored with it.
  public var secret: LASecret { LASecret(self) }

  override func request() -> ContextRequest { .evaluateAccessControl(accessControl, .decrypt) }

  /// Reads the secret with the proof of this right. Asks nobody: without an authorisation it is refused.
  func loadSecret() async throws -> Data {
    let query = item.query
    let handle = handle
    do throws(Refusal) {
      return try await SharedKeychain.keychain.asynchronously { (keychain, options) throws(Refusal) in
        var silent = options
        silent.handle = handle
        silent.interaction = .fail
        return try keychain.value(query, options: silent).withSpan { span in
          var data = Data(capacity: span.count)
          for index in span.indices { data.append(span[index]) }
          return data
        }
      }
    } catch { throw AuthenticationFailure.storedRightError(for: error) }
  }
}

/// The secret of a stored right.
public final class LASecret: NSObject, @unchecked Sendable {
  private let right: LAPersistedRight

  init(_ right: LAPersistedRight) { self.right = right }

  /// The bytes, while the right is authorised.
  ///
  /// - Throws: ``LAError/notInteractive`` where it is not; `errSecItemNotFound` of `NSOSStatusErrorDomain` where the right was
  ///   stored without a secret or is not stored any more.
  public var rawData: Data {
    get async throws { try await right.loadSecret() }
  }

  /// As ``rawData``; `completion` gets the bytes or the error.
  public func loadData(completion: @escaping @Sendable (Data?, (any Error)?) -> Void) {
    Completion.run(completion) { [right] in try await right.loadSecret() }
  }
}
