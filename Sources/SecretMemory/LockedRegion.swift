internal import CSodium

/// Consecutive locked pages between two pages that nobody can touch; wiped and given back when the last owner lets go.
@safe final class LockedRegion: @unchecked Sendable {
  /// Bytes that may be used, in whole pages; all of them count as locked.
  let size: Int

  // SAFETY: the first usable byte of a mapping that only this object gives back; who is lent a part of it keeps the object.
  let start: UnsafeMutableRawPointer

  /// How many of its slot pages belong to no class; guarded by the arena's lock.
  var unusedPages = 0

  /// Which process's it is: 0 for the one the arena was made in, 1 for its child, and so on.
  let generation: Int

  private let pages: PageSource
  private var isMapped = true

  /// Maps and locks `size` bytes, rounded up to pages. They are zero.
  ///
  /// - Throws: ``SecretMemoryError``: `.unavailable` where any step fails; then nothing stays mapped.
  init(size: Int, pages: PageSource, generation: Int = 0) throws(SecretMemoryError) {
    let size = pages.rounded(size)
    guard let reserved = unsafe pages.reserve(size + 2 * pages.pageSize) else { throw .unavailable }
    let start = unsafe reserved + pages.pageSize
    guard unsafe pages.open(start, size) == 0 else {
      unsafe pages.release(reserved, size + 2 * pages.pageSize)
      throw .unavailable
    }
    self.size = size
    unsafe self.start = unsafe start
    self.pages = pages
    self.generation = generation
  }

  deinit { unmap() }

  /// Wipes the pages and gives them back; for the last owner, ahead of `deinit`.
  func unmap() {
    guard isMapped else { return }
    isMapped = false
    unsafe sodium_memzero(start, size)
    unsafe pages.release(start - pages.pageSize, size + 2 * pages.pageSize)
  }
}
