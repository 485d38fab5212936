internal import CSystemd
public import LinuxSystem

/// Why the bus gave no answer.
public enum BusError: Error, Hashable, Sendable {
  /// The bus is not there, or hung up.
  case absent(Errno)
  /// Nothing came in time.
  case timedOut
  /// What came, or was to be sent, cannot be read.
  case malformed
  /// The other side answered with an error: its D-Bus name.
  case refused(String)

  /// The meaning of an errno of libsystemd's.
  init(errno: Int32) {
    switch errno {
    case ETIMEDOUT: self = .timedOut
    case EBADMSG, EINVAL, ENXIO: self = .malformed
    default: self = .absent(Errno(rawValue: errno))
    }
  }
}
