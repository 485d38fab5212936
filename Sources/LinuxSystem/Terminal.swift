internal import CLinux

/// Terminals (termios(3)).
public enum Terminal {
  /// Whether a descriptor is an open terminal.
  public static func isTerminal(_ descriptor: OwnedDescriptor) -> Bool { isatty(descriptor.number) == 1 }

  /// The terminal's device number, as in ``PeerIdentity/terminalDevice``. Terminals of two devpts may have the same one:
  /// ``TerminalFile`` tells them apart.
  ///
  /// - Throws: ``Errno``: ENOTTY (no terminal).
  public static func device(_ terminal: OwnedDescriptor) throws(Errno) -> UInt64 {
    guard isTerminal(terminal) else { throw .notTerminal }
    return try Files.facts(terminal).specialDevice
  }

  /// The user id of the terminal's owner.
  ///
  /// - Throws: ``Errno``: ENOTTY (no terminal).
  public static func owner(_ terminal: OwnedDescriptor) throws(Errno) -> UInt32 {
    guard isTerminal(terminal) else { throw .notTerminal }
    return try Files.facts(terminal).owner
  }

  /// Rows and columns; 0 where the terminal does not know them.
  ///
  /// - Throws: ``Errno``: ENOTTY (no terminal).
  public static func windowSize(_ terminal: OwnedDescriptor) throws(Errno) -> (rows: UInt16, columns: UInt16) {
    var rows: UInt16 = 0
    var columns: UInt16 = 0
    try SystemCall.run { unsafe clinux_window_size(terminal.number, &rows, &columns) }
    return (rows, columns)
  }

  /// Whether the terminal may be opened once more.
  public enum Access: Sendable {
    /// By whom its mode lets.
    case shared
    /// By root alone; what is open already stays open.
    case exclusive
  }

  /// Whether it may be opened once more (ioctl_tty(2), TIOCGEXCL).
  ///
  /// - Throws: ``Errno``: ENOTTY (no terminal), EIO (it hung up).
  public static func access(_ terminal: OwnedDescriptor) throws(Errno) -> Access {
    var exclusive: Int32 = 0
    try SystemCall.run { unsafe clinux_get_exclusive(terminal.number, &exclusive) }
    return exclusive == 0 ? .shared : .exclusive
  }

  /// Lets it be opened once more or not (TIOCEXCL, TIOCNXCL). It holds for the terminal, and outlives this process.
  ///
  /// - Throws: ``Errno``: ENOTTY (no terminal), EIO (it hung up).
  public static func setAccess(_ access: Access, of terminal: OwnedDescriptor) throws(Errno) {
    try SystemCall.run { clinux_set_exclusive(terminal.number, access == .exclusive ? 1 : 0) }
  }

  /// The process group in the foreground.
  ///
  /// - Throws: ``Errno``: ENOTTY (no terminal, or not this process's own).
  public static func foregroundGroup(_ terminal: OwnedDescriptor) throws(Errno) -> Int32 {
    try SystemCall.run { tcgetpgrp(terminal.number) }
  }

  /// Throws away what was typed and not read (tcflush(3)).
  ///
  /// - Throws: ``Errno``: ENOTTY, EIO (the terminal hung up).
  public static func discardInput(_ terminal: OwnedDescriptor) throws(Errno) {
    try SystemCall.run { tcflush(terminal.number, TCIFLUSH) }
  }

  /// Writes a text, but not longer than to a deadline: somebody may have stopped the terminal (ctrl-S).
  ///
  /// - Parameter deadline: On the boot-time clock; `nil` waits for ever.
  /// - Throws: ``Errno``: ETIMEDOUT, EIO (it hung up). Part of the text may be out.
  public static func write(_ text: String, to terminal: OwnedDescriptor, until deadline: UInt64?) throws(Errno) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let result = try Poll.wait([PollEntry(terminal, .writable)], until: deadline)[0]
      guard !result.isGone else { throw .inputOutput }
      guard result.events.contains(.writable) else { throw .timedOut }
      rest = rest.dropFirst(try writeSome(Array(rest.prefix(128)), to: terminal))
    }
  }
}

extension Terminal {
  /// Writes what there is room for, perhaps nothing.
  fileprivate static func writeSome(_ bytes: [UInt8], to terminal: OwnedDescriptor) throws(Errno) -> Int {
    do throws(Errno) {
      return try SystemCall.run { unsafe CLinux.write(terminal.number, bytes, bytes.count) }
    } catch .wouldBlock { return 0 }
  }
}

