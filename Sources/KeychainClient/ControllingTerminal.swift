internal import LinuxSystem

/// The terminal that controls this process, by its own name: /dev/tty would hide from the daemon whose it is.
enum ControllingTerminal {
  /// Opens it, or `nil` where there is none.
  static func open() -> OwnedDescriptor? {
    guard let status = try? ProcessStatus.read(ThisProcess.pid), let device = status.terminalDevice else { return nil }
    if let path = path(of: device), let terminal = open(path, device) { return terminal }
    return standardStream(device)
  }

  /// The name of a terminal's file. The numbers are Linux's (Documentation/admin-guide/devices.txt): 136 to 143 are the
  /// slaves of pseudo-terminals, 4 the consoles and, from 64 on, the serial lines.
  static func path(of device: UInt64) -> String? {
    let major = (device >> 8) & 0xFFF
    let minor = (device & 0xFF) | ((device >> 12) & 0xFFF00)
    switch major {
    case 136...143: return "/dev/pts/\(minor + (major - 136) * 256)"
    case 4: return minor < 64 ? "/dev/tty\(minor)" : "/dev/ttyS\(minor - 64)"
    default: return nil
    }
  }

  private static func open(_ path: String, _ device: UInt64) -> OwnedDescriptor? {
    let flags: Files.OpenFlags = [.readingAndWriting, .notControlling, .nonBlocking]
    guard let terminal = try? Files.open(path, flags) else { return nil }
    return isTerminal(terminal, device) ? terminal : nil
  }

  /// One of the standard streams, where the file cannot be opened by its name (another mount namespace).
  private static func standardStream(_ device: UInt64) -> OwnedDescriptor? {
    for number in [Int32(2), 0, 1] {
      guard let stream = try? OwnedDescriptor.duplicating(number), isTerminal(stream, device) else { continue }
      return stream
    }
    return nil
  }

  private static func isTerminal(_ descriptor: OwnedDescriptor, _ device: UInt64) -> Bool {
    let found = try? Terminal.device(descriptor)
    return found == device
  }
}
