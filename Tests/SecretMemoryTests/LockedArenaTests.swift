import Glibc
import Synchronization
import Testing

@testable import SecretMemory

/// The kernel's pages under a limit of our own, with counts of what is mapped, and a mlock that can be made to fail.
final class ScratchPages: Sendable {
  struct Counts {
    var mapped = 0
    var failsAfter = Int.max
  }
  let counts = Mutex(Counts())
  let rlimit: UInt64

  init(rlimit: UInt64) { self.rlimit = rlimit }

  var source: PageSource {
    var pages = PageSource.kernel
    pages.lockLimit = { self.rlimit }
    pages.reserve = { size in
      self.counts.withLock { $0.mapped += size }
      return PageSource.kernel.reserve(size)
    }
    pages.open = { start, size in
      let allowed = self.counts.withLock { counts in
        counts.failsAfter -= 1
        return counts.failsAfter >= 0
      }
      return allowed ? PageSource.kernel.open(start, size) : ENOMEM
    }
    pages.release = { start, size in
      self.counts.withLock { $0.mapped -= size }
      PageSource.kernel.release(start, size)
    }
    return pages
  }
}

private func addresses(_ secrets: [SecretBytes]) -> [UInt] { secrets.map { UInt(bitPattern: $0.address) } }

@Test(arguments: [
  (0, 32), (1, 32), (31, 32), (32, 32), (33, 64), (64, 64), (65, 128), (128, 128), (129, 256), (511, 512), (512, 512),
  (513, 1024), (2047, 2048), (2048, 2048), (2049, 4096), (4095, 4096), (4096, 4096),
])
func `a small value gets the smallest slot that holds it`(count: Int, slot: Int) {
  #expect(SlabPage.smallestSlot << SlabPage.sizeClass(of: count) == slot)
}

@Test func `values never overlap and stay as they were filled`() throws {
  let arena = LockedArena(pages: ScratchPages(rlimit: .max).source)
  var generator = SystemRandomNumberGenerator()
  var held: [(secret: SecretBytes, mark: UInt8)] = []
  for round in 0..<10_000 {
    if held.count > 400 || (!held.isEmpty && Bool.random(using: &generator)) {
      held.swapAt(Int.random(in: 0..<held.count, using: &generator), held.count - 1)
      let (secret, mark) = held.removeLast()
      #expect(secret.withSpan { span in span.indices.allSatisfy { span[$0] == mark } })
    } else {
      let largest = round % 100 == 0 ? 20_000 : 300
      let secret = try SecretBytes(count: Int.random(in: 0...largest, using: &generator), arena: arena)
      #expect(secret.withSpan { span in span.indices.allSatisfy { span[$0] == 0 } }, "lent memory is zero")
      let mark = UInt8(truncatingIfNeeded: round | 1)
      secret.withMutableSpan { span in for index in span.indices { span[index] = mark } }
      held.append((secret, mark))
    }
  }
  #expect(arena.lockedBytes > 0)
}

@Test func `everything is given back but one region's worth of pages`() throws {
  let pages = ScratchPages(rlimit: .max)
  let arena = LockedArena(pages: pages.source)
  var held = try (0..<5000).map { _ in try SecretBytes(count: 512, arena: arena) }
  #expect(arena.lockedBytes >= 5000 * 512)
  held.removeAll()
  #expect(arena.lockedBytes < 2 * LockedArena.pagesPerRegion * SlabPage.size)
  let guards = arena.lockedBytes / (LockedArena.pagesPerRegion * SlabPage.size) * 2 * pages.source.pageSize
  #expect(pages.counts.withLock { $0.mapped } == arena.lockedBytes + guards, "nothing but the spare stays mapped")
}

@Test func `a slot is wiped before it is lent again`() throws {
  let arena = LockedArena(pages: ScratchPages(rlimit: .max).source)
  let stays = try SecretBytes(count: 32, arena: arena)
  var gone: SecretBytes? = try SecretBytes(count: 32, arena: arena)
  let address = try #require(gone).address
  gone?.withMutableSpan { span in for index in span.indices { span[index] = 0xA5 } }
  gone = nil
  #expect(UnsafeRawBufferPointer(start: address, count: 32).allSatisfy { $0 == 0 })
  withExtendedLifetime(stays) {}
}

