internal import KeychainModel
internal import LinuxSystem

/// Where a client looks for the daemon: what its environment says and what was compiled in.
public struct ServicePlaces: Hashable, Sendable {
  /// The user's own choice of a socket (`LATCHKEY_SOCKET`); the server must be the user's own or root's.
  public var chosenSocket: String?
  /// The socket of the system's daemon. Where it exists it is used, also when nobody answers.
  public var systemSocket: String
  /// The folder of this login's sockets (`XDG_RUNTIME_DIR`).
  public var runtimeFolder: String?
  /// The user's home.
  public var home: String?
  /// Where the user's own daemon may be, best place first; never PATH and never an environment variable.
  public var daemonPrograms: [String]

  /// Names all places.
  public init(
    chosenSocket: String? = nil, systemSocket: String = ServicePlaces.systemSocket, runtimeFolder: String? = nil,
    home: String? = nil, daemonPrograms: [String] = []
  ) {
    self.chosenSocket = chosenSocket
    self.systemSocket = systemSocket
    self.runtimeFolder = runtimeFolder
    self.home = home
    self.daemonPrograms = daemonPrograms
  }

  /// The detail of a refusal of a chosen socket that is no absolute path.
  public static let relativeSocket = "LATCHKEY_SOCKET is not an absolute path"

  /// The system daemon's socket.
  public static let systemSocket = "/run/latchkey/socket"

  /// The places of this process, read from its environment now. Opens nothing.
  public static func ofThisProcess() -> ServicePlaces {
    ServicePlaces(
      chosenSocket: nonEmpty("LATCHKEY_SOCKET"), runtimeFolder: nonEmpty("XDG_RUNTIME_DIR"), home: nonEmpty("HOME"),
      daemonPrograms: DaemonProgram.places())
  }

  private static func nonEmpty(_ name: String) -> String? {
    Environment.value(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The socket to use.
  ///
  /// - Throws: `Refusal`: `invalidParameter` (a chosen socket that is no absolute path), `serviceUnavailable` (no home),
  ///   `serverNotTrusted` (the socket's folder is not the user's own).
  func address() throws(Refusal) -> ServiceAddress {
    let user = Users.effectiveUserID
    if let chosenSocket {
      guard chosenSocket.hasPrefix("/") else {
        throw Refusal(.invalidParameter, detail: Self.relativeSocket)
      }
      return ServiceAddress(path: chosenSocket, owners: [user, 0], isStartable: false)
    }
    if Self.exists(systemSocket) { return ServiceAddress(path: systemSocket, owners: [0], isStartable: false) }
    let folder = try userFolder()
    try UserFolder.check(folder, owner: user)
    return ServiceAddress(path: folder + "/socket", owners: [user], isStartable: true)
  }

  /// The folder of the user's own daemon's socket.
  private func userFolder() throws(Refusal) -> String {
    if let runtimeFolder, runtimeFolder.hasPrefix("/") { return runtimeFolder + "/latchkey" }
    guard let home = home ?? accountHome(), home.hasPrefix("/") else {
      throw Refusal(.serviceUnavailable, detail: "this user has neither XDG_RUNTIME_DIR nor a home")
    }
    return home + "/.local/state/latchkey/run"
  }

  private func accountHome() -> String? {
    let account = try? Users.account(Users.effectiveUserID)
    return account?.home
  }

  /// Whether something is there; what cannot be looked at counts as there, so that no other store is used silently.
  private static func exists(_ path: String) -> Bool {
    do throws(Errno) {
      _ = try Files.factsNoFollow(path)
      return true
    } catch { return error != .noSuchFile && error != .notDirectory }
  }
}

/// A socket and who may stand behind it.
struct ServiceAddress: Hashable, Sendable {
  /// The socket's path.
  let path: String
  /// The users whose daemon is trusted there.
  let owners: Set<UInt32>
  /// Whether the client starts the daemon where none runs.
  let isStartable: Bool
}

/// The folder of the user's own socket.
enum UserFolder {
  /// Refuses a folder that others could have put there; a missing one is made by the daemon.
  static func check(_ path: String, owner: UInt32) throws(Refusal) {
    do throws(Errno) {
      let facts = try Files.factsNoFollow(path)
      guard facts.kind == .directory, facts.owner == owner, facts.mode & 0o077 == 0 else {
        throw Errno.notPermitted
      }
    } catch .noSuchFile {
    } catch .notDirectory {
      throw Refusal(.serviceUnavailable, detail: "\(path) is no folder")
    } catch {
      throw Refusal(.serverNotTrusted, detail: "\(path) is not this user's own folder with mode 0700")
    }
  }
}
