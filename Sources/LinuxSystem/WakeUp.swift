internal import CLinux

/// A descriptor that one thread makes readable so that others, waiting in poll, look up (eventfd(2)). Once raised it
/// stays readable.
public final class WakeUp: Sendable {
  /// Readable (poll) once raised.
  public let descriptor: OwnedDescriptor

  /// Makes one that is not raised.
  ///
  /// - Throws: ``Errno``: EMFILE, ENFILE.
  public init() throws(Errno) {
    descriptor = OwnedDescriptor(owning: try SystemCall.run { clinux_event_descriptor() })
  }

  /// Raises it. May be called again, and by any thread.
  public func raise() {
    // It fails only where the count is full, and then it is readable already.
    _ = clinux_raise_event(descriptor.number)
  }
}
