internal import CLinux
internal import Synchronization

/// The three open files that a program starts with.
public enum StandardStreams {
  /// Standard input.
  public static let input = OwnedDescriptor(owning: 0)
  /// Standard output.
  public static let output = OwnedDescriptor(owning: 1)
  /// Standard error.
  public static let error = OwnedDescriptor(owning: 2)

  /// Puts something in the place of each stream that is closed, so that no file or socket that is opened later gets its number
  /// and what is meant for the stream. To be called before anything is opened.
  ///
  /// What stands in cannot be used the stream's way: reading from or writing to it fails with EBADF, as with the closed one.
  ///
  /// - Throws: ``Errno``: EMFILE, ENFILE, or what opening /dev/null fails with.
  public static func occupy() throws(Errno) {
    for number in Int32(0)...2 {
      do throws(Errno) {
        _ = try SystemCall.run { clinux_fcntl(number, F_GETFD, 0) }
      } catch  where error.rawValue == EBADF {
        // The lowest free number is this one: those below are taken.
        let placeholder = try Files.open("/dev/null", number == 0 ? [.writing] : [.reading])
        kept.withLock { $0.append(placeholder) }
      }
    }
  }

  private static let kept = Mutex<[OwnedDescriptor]>([])

  /// Writes a text whole. A pipe without a reader raises SIGPIPE unless it is ignored.
  ///
  /// - Throws: ``Errno``: EPIPE, ENOSPC, EIO, EAGAIN, EBADF.
  public static func write(_ text: String, to stream: OwnedDescriptor = output) throws(Errno) {
    let bytes = Array(text.utf8)
    try Files.writeAll(stream, bytes.span)
  }
}
