/// How many connections are kept open.
struct ConnectionCaps: Hashable, Sendable {
  /// Of one user.
  var perUser: Int
  /// Of all users together.
  var total: Int
  /// How many of one user may have been closed for others while their threads have not ended yet: four times as many as it keeps.
  var leavingPerUser: Int { 4 * perUser }

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
