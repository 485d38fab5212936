internal import LinuxSystem

/// Holds off every other daemon of the same store for as long as it lives.
struct InstanceLock {
  private let lock: FileLock

  /// Takes the lock in a folder that was prepared.
  ///
  /// - Throws: ``StartFailure``: `.alreadyRunning` where another daemon has it.
  init(in folder: String) throws(StartFailure) {
    let path = folder + "/latchkeyd.lock"
    switch try Self.attempt(path) {
    case .held(let lock): self.lock = lock
    case .busy: throw .alreadyRunning(lock: path)
    }
  }

  private static func attempt(_ path: String) throws(StartFailure) -> FileLock.Outcome {
    do throws(Errno) { return try FileLock.tryAcquire(path) } catch { throw .unavailable("\(path): \(error)") }
  }
}
