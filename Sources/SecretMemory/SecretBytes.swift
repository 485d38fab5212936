internal import CSodium

/// Secret bytes in locked memory: never swapped, never dumped, wiped when the last owner lets go, redacted when printed.
///
/// The bytes are reached only inside a closure, so that no copy outlives the call. Fill a value right after making it and
/// treat it as fixed from then on: readers on several threads need no lock because nobody writes any more.
@safe public final class SecretBytes: @unchecked Sendable {
  /// How many bytes there are; 0 to `SecretBytes.maximumCount`.
  public let count: Int

  /// The largest number of bytes one value may hold: 1 MiB and a page for the text around it.
  public static let maximumCount = 1_048_576 + 4096

  // SAFETY: owned by this object alone from init to deinit; `count` bytes, locked.
  private let storage: UnsafeMutableRawPointer

  /// Makes `count` zero bytes in locked memory.
  ///
  /// - Throws: ``SecretMemoryError``: `.tooLarge`, `.unavailable` (mlock refused or no memory).
  public init(count: Int) throws(SecretMemoryError) {
    guard count >= 0, count <= Self.maximumCount else { throw .tooLarge }
    guard sodium_init() >= 0, let memory = unsafe sodium_malloc(max(count, 1)) else { throw .unavailable }
    unsafe sodium_memzero(memory, max(count, 1))
    self.count = count
    unsafe self.storage = unsafe memory
  }

  deinit {
    unsafe sodium_free(storage)
  }

  /// Copies bytes that are already in ordinary memory. The caller wipes its own copy.
  ///
  /// - Throws: ``SecretMemoryError``, as ``init(count:)``.
  public convenience init(copying bytes: Span<UInt8>) throws(SecretMemoryError) {
    try self.init(count: bytes.count)
    withMutableSpan { target in
      for index in bytes.indices { target[index] = bytes[index] }
    }
  }

  /// Makes `count` random bytes from the kernel's generator (libsodium `randombytes_buf`).
  ///
  /// - Throws: ``SecretMemoryError``, as ``init(count:)``.
  public static func random(count: Int) throws(SecretMemoryError) -> SecretBytes {
    let made = try SecretBytes(count: count)
    unsafe randombytes_buf(made.storage, made.count)
    return made
  }

  /// Lends the bytes for reading.
  public func withSpan<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = unsafe UnsafeRawBufferPointer(start: storage, count: count)
    return try unsafe body(Span<UInt8>(_bytes: bytes.bytes))
  }

  /// Lends the bytes for writing; only for the one that just made the value.
  public func withMutableSpan<Result, Failure: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = unsafe UnsafeMutableBufferPointer(start: storage.assumingMemoryBound(to: UInt8.self), count: count)
    var span = unsafe bytes.mutableSpan
    return try body(&span)
  }

  /// Whether both hold the same bytes, in time that does not depend on where they differ (libsodium `sodium_memcmp`).
  public func equals(_ other: SecretBytes) -> Bool {
    unsafe count == other.count && sodium_memcmp(storage, other.storage, count) == 0
  }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always the same text: neither the bytes nor their number.
  public var description: String { "<secret>" }
  /// Always the same text: neither the bytes nor their number.
  public var debugDescription: String { "<secret>" }
  /// An empty mirror, so that `dump` shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why secret memory could not be had.
public enum SecretMemoryError: Error, Equatable, Sendable {
  /// More bytes than ``SecretBytes/maximumCount``, or a negative number.
  case tooLarge
  /// No memory, or the kernel refused to lock it (RLIMIT_MEMLOCK).
  case unavailable
}
