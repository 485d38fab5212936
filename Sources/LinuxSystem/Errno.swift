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

extension Errno {
  /// EPERM: the operation is not permitted.
  public static var notPermitted: Errno { Errno(rawValue: EPERM) }
  /// ENOENT: there is no such file.
  public static var noSuchFile: Errno { Errno(rawValue: ENOENT) }
  /// ESRCH: there is no such process.
  public static var noSuchProcess: Errno { Errno(rawValue: ESRCH) }
  /// EINTR: a signal came. Calls of this room never throw it: they try again.
  public static var interrupted: Errno { Errno(rawValue: EINTR) }
  /// EIO: input/output error; also a terminal that hung up.
  public static var inputOutput: Errno { Errno(rawValue: EIO) }
  /// EAGAIN: not now; also a socket's own timeout.
  public static var wouldBlock: Errno { Errno(rawValue: EAGAIN) }
  /// EACCES: permission denied.
  public static var accessDenied: Errno { Errno(rawValue: EACCES) }
  /// EEXIST: it is there already.
  public static var fileExists: Errno { Errno(rawValue: EEXIST) }
  /// ENOTDIR: not a directory.
  public static var notDirectory: Errno { Errno(rawValue: ENOTDIR) }
  /// EINVAL: an argument that makes no sense; also a path with a NUL in it.
  public static var invalidArgument: Errno { Errno(rawValue: EINVAL) }
  /// ENOTTY: not a terminal.
  public static var notTerminal: Errno { Errno(rawValue: ENOTTY) }
  /// EFBIG: more bytes than the caller's limit.
  public static var fileTooLarge: Errno { Errno(rawValue: EFBIG) }
  /// ENOSPC: no room is left on the disk.
  public static var noSpace: Errno { Errno(rawValue: ENOSPC) }
  /// EDQUOT: the owner's share of the disk is full.
  public static var quotaExceeded: Errno { Errno(rawValue: EDQUOT) }
  /// EROFS: the file system takes no writes.
  public static var readOnlyFileSystem: Errno { Errno(rawValue: EROFS) }
  /// EPIPE: the other side is gone.
  public static var brokenPipe: Errno { Errno(rawValue: EPIPE) }
  /// ELOOP: a symbolic link where none is allowed.
  public static var symbolicLink: Errno { Errno(rawValue: ELOOP) }
  /// ENAMETOOLONG: the path is too long.
  public static var nameTooLong: Errno { Errno(rawValue: ENAMETOOLONG) }
  /// EADDRINUSE: the socket's path exists.
  public static var addressInUse: Errno { Errno(rawValue: EADDRINUSE) }
  /// ECONNREFUSED: nobody listens.
  public static var connectionRefused: Errno { Errno(rawValue: ECONNREFUSED) }
  /// ECONNRESET: the other side dropped the connection.
  public static var connectionReset: Errno { Errno(rawValue: ECONNRESET) }
  /// EBADMSG: what the kernel answered does not have the form it should have.
  public static var malformed: Errno { Errno(rawValue: EBADMSG) }
  /// ETIMEDOUT: the deadline passed.
  public static var timedOut: Errno { Errno(rawValue: ETIMEDOUT) }
}

extension Errno: CustomStringConvertible {
  /// The symbol, for logs: `ENOENT`, or `errno 4095` for a number glibc does not name.
  public var description: String {
    guard let name = unsafe clinux_error_name(rawValue) else { return "errno \(rawValue)" }
    return unsafe String(cString: name)
  }
}

extension Errno {
  /// What happened, for people: `no such file or directory`. Never translated (strerrordesc_np(3)).
  public var words: String {
    guard let words = unsafe clinux_error_words(rawValue) else { return description }
    let text = unsafe String(cString: words)
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
