internal import CSodium

/// Plain digests of bytes that are no secret.
public enum Digest {
  /// Bytes of a SHA-256 digest: 32.
  public static let sha256Size = 32

  /// The SHA-256 digest (FIPS 180-4; libsodium `crypto_hash_sha256`).
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] { sha256(bytes.span) }

  /// The SHA-256 digest of bytes that are lent.
  public static func sha256(_ bytes: Span<UInt8>) -> [UInt8] {
    unsafe [UInt8](writing: sha256Size) { target in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        _ = unsafe crypto_hash_sha256(target, bytes.baseAddress, UInt64(bytes.count))
      }
    }
  }
}
