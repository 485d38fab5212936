internal import LinuxSystem

/// The terminal that controls this process, by its own name: /dev/tty would hide from the daemon whose it is.
enum ControllingTerminal {
  /// Opens it, or `nil` where there is none.
  static func open() -> OwnedDescriptor? {
    guard let status = try? ProcessStatus.read(ThisProcess.pid), let device = status.terminalDevice else { return nil }
    if let path = TerminalFile.usualPath(of: device), let terminal = open(path) { return terminal }
    return standardStream()
  }

  private static func open(_ path: String) -> OwnedDescriptor? {
    let flags: Files.OpenFlags = [.readingAndWriting, .notControlling, .nonBlocking]
    guard let terminal = try? Files.open(path, flags) else { return nil }
    return isOwn(terminal) ? terminal : nil
  }

  /// One of the standard streams, where the file cannot be opened by its name (another mount namespace).
  private static func standardStream() -> OwnedDescriptor? {
    for number in [Int32(2), 0, 1] {
      guard let stream = try? OwnedDescriptor.duplicating(number), isOwn(stream) else { continue }
      return stream
    }
    return nil
  }

  /// Whether it is the terminal that controls this process, which the kernel tells by whom it asks for the foreground. Its
  /// number would not do: a terminal of another devpts may have the same.
  private static func isOwn(_ descriptor: OwnedDescriptor) -> Bool {
    (try? Terminal.foregroundGroup(descriptor)) != nil
  }
}
