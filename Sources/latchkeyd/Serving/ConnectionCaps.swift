/// How many connections are kept open.
struct ConnectionCaps: Hashable, Sendable {
  /// Of one user.
  var perUser: Int
  /// Of all users together.
  var total: Int

  /// 64 and 512: a thread, three descriptors and a locked page each.
  static let standard = ConnectionCaps(perUser: 64, total: 512)
}

/// What becomes of a new connection.
enum Admission: Hashable, Sendable {
  /// It is served, under this number.
  case admitted(ConnectionNumber)
  /// Every connection that could have made room for it is busy.
  case full
}

/// A connection's number; never used twice while the daemon runs.
struct ConnectionNumber: Hashable, Sendable {
  let value: UInt64
}

/// Whether a request that has come may be worked on.
enum RequestStart: Hashable, Sendable {
  /// Yes.
  case begun
  /// Its connection was closed to make room for another.
  case evicted
}
