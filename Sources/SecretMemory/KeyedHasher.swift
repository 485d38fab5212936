internal import CSodium

/// A keyed hash fed piece by piece: the same BLAKE2b as ``KeyedHash``. The state, which holds the key, is in locked memory.
public struct KeyedHasher: ~Copyable {
  private let state: SecretBytes
  private let size: Int

  /// Starts a hash of `size` bytes.
  ///
  /// - Precondition: the key is of ``KeyedHash/keySizes`` and `size` of ``KeyedHash/sizes``.
  /// - Throws: ``SecretMemoryError``: `.unavailable`.
  public init(key: SecretBytes, size: Int = 32) throws(SecretMemoryError) {
    KeyedHash.require(key: key, size: size)
    // The state wants an address that is a multiple of 64, which is more than `malloc`-like memory promises.
    let state = try SecretBytes(count: crypto_generichash_blake2b_statebytes() + 63)
    self.state = state
    self.size = size
    unsafe crypto_generichash_blake2b_init(Self.aligned(state), key.bytes, key.count, size)
  }

  /// Takes in more bytes.
  public mutating func update(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      _ = unsafe crypto_generichash_blake2b_update(Self.aligned(state), bytes.baseAddress, UInt64(bytes.count))
    }
  }

  /// Takes in more bytes.
  public mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

  /// The hash of everything taken in.
  public consuming func finish() -> [UInt8] {
    unsafe [UInt8](writing: size) { target in
      _ = unsafe crypto_generichash_blake2b_final(Self.aligned(state), target, size)
    }
  }

  // SAFETY: `state` has 63 bytes to spare, so the next multiple of 64 leaves room for the whole state.
  private static func aligned(_ state: SecretBytes) -> OpaquePointer {
    let start = unsafe UInt(bitPattern: state.address)
    return unsafe OpaquePointer(state.address + Int((64 - start % 64) % 64))
  }
}
