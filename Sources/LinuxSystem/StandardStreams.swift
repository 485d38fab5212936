/// The three open files that a program starts with.
public enum StandardStreams {
  /// Standard input.
  public static let input = OwnedDescriptor(owning: 0)
  /// Standard output.
  public static let output = OwnedDescriptor(owning: 1)
  /// Standard error.
  public static let error = OwnedDescriptor(owning: 2)

  /// Writes a text whole. A pipe without a reader raises SIGPIPE unless it is ignored.
  ///
  /// - Throws: ``Errno``: EPIPE, ENOSPC, EIO, EAGAIN, EBADF.
  public static func write(_ text: String, to stream: OwnedDescriptor = output) throws(Errno) {
    let bytes = Array(text.utf8)
    try Files.writeAll(stream, bytes.span)
  }
}
