internal import CLinux

/// A file descriptor that is closed when its last owner lets go.
public final class OwnedDescriptor: Sendable {
  /// The descriptor's number; valid while this object lives.
  public let number: Int32

  /// Takes over an open descriptor; nobody else may close it.
  public init(owning number: Int32) { self.number = number }

  deinit {
    if number >= 0 { _ = close(number) }
  }

  /// A second descriptor for the same open file, close-on-exec (fcntl(2) F_DUPFD_CLOEXEC).
  ///
  /// - Throws: ``Errno``: EMFILE where the process has no descriptor left.
  public func duplicate() throws(Errno) -> OwnedDescriptor {
    try Self.duplicating(number)
  }

  /// A second descriptor for an open file that somebody else owns, such as 0, 1 or 2.
  ///
  /// - Throws: ``Errno``: EBADF where `number` is not open, EMFILE.
  public static func duplicating(_ number: Int32) throws(Errno) -> OwnedDescriptor {
    OwnedDescriptor(owning: try SystemCall.run { clinux_fcntl(number, F_DUPFD_CLOEXEC, 3) })
  }

  /// Takes over a descriptor that this process was started with, and marks it close-on-exec.
  ///
  /// - Throws: ``Errno``: EBADF where `number` is not open.
  public static func inherited(_ number: Int32) throws(Errno) -> OwnedDescriptor {
    try SystemCall.run { clinux_fcntl(number, F_SETFD, FD_CLOEXEC) }
    return OwnedDescriptor(owning: number)
  }

  /// A pipe, close-on-exec: what is written to `writing` can be read from `reading` (pipe2(2)).
  ///
  /// - Throws: ``Errno``: EMFILE, ENFILE.
  public static func pipe() throws(Errno) -> (reading: OwnedDescriptor, writing: OwnedDescriptor) {
    var ends: [Int32] = [-1, -1]
    try SystemCall.run { unsafe clinux_pipe(&ends) }
    return (OwnedDescriptor(owning: ends[0]), OwnedDescriptor(owning: ends[1]))
  }
}
