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

  // SAFETY: owned by this object alone from init to deinit; at least `count` bytes, locked.
  private let storage: UnsafeMutableRawPointer

  /// Makes `count` zero bytes in locked memory.
  ///
  /// - Throws: ``SecretMemoryError``: `.tooLarge`, `.unavailable` (mlock refused or no memory).
  public init(count: Int) throws(SecretMemoryError) {
    unsafe self.storage = try unsafe Self.allocate(count)
    self.count = count
  }

  /// Lets `fill` write into zero bytes of locked memory, and keeps as many of them as it says it wrote.
  ///
  /// - Parameters:
  ///   - capacity: how many bytes `fill` is lent; 0 to ``maximumCount``.
  ///   - fill: returns how many bytes from the start count; 0 to `capacity`.
  /// - Throws: ``SecretFillError``: `.memory` as ``init(count:)`` and with `.outOfRange` where `fill` claims more than it
  ///   was lent; `.source` with what `fill` threw. What was written by then is wiped.
  public init<Failure: Error>(
    filling capacity: Int, _ fill: (inout MutableSpan<UInt8>) throws(Failure) -> Int
  ) throws(SecretFillError<Failure>) {
    let lent: SecretBytes
    do { lent = try SecretBytes(count: capacity) } catch { throw .memory(error) }
    let written: Int
    do { written = try lent.withMutableSpan(fill) } catch { throw .source(error) }
    guard (0...capacity).contains(written) else { throw .memory(.outOfRange) }
    do {
      unsafe self.storage = try unsafe Self.allocate(written)
    } catch { throw .memory(error) }
    self.count = written
    unsafe storage.copyMemory(from: lent.storage, byteCount: written)
  }

  deinit {
    unsafe LockedBlocks.shared.giveBack(storage, max(count, 1))
  }

  private static func allocate(_ count: Int) throws(SecretMemoryError) -> UnsafeMutableRawPointer {
    guard count >= 0, count <= Self.maximumCount else { throw .tooLarge }
    guard SodiumLibrary.isReady, let memory = unsafe LockedBlocks.shared.take(max(count, 1)) else { throw .unavailable }
    return unsafe memory
  }

  /// Lends the bytes for reading.
  public func withSpan<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = unsafe UnsafeRawBufferPointer(start: storage, count: count)
    return try unsafe body(Span<UInt8>(_bytes: bytes.bytes))
  }

  /// Lends the bytes for writing; only for the one that just made the value.
  public func withMutableSpan<Result: ~Copyable, Failure: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = unsafe UnsafeMutableBufferPointer(start: storage.assumingMemoryBound(to: UInt8.self), count: count)
    var span = unsafe bytes.mutableSpan
    return try body(&span)
  }

  /// Lends the address to the C calls of this room.
  // SAFETY: the address is valid for `count` bytes only while this object lives; callers pass it to one C call and keep nothing.
  var address: UnsafeMutableRawPointer { unsafe storage }

  /// The address as the byte pointer most C calls take; the same terms as `address`.
  var bytes: UnsafeMutablePointer<UInt8> { unsafe storage.assumingMemoryBound(to: UInt8.self) }

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
