internal import CLinux

/// Who was at the other end of a unix socket when it connected, as the kernel says (unix(7), SO_PEERCRED).
public struct PeerCredentials: Hashable, Sendable {
  /// The process id; always above 0.
  public let pid: Int32
  /// The effective user id.
  public let uid: UInt32
  /// The effective group id.
  public let gid: UInt32

  /// Takes what the kernel answered, and nothing that only looks like an answer: no process (0, also one of another pid
  /// namespace) and no user (the highest id) are errors.
  init(pid: Int32, uid: UInt32, gid: UInt32) throws(Errno) {
    guard pid > 0, uid != .max, gid != .max else { throw .noSuchProcess }
    self.pid = pid
    self.uid = uid
    self.gid = gid
  }
}

extension UnixSocket {
  /// The process at the other end.
  ///
  /// - Throws: ``Errno``: ESRCH (nobody, or a process this namespace cannot see), ENOTSOCK, ENODATA.
  public static func peerCredentials(_ socket: OwnedDescriptor) throws(Errno) -> PeerCredentials {
    var found = clinux_credentials()
    try SystemCall.run { unsafe clinux_peer_credentials(socket.number, &found) }
    return try PeerCredentials(pid: found.pid, uid: found.user, gid: found.group)
  }
}
