internal import CSodium

/// Turns a passcode into a key at a cost that makes guessing slow: Argon2id 1.3 (RFC 9106; libsodium `crypto_pwhash_argon2id`).
public enum PasscodeStretching {
  /// Bytes of the key that comes out: 32.
  public static let keySize = 32

  /// The key for `passcode`; takes tenths of a second and ``StretchingParameters/memoryBytes`` of ordinary memory, which
  /// libsodium wipes.
  ///
  /// - Parameter passcode: any bytes, none included.
  /// - Throws: ``SecretMemoryError``: `.unavailable` where there is no memory for the work or for the key.
  public static func stretch(
    _ passcode: SecretBytes, parameters: StretchingParameters
  ) throws(SecretMemoryError) -> SecretBytes {
    SodiumLibrary.requireReady()
    let key = try SecretBytes(count: keySize)
    // SAFETY: the salt was parsed to have exactly the 16 bytes the call reads.
    let result = unsafe passcode.address.withMemoryRebound(to: CChar.self, capacity: passcode.count) { passcodeStart in
      unsafe crypto_pwhash_argon2id(
        key.bytes, UInt64(keySize), passcodeStart, UInt64(passcode.count), parameters.salt, parameters.operations,
        Int(parameters.memoryBytes), crypto_pwhash_argon2id_alg_argon2id13())
    }
    guard result == 0 else { throw .unavailable }
    return key
  }
}
