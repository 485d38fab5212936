import Glibc
import LinuxSystem

/// A folder of this run's own, removed at its end.
final class Scratch: Sendable {
  let path: String
  private let root: String

  init(under root: String) throws {
    self.root = root
    path = "\(root)/latchkey-bench.\(getpid())"
    try Files.makeDirectory(path, mode: 0o700)
  }

  /// A new folder inside.
  func folder(_ name: String) throws -> String {
    let made = "\(path)/\(name)"
    try Files.makeDirectory(made, mode: 0o700)
    return made
  }

  func remove() { Self.remove(path) }

  static func remove(_ folder: String) {
    for name in (try? Files.names(in: folder)) ?? [] {
      let entry = "\(folder)/\(name)"
      if let facts = try? Files.factsNoFollow(entry), facts.kind == .directory { remove(entry) } else { unlink(entry) }
    }
    rmdir(folder)
  }
}

/// Nanoseconds that `body` kept a processor busy: what does no I/O is not charged for others' turns.
func processorTime(_ body: () throws -> Void) rethrows -> Double {
  let start = threadClock()
  try body()
  return threadClock() - start
}

private func threadClock() -> Double {
  var time = timespec()
  precondition(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0, "clock_gettime")
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// Nanoseconds that `body` took.
func time(_ body: () throws -> Void) rethrows -> Double {
  let start = Clock.monotonic
  try body()
  return Double(Clock.monotonic - start)
}
