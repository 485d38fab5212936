internal import CLinux

/// A lock on a file that no two processes hold at once (flock(2)); it ends with this object, or with the process.
public final class FileLock: Sendable {
  private let descriptor: OwnedDescriptor

  private init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

  /// How an attempt ended.
  public enum Outcome: Sendable {
    /// The lock is ours while the object lives.
    case held(FileLock)
    /// Another process, or another part of this one, has it.
    case busy
  }

  /// Tries to take the lock without waiting. The file is made where it is missing (mode 0600) and never removed:
  /// removing it would let two processes lock two files of one name.
  ///
  /// - Parameter path: The lock's own file; a symbolic link is refused.
  /// - Throws: ``Errno``: ELOOP (a link), EACCES, ENOENT (no folder), ENOLCK.
  public static func tryAcquire(_ path: String) throws(Errno) -> Outcome {
    let descriptor = try Files.openNoFollow(path, [.readingAndWriting, .creating], mode: 0o600)
    do throws(Errno) {
      try SystemCall.run { flock(descriptor.number, LOCK_EX | LOCK_NB) }
    } catch .wouldBlock {
      return .busy
    }
    return .held(FileLock(descriptor))
  }
}
