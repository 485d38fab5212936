internal import CLinux

/// How this room makes system calls: again after a signal, and with the error as a value.
enum SystemCall {
  /// Runs `body` until it is not interrupted; -1 becomes the thread's errno.
  @discardableResult
  static func run<Number: SignedInteger>(_ body: () -> Number) throws(Errno) -> Number {
    while true {
      let answer = body()
      if answer != -1 { return answer }
      let failure = Errno.current
      if failure != .interrupted { throw failure }
    }
  }

  /// A text that C may read to its end: one with a NUL inside would be cut there, so it is refused (EINVAL).
  static func requireNoNUL(_ text: String) throws(Errno) {
    guard !text.utf8.contains(0) else { throw .invalidArgument }
  }

  /// open(2), always close-on-exec.
  static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(Errno) -> OwnedDescriptor {
    try requireNoNUL(path)
    return OwnedDescriptor(owning: try run { unsafe clinux_open(path, flags, mode) })
  }
}
