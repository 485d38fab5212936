internal import CLinux
internal import Synchronization

/// The system's log (syslog(3)), spoken to directly: one datagram per message, never waiting.
public final class Syslog: Sendable {
  /// How grave a message is (syslog.h).
  public enum Severity: Int, Sendable { case critical = 2, error = 3, warning = 4, notice = 5, info = 6, debug = 7 }

  /// The longest message, in bytes; the rest is cut off.
  public static let maximumMessageBytes = 1900

  private let identifier: String
  private let path: String
  private let socket = Mutex<OwnedDescriptor?>(nil)

  /// Prepares to log under a program's name.
  ///
  /// - Parameter path: The socket that the log listens on.
  public init(identifier: String, path: String = "/dev/log") {
    self.identifier = identifier
    self.path = path
  }

  /// Logs a message of the kind "authorisation, private" (LOG_AUTHPRIV). Control characters in it are shown escaped, so
  /// that it stays one line.
  ///
  /// - Throws: ``Errno``: nobody listens (ENOENT, ECONNREFUSED) or the log is too busy (EAGAIN): the message is lost.
  public func log(_ severity: Severity, _ message: String) throws(Errno) {
    let text = try Array((head(severity) + Self.escaped(message)).utf8.prefix(Self.maximumMessageBytes))
    try socket.withLock { socket throws(Errno) in
      if let open = socket, (try? Self.send(open, text)) != nil { return }
      // The log was started anew: its old socket is dead.
      socket = nil
      let fresh = try connect()
      try Self.send(fresh, text)
      socket = fresh
    }
  }

  private static func send(_ socket: OwnedDescriptor, _ text: [UInt8]) throws(Errno) {
    _ = try UnixSocket.send(socket, text.span, flags: .nonBlocking)
  }

  private func connect() throws(Errno) -> OwnedDescriptor {
    try SystemCall.requireNoNUL(path)
    return OwnedDescriptor(
      owning: try SystemCall.run { unsafe clinux_connect_datagram(path, path.utf8.count) })
  }

  /// `<priority>date name[pid]: `, as RFC 3164 has it.
  private func head(_ severity: Severity) throws(Errno) -> String {
    var date = [CChar](repeating: 0, count: 32)
    try SystemCall.run { unsafe clinux_syslog_date(&date, date.count) }
    let text = String(decoding: date.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let authorisationPrivate = 10 << 3
    return "<\(authorisationPrivate | severity.rawValue)>\(text) \(identifier)[\(getpid())]: "
  }

  static func escaped(_ message: String) -> String {
    var text = ""
    for scalar in message.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
