public import CFBridge

/// The name of an algorithm that a key may be used with. Nothing in this package computes with keys; the type is there for
/// the signatures that name it.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
  private let name: String

  /// Apple's string for the algorithm.
  public var rawValue: CFString { NSString(string: name) }

  /// Takes Apple's string for an algorithm.
  public init(rawValue: CFString) { name = rawValue as String }

  private init(_ name: String) { self.name = name }

  /// ECDSA over SHA-256 of the message, with the signature in X9.62 form.
  public static let ecdsaSignatureMessageX962SHA256 = SecKeyAlgorithm("algid:sign:ECDSA:message-X962:SHA256")
  /// ECDSA over a digest made with SHA-256, with the signature in X9.62 form.
  public static let ecdsaSignatureDigestX962SHA256 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962:SHA256")
  /// Diffie-Hellman on an elliptic curve.
  public static let ecdhKeyExchangeStandard = SecKeyAlgorithm("algid:keyexchange:ECDH")
  /// Diffie-Hellman on an elliptic curve, with the cofactor.
  public static let ecdhKeyExchangeCofactor = SecKeyAlgorithm("algid:keyexchange:ECDHC")
}
