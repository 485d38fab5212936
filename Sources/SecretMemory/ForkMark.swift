internal import CSodium

/// Tells a process from the children that fork(2) makes of it, at the price of one look at memory: the kernel hands a child
/// the page of the mark without the mark (madvise(2), MADV_WIPEONFORK).
@safe final class ForkMark: @unchecked Sendable {
  // SAFETY: a page that is never given back, or nil where the kernel gave none; written only by `renew()`.
  private let page: UnsafeMutableRawPointer?

  init() { unsafe page = csodium_make_fork_mark() }

  /// Whether this is a child, and ``renew()`` was not called in it yet.
  var isMissing: Bool {
    guard let page = unsafe page else { return false }
    return unsafe csodium_has_fork_mark(page) == 0
  }

  /// Marks this process.
  func renew() {
    if let page = unsafe page { unsafe csodium_set_fork_mark(page) }
  }
}
