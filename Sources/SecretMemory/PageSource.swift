internal import CSodium

/// The system calls that locked memory is made of; tests make them fail.
@safe struct PageSource: Sendable {
  /// Bytes of a page.
  let pageSize: Int
  /// The soft RLIMIT_MEMLOCK in bytes, `UInt64.max` for none (getrlimit(2)).
  var lockLimit: @Sendable () -> UInt64
  /// Address space without access, or nil (mmap(2)).
  var reserve: @Sendable (_ size: Int) -> UnsafeMutableRawPointer?
  /// Opens and locks a part of it: 0 or an errno (mprotect(2), mlock(2), madvise(2)).
  var open: @Sendable (_ start: UnsafeMutableRawPointer, _ size: Int) -> Int32
  /// Gives all of it back (munmap(2)).
  var release: @Sendable (_ start: UnsafeMutableRawPointer, _ size: Int) -> Void

  /// The running kernel's.
  static let kernel = unsafe PageSource(
    pageSize: csodium_page_size(),
    lockLimit: { csodium_locked_memory_limit() },
    reserve: { size in unsafe csodium_reserve(size) },
    open: { start, size in unsafe csodium_open_locked(start, size) },
    release: { start, size in unsafe csodium_release(start, size) })

  /// The size in whole pages.
  func rounded(_ size: Int) -> Int { (size + pageSize - 1) / pageSize * pageSize }
}
