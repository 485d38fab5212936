internal import CSodium

/// Authenticated encryption: XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03; libsodium `crypto_aead_xchacha20poly1305_ietf`).
///
/// A sealed value is a random nonce of 24 bytes, the ciphertext (as long as the plaintext), and a tag of 16 bytes. Random
/// nonces of this length do not repeat in practice, so one key may seal any number of values.
public enum AuthenticatedCipher {
  /// Bytes of a key: 32.
  public static let keySize = 32
  /// Bytes of a nonce: 24.
  public static let nonceSize = 24
  /// Bytes of an authentication tag: 16.
  public static let tagSize = 16
  /// How many bytes a sealed value is longer than its plaintext: 40.
  public static let overhead = nonceSize + tagSize

  /// Seals `plaintext` under `key`; `associatedData` is not hidden but must be the same when the value is opened.
  ///
  /// - Throws: ``CipherError``: `.wrongKeySize`.
  public static func seal(
    _ plaintext: SecretBytes, key: SecretBytes, associatedData: [UInt8]
  ) throws(CipherError) -> [UInt8] {
    try plaintext.withSpan { (plaintext) throws(CipherError) in
      try seal(plaintext, key: key, associatedData: associatedData.span)
    }
  }

  /// Seals bytes that are lent, as ``seal(_:key:associatedData:)-(SecretBytes,_,_)``.
  ///
  /// - Throws: ``CipherError``: `.wrongKeySize`.
  public static func seal(
    _ plaintext: Span<UInt8>, key: SecretBytes, associatedData: Span<UInt8>
  ) throws(CipherError) -> [UInt8] {
    SodiumLibrary.requireReady()
    guard key.count == keySize else { throw .wrongKeySize }
    return unsafe [UInt8](writing: plaintext.count + overhead) { start in
      unsafe randombytes_buf(start, nonceSize)
      unsafe encrypt(plaintext, key: key, nonce: start, associatedData: associatedData, to: start + nonceSize)
    }
  }

  /// Opens what ``seal(_:key:associatedData:)-(SecretBytes,_,_)`` made.
  ///
  /// - Throws: ``CipherError``: `.wrongKeySize`; `.truncated` below ``overhead`` bytes; `.notAuthentic` where a bit of the value,
  ///   the key or the associated data differs; `.memory`. No plaintext leaves on any of them.
  public static func open(
    _ sealed: [UInt8], key: SecretBytes, associatedData: [UInt8]
  ) throws(CipherError) -> SecretBytes {
    try open(sealed.span, key: key, associatedData: associatedData.span)
  }

  /// Opens a sealed value where it lies, straight into locked memory.
  ///
  /// - Throws: ``CipherError``, as ``open(_:key:associatedData:)-([UInt8],_,_)``.
  public static func open(
    _ sealed: Span<UInt8>, key: SecretBytes, associatedData: Span<UInt8>
  ) throws(CipherError) -> SecretBytes {
    guard key.count == keySize else { throw .wrongKeySize }
    guard sealed.count >= overhead else { throw .truncated }
    let plaintext: SecretBytes
    do { plaintext = try SecretBytes(count: sealed.count - overhead) } catch { throw .memory(error) }
    guard decrypt(sealed, key: key, associatedData: associatedData, into: plaintext) else { throw .notAuthentic }
    return plaintext
  }

  /// Writes ciphertext and tag to `target`.
  // SAFETY: `nonce` has nonceSize bytes and `target` has plaintext.count + tagSize; `key` was checked to have keySize.
  static func encrypt(
    _ plaintext: Span<UInt8>, key: SecretBytes, nonce: UnsafePointer<UInt8>, associatedData: Span<UInt8>,
    to target: UnsafeMutablePointer<UInt8>
  ) {
    unsafe plaintext.withUnsafeBufferPointer { plaintext in
      unsafe associatedData.withUnsafeBufferPointer { data in
        _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
          target, nil, plaintext.baseAddress, UInt64(plaintext.count), data.baseAddress, UInt64(data.count), nil, nonce,
          key.bytes)
      }
    }
  }

  /// Whether `sealed` is authentic; only then `plaintext` holds what it says (libsodium checks the tag before it decrypts).
  private static func decrypt(
    _ sealed: Span<UInt8>, key: SecretBytes, associatedData: Span<UInt8>, into plaintext: SecretBytes
  ) -> Bool {
    // SAFETY: the caller checked that `sealed` holds at least a nonce and a tag and that `plaintext` is as long as the rest.
    unsafe sealed.withUnsafeBufferPointer { sealed in
      unsafe associatedData.withUnsafeBufferPointer { data in
        guard let nonce = sealed.baseAddress else { return false }
        return unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
          plaintext.bytes, nil, nil, nonce + nonceSize, UInt64(sealed.count - nonceSize), data.baseAddress,
          UInt64(data.count), nonce, key.bytes) == 0
      }
    }
  }
}

/// Why a value could not be sealed or opened.
public enum CipherError: Error, Equatable, Sendable {
  /// The key is not ``AuthenticatedCipher/keySize`` bytes long.
  case wrongKeySize
  /// The sealed value is shorter than any sealed value.
  case truncated
  /// The sealed value, the key or the associated data is not what it was sealed with.
  case notAuthentic
  /// No locked memory for the plaintext.
  case memory(SecretMemoryError)
}
