internal import CLinux
internal import Synchronization

/// How a process ended.
public enum ProcessExit: Hashable, Sendable {
  /// It exited with this status, 0 to 255.
  case exited(UInt8)
  /// A signal ended it.
  case signalled(Int32)
}

/// A child of this process. It stays a zombie until one of the waits collected it.
public final class SpawnedProcess: Sendable {
  /// The process id.
  public let pid: Int32
  /// Refers to this very process, also when its id is in use again; readable (poll) once it ended.
  public let pidfd: OwnedDescriptor
  private let collected = Mutex<ProcessExit?>(nil)

  init(pid: Int32, pidfd: OwnedDescriptor) {
    self.pid = pid
    self.pidfd = pidfd
  }

  /// Sends a signal to this process and no other (pidfd_send_signal(2)). Nothing happens where it has ended.
  ///
  /// - Throws: ``Errno``: EPERM (it became another user and we are not root), EINVAL (no such signal).
  public func kill(_ signal: Int32 = 9) throws(Errno) {
    do throws(Errno) {
      try SystemCall.run { clinux_pidfd_send_signal(pidfd.number, signal) }
    } catch .noSuchProcess {}
  }

  /// Waits until it has ended, and collects it (waitid(2), P_PIDFD). May be called again, and by several threads.
  ///
  /// - Throws: ``Errno``: ECHILD where SIGCHLD is ignored or another part of the program collected it.
  public func wait() throws(Errno) -> ProcessExit {
    // The lock is not held while waiting, else a look by another thread would wait as well.
    _ = try Poll.wait([PollEntry(pidfd)], timeoutMilliseconds: nil)
    guard let status = try tryWait() else { throw .malformed }
    return status
  }

  /// How it ended, or `nil` while it runs; collects it.
  ///
  /// - Throws: ``Errno``: ECHILD, as ``wait()``.
  public func tryWait() throws(Errno) -> ProcessExit? {
    try collected.withLock { status throws(Errno) in
      if status == nil { status = try collect() }
      return status
    }
  }

  private func collect() throws(Errno) -> ProcessExit? {
    var code: Int32 = 0
    var status: Int32 = 0
    let found = try SystemCall.run { unsafe clinux_wait(pidfd.number, 1, &code, &status) }
    guard found == 1 else { return nil }
    return code == CLD_EXITED ? .exited(UInt8(truncatingIfNeeded: status)) : .signalled(status)
  }

  /// Ends it now and collects it: for the ways out on which nobody cares how it ended.
  public func killAndWait() {
    try? kill()
    _ = try? wait()
  }
}