@Test(arguments: [(65_535, false), (65_536, true), (65_537, true)])
func `three quarters of the limit may be locked, the large values having three quarters of that`(
  rlimit: Int, fits: Bool
) throws {
  let arena = LockedArena(pages: ScratchPages(rlimit: UInt64(rlimit)).source)
  let size = 36 * 1024
  #expect(arena.limit <= rlimit / 4 * 3)
  #expect(((try? SecretBytes(count: size, arena: arena)) != nil) == fits)
  #expect((try? SecretBytes(count: size + 1, arena: arena)) == nil)
}

@Test func `the limit counts small and large values together, and its end is an error`() throws {
  let arena = LockedArena(pages: ScratchPages(rlimit: 65_536).source)
  let large = try SecretBytes(count: 32 * 1024, arena: arena)
  var small: [SecretBytes] = []
  for _ in 0..<4 { small.append(try SecretBytes(count: 4096, arena: arena)) }
  #expect(arena.lockedBytes == arena.limit)
  #expect(throws: SecretMemoryError.unavailable) { try SecretBytes(count: 4096, arena: arena) }
  #expect(throws: SecretMemoryError.unavailable) { try SecretBytes(count: 1, arena: arena) }
  #expect(throws: SecretMemoryError.unavailable) { try SecretBytes(count: 4097, arena: arena) }
  small.removeLast()
  _ = try SecretBytes(count: 1, arena: arena)
  withExtendedLifetime(large) {}
}

@Test func `large values leave small ones their room`() throws {
  let arena = LockedArena(pages: ScratchPages(rlimit: 16 << 20).source)
  var large: [SecretBytes] = []
  while let value = try? SecretBytes(count: 100_000, arena: arena) { large.append(value) }
  while let value = try? SecretBytes(count: 4097, arena: arena) { large.append(value) }
  var small: [SecretBytes] = []
  for _ in 0..<(2 << 20) / 4096 { small.append(try SecretBytes(count: 4096, arena: arena)) }
  large.removeLast()
  large.append(try SecretBytes(count: 4097, arena: arena))
  withExtendedLifetime((large, small)) {}
}

@Test(arguments: [(0, 0), (3, 0), (UInt64(64 << 20), 48 << 20), (UInt64(1 << 30), 64 << 20), (UInt64.max, 64 << 20)])
func `the limit follows RLIMIT_MEMLOCK up to a ceiling`(rlimit: UInt64, limit: Int) {
  let arena = LockedArena(pages: ScratchPages(rlimit: rlimit).source)
  #expect(arena.limit == limit)
  if limit == 0 { #expect(throws: SecretMemoryError.unavailable) { try SecretBytes(count: 0, arena: arena) } }
}

@Test(arguments: [1, 4096, 4097, 1_000_000])
func `memory that the kernel does not lock is never lent`(count: Int) throws {
  let pages = ScratchPages(rlimit: .max)
  pages.counts.withLock { $0.failsAfter = 0 }
  let arena = LockedArena(pages: pages.source)
  #expect(throws: SecretMemoryError.unavailable) { try SecretBytes(count: count, arena: arena) }
  #expect(arena.lockedBytes == 0)
  #expect(pages.counts.withLock { $0.mapped } == 0)
  pages.counts.withLock { $0.failsAfter = 1 }
  #expect(try SecretBytes(count: count, arena: arena).count == count)
}

@Test func `eight threads share one arena`() throws {
  let arena = LockedArena(pages: ScratchPages(rlimit: .max).source)
  let wrong = Atomic(0)
  let threads = (0..<8).map { number in
    Thread {
      var held: [SecretBytes] = []
      for round in 0..<2000 {
        guard let secret = try? SecretBytes(count: (round * 7 + number) % 150, arena: arena) else { continue }
        secret.withMutableSpan { span in
          for index in span.indices {
            if span[index] != 0 { wrong.add(1, ordering: .relaxed) }
            span[index] = UInt8(number)
          }
        }
        held.append(secret)
        if held.count > 50 {
          let oldest = held.removeFirst()
          let intact = oldest.withSpan { span in span.indices.allSatisfy { span[$0] == UInt8(number) } }
          if !intact { wrong.add(1, ordering: .relaxed) }
        }
      }
    }
  }
  threads.forEach { $0.join() }
  #expect(wrong.load(ordering: .relaxed) == 0)
  #expect(arena.lockedBytes < 2 * LockedArena.pagesPerRegion * SlabPage.size)
}

/// A thread that can be waited for.
final class Thread {
  private var handle = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Box(body))
    pthread_create(
      &handle, nil,
      { argument in
        Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
  }

  func join() { pthread_join(handle, nil) }

  private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
