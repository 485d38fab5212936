internal import CSodium

/// Keyed hashing: BLAKE2b (RFC 7693; libsodium `crypto_generichash_blake2b`).
public enum KeyedHash {
  /// Bytes a key may have: 16 to 64.
  public static let keySizes = 16...64
  /// Bytes a hash may have: 16 to 64.
  public static let sizes = 16...64
  /// Bytes of a derived key: 32.
  public static let derivedSize = 32

  /// The keyed hash of `bytes`.
  ///
  /// - Precondition: the key is of ``keySizes`` and `size` of ``sizes``: both are written in the program, not read from outside.
  public static func hash(_ bytes: [UInt8], key: SecretBytes, size: Int = 32) -> [UInt8] {
    hash(bytes.span, key: key, size: size)
  }

  /// The keyed hash of bytes that are lent, on the terms of ``hash(_:key:size:)-([UInt8],_,_)``.
  public static func hash(_ bytes: Span<UInt8>, key: SecretBytes, size: Int = 32) -> [UInt8] {
    require(key: key, size: size)
    return unsafe [UInt8](writing: size) { target in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        _ = unsafe crypto_generichash_blake2b(
          target, size, bytes.baseAddress, UInt64(bytes.count), key.bytes, key.count)
      }
    }
  }

  /// A key of ``derivedSize`` bytes for one purpose, made from `key`.
  ///
  /// Its message is the length of the label's UTF-8 (8 bytes, little endian), the label, and the context; a personalisation of its
  /// own (RFC 7693 section 2.8) keeps it apart from every ``hash(_:key:size:)-([UInt8],_,_)`` under the same key.
  ///
  /// - Parameters:
  ///   - key: of ``keySizes``; a precondition.
  ///   - label: what the derived key is for.
  ///   - context: what it belongs to, as an identifier.
  /// - Throws: ``SecretMemoryError``: `.unavailable`.
  public static func derive(
    key: SecretBytes, label: String, context: [UInt8]
  ) throws(SecretMemoryError) -> SecretBytes {
    require(key: key, size: derivedSize)
    var message = littleEndian(label.utf8.count)
    message.append(contentsOf: label.utf8)
    message.append(contentsOf: context)
    let derived = try SecretBytes(count: derivedSize)
    // SAFETY: personalisation and salt are arrays of exactly 16 bytes, as the call reads.
    _ = unsafe crypto_generichash_blake2b_salt_personal(
      derived.bytes, derivedSize, message, UInt64(message.count), key.bytes, key.count, noSalt, personalisation)
    return derived
  }

  private static let personalisation = [UInt8]("latchkey.derive1".utf8)
  private static let noSalt = [UInt8](repeating: 0, count: 16)

  private static func littleEndian(_ count: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: UInt64(count) >> (8 * $0)) }
  }

  static func require(key: SecretBytes, size: Int) {
    SodiumLibrary.requireReady()
    precondition(keySizes.contains(key.count), "a BLAKE2b key has 16 to 64 bytes")
    precondition(sizes.contains(size), "a BLAKE2b hash has 16 to 64 bytes")
  }
}
