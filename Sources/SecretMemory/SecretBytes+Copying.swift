internal import CSodium

extension SecretBytes {
  /// Copies bytes that are already in ordinary memory. The caller wipes its own copy.
  ///
  /// - Throws: ``SecretMemoryError``, as ``init(count:)``.
  public convenience init(copying source: Span<UInt8>) throws(SecretMemoryError) {
    try self.init(count: source.count)
    unsafe source.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      unsafe address.copyMemory(from: start, byteCount: source.count)
    }
  }

  /// Copies bytes that are already in ordinary memory. The caller wipes its own copy.
  ///
  /// - Throws: ``SecretMemoryError``, as ``init(count:)``.
  public convenience init(copying source: [UInt8]) throws(SecretMemoryError) {
    try self.init(copying: source.span)
  }

  /// Makes `count` random bytes from the kernel's generator (libsodium `randombytes_buf`).
  ///
  /// - Throws: ``SecretMemoryError``, as ``init(count:)``.
  public static func random(count: Int) throws(SecretMemoryError) -> SecretBytes {
    SodiumLibrary.requireReady()
    let made = try SecretBytes(count: count)
    unsafe randombytes_buf(made.address, made.count)
    return made
  }

  /// A copy of the bytes at `range`, in locked memory of its own.
  ///
  /// - Throws: ``SecretMemoryError``: `.outOfRange` where `range` leaves `0..<count`; else as ``init(count:)``.
  public func slice(_ range: Range<Int>) throws(SecretMemoryError) -> SecretBytes {
    guard range.lowerBound >= 0, range.upperBound <= count else { throw .outOfRange }
    let part = try SecretBytes(count: range.count)
    unsafe part.address.copyMemory(from: address + range.lowerBound, byteCount: range.count)
    return part
  }

  /// The bytes of all parts, one after the other.
  ///
  /// - Throws: ``SecretMemoryError``, as ``init(count:)``.
  public static func joined(_ parts: [SecretBytes]) throws(SecretMemoryError) -> SecretBytes {
    let whole = try SecretBytes(count: parts.reduce(0) { $0 + $1.count })
    var offset = 0
    for part in parts {
      unsafe (whole.address + offset).copyMemory(from: part.address, byteCount: part.count)
      offset += part.count
    }
    return whole
  }

  /// Copies all bytes into memory the caller owns (and wipes), from `offset` on.
  ///
  /// - Throws: ``SecretMemoryError``: `.outOfRange` where they do not fit; then nothing was written.
  public func copy(to target: inout MutableSpan<UInt8>, at offset: Int = 0) throws(SecretMemoryError) {
    guard offset >= 0, offset <= target.count, count <= target.count - offset else { throw .outOfRange }
    unsafe target.withUnsafeMutableBytes { target in
      guard let start = target.baseAddress else { return }
      unsafe (start + offset).copyMemory(from: address, byteCount: count)
    }
  }

  /// Copies all bytes into an ordinary array for an interface that takes nothing else. The caller wipes it with
  /// ``Swift/Array/wipe()`` as soon as it was handed over.
  public func unprotectedCopy() -> [UInt8] {
    let source = unsafe UnsafeRawBufferPointer(start: address, count: count)
    return unsafe [UInt8](source)
  }
}

extension [UInt8] {
  /// Overwrites the bytes with zeros in a way the compiler does not leave out (libsodium `sodium_memzero`), then forgets them.
  ///
  /// Other arrays that share the storage keep theirs: wipe the only copy.
  public mutating func wipe() {
    unsafe withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe sodium_memzero(start, bytes.count)
    }
    removeAll(keepingCapacity: true)
  }
}
