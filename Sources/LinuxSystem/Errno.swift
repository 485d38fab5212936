internal import CLinux

/// An error number of a failed system call (errno(3)).
public struct Errno: Error, RawRepresentable, Hashable, Sendable {
  /// The number, as in errno.h.
  public let rawValue: Int32

  /// Wraps a number of errno.h.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The calling thread's current errno.
  static var current: Errno { Errno(rawValue: clinux_errno()) }
}
