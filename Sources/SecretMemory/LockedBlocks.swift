internal import CSodium
internal import Synchronization

/// Keeps locked blocks of one size for the next small value. Taking one from the kernel costs six system calls (map, lock and
/// protect, libsodium `sodium_malloc`), about a thousand times as much as taking one from here.
///
/// A block that comes back is wiped before it is kept. Larger values go to the kernel each time.
@safe final class LockedBlocks: Sendable {
  /// Bytes of a block: room for keys, passcodes and most values.
  static let blockBytes = 512
  /// Most blocks that are kept: one locked page each.
  static let keptBlocks = 32
  /// Those of this process.
  static let shared = LockedBlocks()

  /// One block nobody uses.
  @safe private struct Block: @unchecked Sendable {
    // SAFETY: made by sodium_malloc with `blockBytes` bytes; owned by the list that holds it.
    let start: UnsafeMutableRawPointer
  }

  private let free = Mutex<[Block]>([])

  /// How many blocks wait for use.
  var freeCount: Int { free.withLock { $0.count } }

  /// Locked zero bytes, `count` or more; `nil` where there is no memory or it cannot be locked.
  func take(_ count: Int) -> UnsafeMutableRawPointer? {
    guard count <= Self.blockBytes else { return unsafe Self.allocate(count) }
    if let kept = free.withLock({ $0.popLast() }) { return unsafe kept.start }
    return unsafe Self.allocate(Self.blockBytes)
  }

  /// Wipes what ``take(_:)`` gave for the same `count` and keeps it or gives it back to the kernel.
  func giveBack(_ start: UnsafeMutableRawPointer, _ count: Int) {
    guard count <= Self.blockBytes else { return unsafe sodium_free(start) }
    unsafe sodium_memzero(start, Self.blockBytes)
    let block = unsafe Block(start: start)
    let isKept = free.withLock { free in
      guard free.count < Self.keptBlocks else { return false }
      free.append(block)
      return true
    }
    if !isKept { unsafe sodium_free(start) }
  }

  private static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    guard let memory = unsafe sodium_malloc(count) else { return nil }
    unsafe sodium_memzero(memory, count)
    return unsafe memory
  }
}
