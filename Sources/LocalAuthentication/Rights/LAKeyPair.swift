public import Foundation
public import Security

/// The private key of a stored right, as Apple's programs know it. Latchkey stores keys and computes nothing with them, so
/// nothing can be done with this one: every question is answered no, every call throws `errSecUnimplemented` of
/// `NSOSStatusErrorDomain`.
public final class LAPrivateKey: NSObject, @unchecked Sendable {
  override init() {}

  /// Its public half.
  public var publicKey: LAPublicKey { LAPublicKey() }

  /// Whether it signs with this algorithm: no.
  public func canSign(using algorithm: SecKeyAlgorithm) -> Bool { false }
  /// Signs.
  public func sign(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data { throw KeyFault.unimplemented }

  /// Whether it decrypts with this algorithm: no.
  public func canDecrypt(using algorithm: SecKeyAlgorithm) -> Bool { false }
  /// Decrypts.
  public func decrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data { throw KeyFault.unimplemented }

  /// Whether it agrees on keys with this algorithm: no.
  public func canExchangeKeys(using algorithm: SecKeyAlgorithm) -> Bool { false }
  /// Agrees on a key.
  public func exchangeKeys(
    publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any]
  ) async throws -> Data {
    throw KeyFault.unimplemented
  }
}

/// The public half of a ``LAPrivateKey``; see there.
public final class LAPublicKey: NSObject, @unchecked Sendable {
  override init() {}

  /// The key as bytes.
  public var bytes: Data {
    get async throws { throw KeyFault.unimplemented }
  }

  /// Whether it encrypts with this algorithm: no.
  public func canEncrypt(using algorithm: SecKeyAlgorithm) -> Bool { false }
  /// Encrypts.
  public func encrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data { throw KeyFault.unimplemented }

  /// Whether it verifies with this algorithm: no.
  public func canVerify(using algorithm: SecKeyAlgorithm) -> Bool { false }
  /// Verifies a signature.
  public func verify(_ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm) async throws {
    throw KeyFault.unimplemented
  }
}

/// What every call about a key answers.
private enum KeyFault {
  static var unimplemented: NSError {
    let sentence = SecCopyErrorMessageString(errSecUnimplemented, nil) as String? ?? ""
    return NSError(
      domain: NSOSStatusErrorDomain, code: Int(errSecUnimplemented), userInfo: [NSLocalizedDescriptionKey: sentence])
  }
}
