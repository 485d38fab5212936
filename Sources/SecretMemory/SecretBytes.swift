internal import CSodium

/// Secret bytes in locked memory: never swapped, never dumped, wiped when the last owner lets go, redacted when printed.
///
/// A child that fork(2) made has its parent's objects without their bytes: it may let go of them, and reading one ends it.
///
/// The bytes are reached only inside a closure, so that no copy outlives the call. Fill a value right after making it and
/// treat it as fixed from then on: readers on several threads need no lock because nobody writes any more.
@safe public final class SecretBytes: @unchecked Sendable {
  /// How many bytes there are; 0 to `SecretBytes.maximumCount`.
  public let count: Int

  /// The largest number of bytes one value may hold: 1 MiB and a page for the text around it.
  public static let maximumCount = 1_048_576 + 4096

  private let block: LockedBlock

  /// Makes `count` zero bytes in locked memory.
  ///
  /// - Throws: ``SecretMemoryError``: `.tooLarge`, `.unavailable` (mlock refused or no memory).
  public init(count: Int) throws(SecretMemoryError) {
    self.block = try Self.allocate(count, from: .shared)
    self.count = count
  }

  /// Makes `count` zero bytes in a test's own arena.
  init(count: Int, arena: LockedArena) throws(SecretMemoryError) {
    self.block = try Self.allocate(count, from: arena)
    self.count = count
  }

  /// Lets `fill` write into zero bytes of locked memory, and keeps as many of them as it says it wrote.
  ///
  /// - Parameters:
  ///   - capacity: how many bytes `fill` is lent; 0 to ``maximumCount``.
  ///   - fill: returns how many bytes from the start count; 0 to `capacity`.
  /// - Throws: ``SecretFillError``: `.memory` as ``init(count:)`` and with `.outOfRange` where `fill` claims to have written
  ///   more than it was lent; `.source` with what `fill` threw. What was written by then is wiped.
  public init<Failure: Error>(
    filling capacity: Int, _ fill: (inout MutableSpan<UInt8>) throws(Failure) -> Int
  ) throws(SecretFillError<Failure>) {
    let block: LockedBlock
    do { block = try Self.allocate(capacity, from: .shared) } catch { throw .memory(error) }
    let written: Int
    do { written = try Self.lend(block, capacity, to: fill) } catch { throw .source(error) }
    guard 0...capacity ~= written else { throw .memory(.outOfRange) }
    self.block = block
    self.count = written
  }

  private static func allocate(_ count: Int, from arena: LockedArena) throws(SecretMemoryError) -> LockedBlock {
    guard 0...maximumCount ~= count else { throw .tooLarge }
    return try arena.allocate(count)
  }

  private static func lend<Result: ~Copyable, Failure: Error>(
    _ block: borrowing LockedBlock, _ count: Int, to body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // SAFETY: the block has at least `count` bytes and lives until this call returns; the span cannot leave `body`.
    let start = unsafe own(block).assumingMemoryBound(to: UInt8.self)
    var span = unsafe UnsafeMutableBufferPointer(start: start, count: count).mutableSpan
    return try body(&span)
  }

  /// Lends the bytes for reading.
  public func withSpan<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = unsafe UnsafeRawBufferPointer(start: address, count: count)
    return try unsafe body(Span<UInt8>(_bytes: bytes.bytes))
  }

  /// Lends the bytes for writing; only for the one that just made the value.
  public func withMutableSpan<Result: ~Copyable, Failure: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Self.lend(block, count, to: body)
  }

  /// The address, where there is something to read: a child that read zeros in place of its parent's secret would store or
  /// send them.
  private static func own(_ block: borrowing LockedBlock) -> UnsafeMutableRawPointer {
    precondition(block.isOfThisProcess, "a secret of the parent process")
    return unsafe block.address
  }

  /// Lends the address to the C calls of this room.
  // SAFETY: the address is valid for `count` bytes only while this object lives; callers pass it to one C call and keep nothing.
  var address: UnsafeMutableRawPointer { unsafe Self.own(block) }

  /// The address as the byte pointer most C calls take; the same terms as `address`.
  var bytes: UnsafeMutablePointer<UInt8> { unsafe address.assumingMemoryBound(to: UInt8.self) }

  /// Whether both hold the same bytes, in time that does not depend on where they differ (libsodium `sodium_memcmp`).
  public func equals(_ other: SecretBytes) -> Bool {
    unsafe count == other.count && sodium_memcmp(address, other.address, count) == 0
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
