internal import Synchronization

/// All locked memory of the process: slots of a few sizes for small values, a region of its own for each large one.
///
/// A mapping of its own for every value costs a dozen system calls each way, which is half of what a whole read may take; a
/// slot costs none. Slots are zero when they are lent, because they are wiped when they come back.
final class LockedArena: Sendable {
  /// Values up to this many bytes come from slots.
  static let largestSlot = SlabPage.size
  /// The most bytes this process locks, whatever the kernel would allow.
  static let ceiling = 64 * 1024 * 1024
  /// The most bytes that are kept free for small values, whatever the large ones take.
  static let largestReserve = 2 * 1024 * 1024
  /// Pages of slots in one region, where the bound leaves room for so many.
  static let pagesPerRegion = 16

  /// The one that all secrets of the process share.
  static let shared = LockedArena(pages: .kernel)

  private struct State {
    /// Bytes locked, or about to be.
    var lockedBytes = 0
    /// Those of them that are regions of large values.
    var largeBytes = 0
    /// For each size class, the pages with a free slot.
    var partial = [[SlabPage]](repeating: [], count: SlabPage.classCount)
    /// Pages that belong to no class at present.
    var unused: [SlabPage] = []
  }

  private let pages: PageSource
  private let state = Mutex(State())
  private let mark = ForkMark()
  /// Counts the processes: one up in each child.
  private let generation = Atomic<Int>(0)

  init(pages: PageSource) { self.pages = pages }

  /// Whether the region was mapped in this process and not in its parent.
  func isCurrent(_ region: LockedRegion) -> Bool {
    !mark.isMissing && region.generation == generation.load(ordering: .relaxed)
  }

  /// A child begins with nothing: its parent's pages are there, but zero and not locked (mlock(2)). With the lock held.
  private func beginAnewInChild(_ state: inout State) {
    guard mark.isMissing else { return }
    generation.add(1, ordering: .relaxed)
    state = State()
    mark.renew()
  }

  /// Bytes that are locked now.
  var lockedBytes: Int { state.withLock { $0.lockedBytes } }

  /// The most bytes that may be locked: three quarters of RLIMIT_MEMLOCK as it is now, so that others of the process find room,
  /// and never more than ``ceiling``.
  var limit: Int { Int(min(pages.lockLimit() / 4 * 3, UInt64(Self.ceiling))) }

  /// The most bytes that large values may have together. The rest is kept for small ones, so that whoever fills the memory with
  /// large values (half-sent ones of another user, say) keeps nobody from reading a password.
  var largeLimit: Int { limit - min(limit / 4, Self.largestReserve) }

  /// Lends at least `count` zero bytes.
  ///
  /// - Throws: ``SecretMemoryError``: `.unavailable` where the limit is reached or the kernel refuses.
  func allocate(_ count: Int) throws(SecretMemoryError) -> LockedBlock {
    if count > Self.largestSlot { return LockedBlock(whole: try mapLarge(count), arena: self) }
    let page = try state.withLock { (state) throws(SecretMemoryError) -> Lent in
      beginAnewInChild(&state)
      return try takeSlot(sizeClass: SlabPage.sizeClass(of: count), in: &state)
    }
    return unsafe LockedBlock(slot: page.address, of: page.page, capacity: page.page.slotSize, arena: self)
  }

  /// Takes back a slot that its owner has wiped.
  func putBack(_ address: UnsafeMutableRawPointer, to page: SlabPage) {
    let slot = unsafe Lent(address: address, page: page)
    let dropped = state.withLock { state in putBack(slot, in: &state) }
    if let dropped { giveBack(dropped) }
  }

  /// Unmaps a large value's region and lets its bytes be locked anew.
  func giveBackLarge(_ region: LockedRegion) {
    let size = region.size
    region.unmap()
    state.withLock { state in
      beginAnewInChild(&state)
      guard isCurrent(region) else { return }
      state.lockedBytes -= size
      state.largeBytes -= size
    }
  }

  /// Unmaps a region of slots and lets its bytes be locked anew.
  private func giveBack(_ region: LockedRegion) {
    let size = region.size
    region.unmap()
    state.withLock { $0.lockedBytes -= size }
  }

