/// Where a bus listens: a socket in the file system.
public struct BusAddress: Hashable, Sendable {
  /// The socket's path.
  public let path: String

  /// The system's bus where nothing else is said (D-Bus specification, "Well-known Message Bus Instances").
  public static let system = BusAddress(path: "/run/dbus/system_bus_socket")

  /// A socket.
  public init(path: String) { self.path = path }

  /// Reads an address of the form `unix:path=/PLACE`, the only one that is taken: no variable, no program and no network
  /// decides whom the daemon listens to.
  ///
  /// - Returns: `nil` for anything else, also for several addresses, and for a place that is escaped or not absolute.
  public init?(_ text: String) {
    let prefix = "unix:path="
    let path = String(text.dropFirst(prefix.count))
    guard text.hasPrefix(prefix), path.hasPrefix("/"), path.utf8.count < 108 else { return nil }
    let odd = Set("%,;= \t\n\0".utf8)
    guard path.utf8.allSatisfy({ !odd.contains($0) }) else { return nil }
    self.path = path
  }
}
