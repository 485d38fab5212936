/// 4096 bytes of a region, cut into slots of one size. Everything that changes is guarded by the arena's lock.
@safe final class SlabPage: @unchecked Sendable {
  /// Bytes of one page of slots, whatever the kernel's pages are.
  static let size = 4096
  /// Bytes of the smallest slot.
  static let smallestSlot = 32
  /// Slot sizes 32, 64, ... 4096.
  static let classCount = 8

  /// The region this page is part of; it lives as long as any of its pages.
  let region: LockedRegion
  // SAFETY: `size` bytes inside `region`.
  let start: UnsafeMutableRawPointer

  /// Bytes of one slot; changes only while no slot is taken.
  private(set) var slotSize = SlabPage.size
  /// Where the page stands in its list of pages with free slots; nil while it is full or unused.
  var position: Int?
  /// A bit for each free slot.
  private var freeSlots: UInt128 = 0

  init(region: LockedRegion, offset: Int) {
    self.region = region
    unsafe self.start = unsafe region.start + offset
  }

  /// The smallest class whose slots hold `count` bytes, 0 to 4096.
  static func sizeClass(of count: Int) -> Int {
    let slots = UInt(max(count, smallestSlot) - 1) / UInt(smallestSlot)
    return UInt.bitWidth - slots.leadingZeroBitCount
  }

  var isFull: Bool { freeSlots == 0 }
  var isUnused: Bool { freeSlots == Self.allSlots(slotSize) }

  /// Starts a page of slots of one class; the page must be unused.
  func begin(sizeClass: Int) {
    slotSize = Self.smallestSlot << sizeClass
    freeSlots = Self.allSlots(slotSize)
  }

  /// Takes a free slot; the page must not be full.
  func take() -> UnsafeMutableRawPointer {
    let slot = freeSlots.trailingZeroBitCount
    freeSlots &= freeSlots - 1
    return unsafe start + slot * slotSize
  }

  /// Takes a slot back that ``take()`` gave.
  func putBack(_ address: UnsafeMutableRawPointer) {
    let bit: UInt128 = 1 << ((unsafe address - start) / slotSize)
    precondition(freeSlots & bit == 0, "a slot of secret memory was given back twice")
    freeSlots |= bit
  }

  private static func allSlots(_ slotSize: Int) -> UInt128 {
    UInt128.max >> (128 - size / slotSize)
  }
}