  // MARK: Large values

  private func mapLarge(_ count: Int) throws(SecretMemoryError) -> LockedRegion {
    let size = pages.rounded(count)
    try state.withLock { (state) throws(SecretMemoryError) in
      beginAnewInChild(&state)
      guard size <= limit - state.lockedBytes, size <= largeLimit - state.largeBytes else { throw .unavailable }
      state.lockedBytes += size
      state.largeBytes += size
    }
    do {
      return try LockedRegion(size: size, pages: pages, generation: generation.load(ordering: .relaxed))
    } catch {
      state.withLock { state in
        state.lockedBytes -= size
        state.largeBytes -= size
      }
      throw error
    }
  }

  // MARK: Slots, with the lock held

  private func takeSlot(sizeClass: Int, in state: inout State) throws(SecretMemoryError) -> Lent {
    if let page = state.partial[sizeClass].last {
      let address = unsafe page.take()
      if page.isFull { remove(page, sizeClass: sizeClass, from: &state) }
      return unsafe Lent(address: address, page: page)
    }
    if state.unused.isEmpty { try grow(&state) }
    let page = state.unused.removeLast()
    page.region.unusedPages -= 1
    page.begin(sizeClass: sizeClass)
    let address = unsafe page.take()
    if !page.isFull { insert(page, sizeClass: sizeClass, into: &state) }
    return unsafe Lent(address: address, page: page)
  }

  /// Maps one more region of pages; a smaller one where the limit is near.
  private func grow(_ state: inout State) throws(SecretMemoryError) {
    let room = (limit - state.lockedBytes) / pages.pageSize * pages.pageSize
    let size = min(room, pages.rounded(Self.pagesPerRegion * SlabPage.size))
    guard size >= SlabPage.size else { throw .unavailable }
    let region = try LockedRegion(size: size, pages: pages, generation: generation.load(ordering: .relaxed))
    state.lockedBytes += region.size
    for offset in stride(from: 0, to: region.size, by: SlabPage.size) {
      state.unused.append(SlabPage(region: region, offset: offset))
      region.unusedPages += 1
    }
  }

  /// Marks the slot free; the region to give back, where all of it is unused and as much again is left.
  private func putBack(_ slot: Lent, in state: inout State) -> LockedRegion? {
    beginAnewInChild(&state)
    let page = slot.page
    // A slot of the parent's goes with the page it is on.
    guard isCurrent(page.region) else { return nil }
    let sizeClass = SlabPage.sizeClass(of: page.slotSize)
    unsafe page.putBack(slot.address)
    guard page.isUnused else {
      if page.position == nil { insert(page, sizeClass: sizeClass, into: &state) }
      return nil
    }
    if page.position != nil { remove(page, sizeClass: sizeClass, from: &state) }
    state.unused.append(page)
    page.region.unusedPages += 1
    return dropSpareRegion(of: page, from: &state)
  }

  private func dropSpareRegion(of page: SlabPage, from state: inout State) -> LockedRegion? {
    guard state.unused.count >= 2 * Self.pagesPerRegion else { return nil }
    let region = page.region
    guard region.unusedPages == region.size / SlabPage.size else { return nil }
    state.unused.removeAll { $0.region === region }
    return region
  }

  private func insert(_ page: SlabPage, sizeClass: Int, into state: inout State) {
    page.position = state.partial[sizeClass].count
    state.partial[sizeClass].append(page)
  }

  /// Takes a page out of its list in constant time: the last one takes its place.
  private func remove(_ page: SlabPage, sizeClass: Int, from state: inout State) {
    guard let position = page.position, let last = state.partial[sizeClass].popLast() else { return }
    if last !== page {
      state.partial[sizeClass][position] = last
      last.position = position
    }
    page.position = nil
  }
}

/// A slot on its way between the arena and its owner.
@safe struct Lent: @unchecked Sendable {
  // SAFETY: a slot of `page`, which keeps it mapped.
  let address: UnsafeMutableRawPointer
  let page: SlabPage
}
