internal import CLinux

/// Threads with a stack of a chosen size (pthread_create(3)).
public enum Threads {
  /// The least and the most bytes a stack may have.
  public static let stackBounds = 65_536...67_108_864

  /// Starts a detached thread. It has the caller's signal mask and credentials, and ends when `body` returns.
  ///
  /// - Parameter stackBytes: Within ``stackBounds``; 256 KiB where nothing else is said.
  /// - Throws: ``Errno``: EAGAIN (too many threads), EINVAL (a stack size out of bounds).
  public static func start(stackBytes: Int = 262_144, _ body: @escaping @Sendable () -> Void) throws(Errno) {
    guard stackBounds.contains(stackBytes) else { throw .invalidArgument }
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackBytes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // SAFETY: the thread takes over this reference; where it was not made, it is given back below.
    let work = unsafe Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread, &attributes, { argument in unsafe ThreadBody.run(argument) }, work.toOpaque())
    guard failure == 0 else {
      unsafe work.release()
      throw Errno(rawValue: failure)
    }
  }
}

private final class ThreadBody {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    // SAFETY: the one reference that `start` handed over.
    unsafe Unmanaged<ThreadBody>.fromOpaque(argument!).takeRetainedValue().body()
    return nil
  }
}