/// The keys with a meaning of their own, as a terminal's user set them (termios(3), c_cc); 0 for none.
public struct TerminalKeys: Hashable, Sendable {
  /// VINTR, usually ctrl-C.
  public var interrupt: UInt8 = 0x03
  /// VQUIT, usually ctrl-\.
  public var quit: UInt8 = 0x1c
  /// VSUSP, usually ctrl-Z.
  public var suspend: UInt8 = 0x1a
  /// VEOF, usually ctrl-D.
  public var endOfInput: UInt8 = 0x04
  /// VERASE, usually the backspace key.
  public var erase: UInt8 = 0x7f
  /// VKILL, usually ctrl-U.
  public var kill: UInt8 = 0x15
  /// VWERASE, usually ctrl-W.
  public var eraseWord: UInt8 = 0x17

  /// The usual keys.
  public init() {}
}

/// A terminal's settings at one moment, to be put back later.
public struct TerminalSettings: Sendable {
  private let record: termios

  /// Reads the settings in force (tcgetattr(3)).
  ///
  /// - Throws: ``Errno``: ENOTTY, EIO (the terminal hung up).
  public init(of terminal: OwnedDescriptor) throws(Errno) {
    var record = termios()
    try SystemCall.run { unsafe tcgetattr(terminal.number, &record) }
    self.record = record
  }

  private init(_ record: termios) { self.record = record }

  /// Whether typed characters are shown.
  public var echoes: Bool { record.c_lflag & tcflag_t(ECHO) != 0 }

  /// The keys with a meaning of their own.
  public var keys: TerminalKeys {
    var record = record
    return unsafe withUnsafeBytes(of: &record.c_cc) { controls in
      var keys = TerminalKeys()
      keys.interrupt = unsafe controls[Int(VINTR)]
      keys.quit = unsafe controls[Int(VQUIT)]
      keys.suspend = unsafe controls[Int(VSUSP)]
      keys.endOfInput = unsafe controls[Int(VEOF)]
      keys.erase = unsafe controls[Int(VERASE)]
      keys.kill = unsafe controls[Int(VKILL)]
      keys.eraseWord = unsafe controls[Int(VWERASE)]
      return keys
    }
  }

  /// Puts the settings in force once all output is out, and throws away what was typed and not read (tcsetattr(3),
  /// TCSAFLUSH).
  ///
  /// - Throws: ``Errno``: EIO, ENOTTY.
  public func apply(to terminal: OwnedDescriptor) throws(Errno) {
    var record = record
    try SystemCall.run { unsafe tcsetattr(terminal.number, TCSAFLUSH, &record) }
  }

  /// As ``apply(to:)``, without waiting for output: for the ways out on which the terminal may be stopped (TCSANOW,
  /// tcflush(3)).
  ///
  /// - Throws: ``Errno``: EIO, ENOTTY.
  public func applyNow(to terminal: OwnedDescriptor) throws(Errno) {
    var record = record
    try SystemCall.run { unsafe tcsetattr(terminal.number, TCSANOW, &record) }
    try Terminal.discardInput(terminal)
  }

  /// The same, but each key comes at once, none is shown, and none is a signal.
  public func readingKeys() -> TerminalSettings {
    var keys = record
    keys.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL | ICANON | ISIG | IEXTEN)
    keys.c_iflag &= ~tcflag_t(INLCR | IGNCR | ISTRIP)
    keys.c_iflag |= tcflag_t(ICRNL)
    unsafe withUnsafeMutableBytes(of: &keys.c_cc) { controls in
      unsafe controls[Int(VMIN)] = 1
      unsafe controls[Int(VTIME)] = 0
    }
    return TerminalSettings(keys)
  }
}

extension TerminalSettings: Equatable {
  /// The same modes and the same keys; the speed does not count.
  public static func == (left: Self, right: Self) -> Bool {
    left.record.c_iflag == right.record.c_iflag && left.record.c_oflag == right.record.c_oflag
      && left.record.c_cflag == right.record.c_cflag && left.record.c_lflag == right.record.c_lflag
      && left.controls == right.controls
  }

  private var controls: [UInt8] {
    var record = record
    return unsafe withUnsafeBytes(of: &record.c_cc) { unsafe Array($0) }
  }
}
