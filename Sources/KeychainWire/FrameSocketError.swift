public import LinuxSystem

/// Why a frame was not sent or received. Behind any of them but ``encoding(_:)`` and
/// ``dropped(_:requestID:)`` the socket is of no more use.
public enum FrameSocketError: Error, Hashable, Sendable {
  /// The other side ended between two frames.
  case closed
  /// The other side ended inside a frame.
  case closedInsideFrame
  /// The deadline passed.
  case timedOut
  /// What came is no frame of this protocol; the request it claims to belong to, where its header was readable.
  case malformed(WireError, requestID: UInt32?)
  /// The message cannot become a frame; nothing was sent.
  case encoding(WireError)
  /// There was no room for a frame's secrets. It was read to its end and thrown away: the socket is still good.
  case dropped(FrameDrop, requestID: UInt32)
  /// No locked memory for the socket's own buffer.
  case outOfMemory
  /// A system call failed.
  case system(Errno)
}
