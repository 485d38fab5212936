internal import LinuxSystem

/// The place where the daemon listens.
struct SocketBinding {
  /// The socket's path.
  let path: String
  /// Its permission bits: 0600, or 0666 where every user may ask.
  let mode: UInt16
  /// The daemon's user.
  let owner: UInt32

  /// Connections that may wait to be taken.
  static let backlog: Int32 = 128

  init(_ places: DaemonPlaces, owner: UInt32) {
    path = places.socket
    mode = places.mode == .system ? 0o666 : 0o600
    self.owner = owner
  }

  /// Makes the socket. A socket that a dead daemon of this user left is replaced: only who holds the instance's lock may call.
  ///
  /// - Throws: ``StartFailure`` where anything else is in its place.
  func listen() throws(StartFailure) -> OwnedDescriptor {
    guard path.utf8.count <= UnixSocket.maximumPathBytes else {
      throw .unavailable("the path of the socket is longer than \(UnixSocket.maximumPathBytes) bytes")
    }
    try removeStale()
    do throws(Errno) {
      return try UnixSocket.listen(path: path, mode: mode, backlog: Self.backlog)
    } catch { throw .unavailable("\(path): \(error)") }
  }

  /// Takes the socket's name away, so that no further client finds it.
  func unlink() { try? Files.unlink(path) }

  private func removeStale() throws(StartFailure) {
    do throws(Errno) {
      let facts = try Files.factsNoFollow(path)
      guard facts.kind == .socket, facts.owner == owner else { throw Errno.fileExists }
      try Files.unlink(path)
    } catch .noSuchFile {
    } catch .fileExists {
      throw .unavailable("\(path) is there and is no socket of this daemon")
    } catch { throw .unavailable("\(path): \(error)") }
  }
}
