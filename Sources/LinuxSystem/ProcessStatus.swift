/// A process as /proc/PID/stat shows it (proc_pid_stat(5)).
public struct ProcessStatus: Hashable, Sendable {
  /// The process id.
  public let pid: Int32
  /// The program's short name: up to 15 bytes that the process itself can change.
  public let name: String
  /// The parent's id.
  public let parent: Int32
  /// The process group.
  public let group: Int32
  /// The process group in the foreground of the controlling terminal, or `nil` without one.
  public let foregroundGroup: Int32?
  /// The id of the session's leader; 0 where it lies in another pid namespace.
  public let session: Int32
  /// The controlling terminal's device number, as in stat(2), or `nil`.
  public let terminalDevice: UInt64?
  /// Start time in clock ticks since boot.
  public let startTime: UInt64
  /// Whether it has ended and only waits to be collected.
  public let isZombie: Bool

  /// Reads the status of a process.
  ///
  /// - Throws: ``Errno``: ENOENT or ESRCH (no such process), EBADMSG (the text has another form).
  public static func read(_ pid: Int32) throws(Errno) -> ProcessStatus {
    let status = try parse(try Files.readAll("/proc/\(pid)/stat", limit: 4096))
    guard status.pid == pid else { throw .malformed }
    return status
  }

  /// Reads the text of the file. The name may hold spaces and brackets, so it ends at the LAST bracket.
  static func parse(_ text: [UInt8]) throws(Errno) -> ProcessStatus {
    guard let opening = text.firstIndex(of: UInt8(ascii: "(")), let closing = text.lastIndex(of: UInt8(ascii: ")")),
      opening < closing, let pid = number(text[..<opening], as: Int32.self)
    else { throw .malformed }
    let fields = text[(closing + 1)...].split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") })
    // Fields are counted from 1 in the manual page; `fields` starts with the third.
    guard fields.count >= 20, let state = fields[0].first, let parent = number(fields[1], as: Int32.self),
      let group = number(fields[2], as: Int32.self), let session = number(fields[3], as: Int32.self),
      let foreground = number(fields[5], as: Int32.self), let terminal = number(fields[4], as: Int32.self),
      let start = number(fields[19], as: UInt64.self)
    else { throw .malformed }
    return ProcessStatus(
      pid: pid, name: String(decoding: text[(opening + 1)..<closing], as: UTF8.self), parent: parent, group: group,
      foregroundGroup: foreground > 0 ? foreground : nil, session: session,
      terminalDevice: terminal == 0 ? nil : UInt64(UInt32(bitPattern: terminal)), startTime: start,
      isZombie: state == UInt8(ascii: "Z") || state == UInt8(ascii: "X"))
  }

  private static func number<Number: FixedWidthInteger>(_ text: ArraySlice<UInt8>, as: Number.Type) -> Number? {
    Number(String(decoding: text, as: UTF8.self).trimmingSpaces)
  }
}

extension String {
  /// Without spaces and tabs at both ends.
  var trimmingSpaces: Substring {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let head = drop(while: isSpace)
    guard let last = head.lastIndex(where: { !isSpace($0) }) else { return "" }
    return head[...last]
  }
}
