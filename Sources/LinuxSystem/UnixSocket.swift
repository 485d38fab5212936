internal import CLinux

/// Unix-domain sockets (unix(7)); every descriptor made here is close-on-exec.
public enum UnixSocket {
  /// The longest path a socket can have, in bytes.
  public static let maximumPathBytes = Int(CLINUX_SOCKET_PATH_MAX)
  /// The most descriptors that one message can carry.
  public static let maximumDescriptors = Int(CLINUX_DESCRIPTORS_MAX)

  /// Two connected byte streams.
  ///
  /// - Throws: ``Errno``: EMFILE, ENFILE.
  public static func streamPair() throws(Errno) -> (OwnedDescriptor, OwnedDescriptor) {
    try pair(SOCK_STREAM)
  }

  /// Two connected sockets that keep message borders (SOCK_SEQPACKET).
  ///
  /// - Throws: ``Errno``: EMFILE, ENFILE.
  public static func packetPair() throws(Errno) -> (OwnedDescriptor, OwnedDescriptor) {
    try pair(SOCK_SEQPACKET)
  }

  /// What a socket keeps of the sender's borders.
  public enum Kind: Hashable, Sendable {
    /// Nothing: a stream of bytes (SOCK_STREAM).
    case stream
    /// Every message, in order (SOCK_SEQPACKET).
    case packets
    /// Another kind.
    case other
  }

  /// The kind of an open socket (SO_TYPE).
  ///
  /// - Throws: ``Errno``: ENOTSOCK.
  public static func kind(of socket: OwnedDescriptor) throws(Errno) -> Kind {
    switch try SystemCall.run({ clinux_socket_type(socket.number) }) {
    case Int32(SOCK_STREAM.rawValue): .stream
    case Int32(SOCK_SEQPACKET.rawValue): .packets
    default: .other
    }
  }

  /// Makes a listening stream socket at a path that must not exist yet.
  ///
  /// The file never has more rights than `mode`, not even for a moment.
  /// - Parameters:
  ///   - path: 1 to ``maximumPathBytes`` bytes.
  ///   - mode: The exact permission bits; the umask does not count.
  ///   - backlog: Connections that may wait, as in listen(2).
  /// - Throws: ``Errno``: EADDRINUSE (something is at the path), ENAMETOOLONG, EINVAL (empty, or with a NUL), EACCES.
  public static func listen(path: String, mode: UInt16, backlog: Int32) throws(Errno) -> OwnedDescriptor {
    try SystemCall.requireNoNUL(path)
    let listener = try make(SOCK_STREAM)
    // Linux gives the file the mode of the socket less the umask.
    try SystemCall.run { fchmod(listener.number, mode_t(mode)) }
    try SystemCall.run { unsafe clinux_bind(listener.number, path, path.utf8.count) }
    try SystemCall.run { unsafe chmod(path, mode_t(mode)) }
    try SystemCall.run { CLinux.listen(listener.number, backlog) }
    return listener
  }

  /// Takes the next connection; waits for it unless the listener is non-blocking.
  ///
  /// - Throws: ``Errno``: EMFILE or ENFILE (out of descriptors), ECONNABORTED, EAGAIN (non-blocking and nobody there).
  public static func accept(_ listener: OwnedDescriptor) throws(Errno) -> OwnedDescriptor {
    OwnedDescriptor(owning: try SystemCall.run { clinux_accept(listener.number) })
  }

  /// Connects a stream socket to a path.
  ///
  /// - Parameter timeoutMilliseconds: How long connecting may wait where the backlog is full, and later each receive and
  ///   each send, as ``setTimeouts(_:milliseconds:)`` says it; 0 waits for ever.
  /// - Throws: ``Errno``: ENOENT, ECONNREFUSED (nobody listens), EACCES, ENAMETOOLONG, EINVAL, EAGAIN (the backlog is
  ///   full and stayed so).
  public static func connect(path: String, timeoutMilliseconds: UInt32 = 0) throws(Errno) -> OwnedDescriptor {
    try SystemCall.requireNoNUL(path)
    let socket = try make(SOCK_STREAM)
    if timeoutMilliseconds > 0 { try setTimeouts(socket, milliseconds: timeoutMilliseconds) }
    try SystemCall.run { unsafe clinux_connect(socket.number, path, path.utf8.count) }
    return socket
  }

  /// How long one receive and one send may block; afterwards they throw EAGAIN (SO_RCVTIMEO, SO_SNDTIMEO).
  ///
  /// - Parameter milliseconds: 0 waits for ever.
  /// - Throws: ``Errno``: EDOM for a time beyond the kernel's range.
  public static func setTimeouts(_ socket: OwnedDescriptor, milliseconds: UInt32) throws(Errno) {
    var time = timeval(tv_sec: Int(milliseconds / 1000), tv_usec: Int(milliseconds % 1000) * 1000)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      try SystemCall.run {
        unsafe setsockopt(socket.number, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
      }
    }
  }

  /// Ends both directions, so that a thread that waits in a receive on this socket returns (shutdown(2)).
  public static func shutDown(_ socket: OwnedDescriptor) {
    // ENOTCONN means that it is so already.
    _ = shutdown(socket.number, Int32(SHUT_RDWR))
  }

  private static var closeOnExec: Int32 { Int32(SOCK_CLOEXEC.rawValue) }

  private static func make(_ kind: __socket_type) throws(Errno) -> OwnedDescriptor {
    let type = Int32(kind.rawValue) | closeOnExec
    return OwnedDescriptor(owning: try SystemCall.run { socket(AF_UNIX, type, 0) })
  }

  private static func pair(_ kind: __socket_type) throws(Errno) -> (OwnedDescriptor, OwnedDescriptor) {
    var ends: [Int32] = [-1, -1]
    try SystemCall.run { unsafe socketpair(AF_UNIX, Int32(kind.rawValue) | closeOnExec, 0, &ends) }
    return (OwnedDescriptor(owning: ends[0]), OwnedDescriptor(owning: ends[1]))
  }
}
