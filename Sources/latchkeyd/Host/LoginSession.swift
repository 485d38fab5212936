internal import AccessPolicy
internal import KeychainModel
internal import LinuxSystem

/// A login session as logind tells of it (org.freedesktop.login1(5), "Session Objects").
struct LoginSession: Hashable, Sendable {
  /// Whose it is; `nil` where logind does not say.
  var uid: UInt32?
  /// Where it comes from.
  var place: Place
  /// The host it comes from, as the login program named it; often empty.
  var host: String
  /// Its terminal as logind names it (`pts/3`, `tty2`), or empty.
  var terminal: String

  /// Where a session comes from.
  enum Place: Hashable, Sendable { case here, remote }

  /// The longest name of a host or terminal that PAM is told: bytes.
  static let nameBytes = 256

  /// What it says of a process of this user's. A session of somebody else's makes nobody local, but a remote one is remote for
  /// all who came by it.
  func word(for uid: UInt32) -> SessionWord {
    switch place {
    case .remote: .remote
    case .here: self.uid == uid ? .local : .none
    }
  }

  /// What PAM_RHOST is set to; empty for a session of this machine's.
  var remoteHost: String { place == .remote ? Self.plain(host) : "" }

  /// What PAM_TTY is set to where the client names no terminal of its own.
  var terminalName: String {
    let name = Self.plain(terminal)
    return name.isEmpty || name.hasPrefix("/") || name.contains("..") ? name : "/dev/" + name
  }

  /// Names go into logs of PAM's: what no host and no terminal is called is left out.
  private static func plain(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    return isPlain && name.utf8.count <= nameBytes - 5 ? name : ""
  }
}
