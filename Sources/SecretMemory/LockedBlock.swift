internal import CSodium

/// One piece of locked memory with a single owner; wiped and given back at the end of its life.
@safe struct LockedBlock: ~Copyable {
  // SAFETY: `capacity` bytes that belong to this value alone until its end.
  let address: UnsafeMutableRawPointer
  /// Bytes at the address: at least as many as were asked for.
  let capacity: Int

  private let home: Home
  private let arena: LockedArena

  /// Where the memory came from.
  private enum Home {
    case slot(SlabPage)
    case region(LockedRegion)
  }

  init(slot address: UnsafeMutableRawPointer, of page: SlabPage, capacity: Int, arena: LockedArena) {
    unsafe self.address = unsafe address
    self.capacity = capacity
    self.home = .slot(page)
    self.arena = arena
  }

  init(whole region: LockedRegion, arena: LockedArena) {
    unsafe self.address = unsafe region.start
    self.capacity = region.size
    self.home = .region(region)
    self.arena = arena
  }

  /// Whether it was lent in this process. A child that fork(2) made has its parent's blocks too, but with zeros in them.
  var isOfThisProcess: Bool {
    switch home {
    case .slot(let page): arena.isCurrent(page.region)
    case .region(let region): arena.isCurrent(region)
    }
  }

  deinit {
    switch home {
    case .slot(let page):
      unsafe sodium_memzero(address, capacity)
      unsafe arena.putBack(address, to: page)
    case .region(let region):
      arena.giveBackLarge(region)
    }
  }
}
