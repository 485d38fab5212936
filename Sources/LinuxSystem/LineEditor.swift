internal import CLinux

/// The line that is being typed, as bytes in somebody else's buffer.
struct LineEditor {
  enum Key {
    static let interrupt: UInt8 = 0x03
    static let endOfInput: UInt8 = 0x04
    static let backspace: UInt8 = 0x08
    static let newline: UInt8 = 0x0a
    static let carriageReturn: UInt8 = 0x0d
    static let eraseLine: UInt8 = 0x15
    static let escape: UInt8 = 0x1b
    static let quit: UInt8 = 0x1c
    static let delete: UInt8 = 0x7f
  }

  enum Step: Equatable {
    /// Go on; so many characters appeared (or, negative, went).
    case more(characters: Int)
    case finished(LineReader.Outcome)
  }

  private(set) var count = 0
  /// Bytes beyond the buffer that were typed and dropped. The line is lost until it is erased.
  private var overflow = 0
  private var characters = 0

  /// Takes one key.
  mutating func take(_ key: UInt8, into buffer: inout MutableSpan<UInt8>) -> Step {
    switch key {
    case Key.newline, Key.carriageReturn: .finished(overflow > 0 ? .tooLong : .line(count: count))
    case Key.interrupt, Key.quit: .finished(.cancelled)
    case Key.endOfInput: count == 0 && overflow == 0 ? .finished(.cancelled) : .more(characters: 0)
    case Key.backspace, Key.delete: .more(characters: eraseCharacter(&buffer))
    case Key.eraseLine: .more(characters: eraseAll(&buffer))
    // Other control keys have no meaning and no place in a passcode; a tab has.
    case 0..<0x20 where key != 0x09: .more(characters: 0)
    default: .more(characters: append(key, &buffer))
    }
  }

  private mutating func append(_ key: UInt8, _ buffer: inout MutableSpan<UInt8>) -> Int {
    if count < buffer.count, overflow == 0 {
      buffer[count] = key
      count += 1
    } else {
      overflow += 1
    }
    let isWhole = !Self.continues(key)
    characters += isWhole ? 1 : 0
    return isWhole ? 1 : 0
  }

  /// Takes back a whole character of UTF-8. What did not fit cannot be taken back bit by bit: it is erased all at once.
  private mutating func eraseCharacter(_ buffer: inout MutableSpan<UInt8>) -> Int {
    guard overflow == 0 else { return eraseAll(&buffer) }
    guard count > 0 else { return 0 }
    var wasContinuation = true
    while count > 0, wasContinuation {
      count -= 1
      wasContinuation = Self.continues(buffer[count])
      buffer[count] = 0
    }
    guard characters > 0 else { return 0 }
    characters -= 1
    return -1
  }

  private mutating func eraseAll(_ buffer: inout MutableSpan<UInt8>) -> Int {
    clear(&buffer)
    defer { characters = 0 }
    return -characters
  }

  /// Wipes the line.
  mutating func clear(_ buffer: inout MutableSpan<UInt8>) {
    for index in buffer.indices { buffer[index] = 0 }
    count = 0
    overflow = 0
  }

  private static func continues(_ byte: UInt8) -> Bool { byte & 0xc0 == 0x80 }
}

/// One byte at a time: what is read ahead would lie outside the caller's memory.
enum KeyInput {
  /// Whether there was a byte; false at the end. EIO is how a terminal says that it hung up.
  static func read(_ terminal: OwnedDescriptor, _ key: inout UInt8) throws(Errno) -> Bool {
    try SystemCall.run { unsafe CLinux.read(terminal.number, &key, 1) } == 1
  }
}
