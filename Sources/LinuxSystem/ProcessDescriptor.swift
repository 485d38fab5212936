internal import CLinux

/// Looks through a pidfd (pidfd_open(2)).
enum ProcessDescriptor {
  static func open(
    _ socket: OwnedDescriptor, _ peer: PeerCredentials, _ method: PeerProcess.Method
  ) throws(Errno) -> OwnedDescriptor {
    let number =
      switch method {
      case .connection: try SystemCall.run { clinux_peer_pidfd(socket.number) }
      case .processID: try SystemCall.run { clinux_pidfd_open(peer.pid) }
      }
    return OwnedDescriptor(owning: number)
  }

  /// Whether the process has ended: its descriptor is readable then.
  static func hasExited(_ pidfd: OwnedDescriptor) throws(Errno) -> Bool {
    var record = pollfd(fd: pidfd.number, events: Int16(POLLIN), revents: 0)
    guard try SystemCall.run({ unsafe poll(&record, 1, 0) }) > 0 else { return false }
    guard record.revents & Int16(POLLNVAL) == 0 else { throw Errno(rawValue: EBADF) }
    return true
  }

  /// The id of the process behind the descriptor; -1 where it has ended, 0 where it lies in another pid namespace.
  static func pid(_ pidfd: OwnedDescriptor) throws(Errno) -> Int32 {
    let text = try Files.readAll("/proc/self/fdinfo/\(pidfd.number)", limit: 4096)
    return try ProcessText.number("Pid", in: text)
  }
}

/// Reading `Name:<tab>value` lines of /proc.
enum ProcessText {
  /// The value of a line.
  static func value(_ name: String, in text: [UInt8]) -> Substring? {
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":"), line[..<colon] == name else { continue }
      return String(line[line.index(after: colon)...]).trimmingSpaces
    }
    return nil
  }

  /// The whole number of a line.
  static func number<Number: FixedWidthInteger>(_ name: String, in text: [UInt8]) throws(Errno) -> Number {
    guard let value = value(name, in: text), let number = Number(value) else { throw .malformed }
    return number
  }
}

/// The unit of start times in /proc.
enum ClockTicks {
  /// Ticks in a second; 100 on every Linux that we know of (sysconf(3)).
  static let perSecond: UInt64 = {
    let answer = sysconf(Int32(_SC_CLK_TCK))
    return answer > 0 ? UInt64(answer) : 100
  }()

  /// Nanoseconds since boot as ticks; a started tick counts.
  static func rounding(up nanoseconds: UInt64) -> UInt64 {
    let tick = 1_000_000_000 / perSecond
    return nanoseconds / tick + (nanoseconds % tick == 0 ? 0 : 1)
  }
}
