public import LinuxSystem
public import SecretMemory

/// The line being typed, held in locked memory from the first byte to the last.
///
/// The terminal delivers every byte as it is typed; this does what the kernel's line discipline would do in canonical
/// mode (termios(3)): erase, kill, end of line, interrupt. So no half-typed line ever waits in a kernel buffer.
public struct LineEditor {
  /// The longest passcode, in bytes (PAM_MAX_RESP_SIZE of pam_conv(3) less its NUL).
  public static let passcodeCount = 511
  /// The longest line of this editor, in bytes.
  public let maximumCount: Int

  private let buffer: SecretBytes
  private var count = 0
  private var isOverlong = false
  private let keys: TerminalKeys

  /// Makes an empty line.
  ///
  /// - Parameters:
  ///   - keys: the keys with a meaning of their own.
  ///   - maximumCount: the longest line, in bytes; by default a passcode's.
  /// - Throws: ``SecretMemoryError``: no locked memory.
  public init(keys: TerminalKeys, maximumCount: Int = LineEditor.passcodeCount) throws(SecretMemoryError) {
    buffer = try SecretBytes(count: maximumCount)
    self.maximumCount = maximumCount
    self.keys = keys
  }

  /// Takes one typed byte.
  public mutating func take(_ byte: UInt8) -> Keystroke {
    switch keys.meaning(of: byte) {
    case .cancel: return .cancelled
    case .endOfInput: return count == 0 && !isOverlong ? .cancelled : .finished
    case .endOfLine: return .finished
    case .erase: return erase()
    case .kill: return kill()
    case .ignored: return .ignored
    case .text: return append(byte)
    }
  }

  /// Hands over the line and empties the editor; `.overlong` where more was typed than may be sent.
  ///
  /// - Throws: ``SecretMemoryError``: no locked memory.
  public mutating func finish() throws(SecretMemoryError) -> TypedLine {
    defer { clear() }
    if isOverlong { return .overlong }
    let line = try SecretBytes(count: count)
    let typed = count
    buffer.withSpan { source in
      line.withMutableSpan { target in
        for index in 0..<typed { target[index] = source[index] }
      }
    }
    return .line(line)
  }

  /// Forgets what was typed.
  public mutating func clear() {
    buffer.withMutableSpan { bytes in
      for index in bytes.indices { bytes[index] = 0 }
    }
    count = 0
    isOverlong = false
  }

  private mutating func append(_ byte: UInt8) -> Keystroke {
    guard count < maximumCount else {
      isOverlong = true
      return .ignored
    }
    let place = count
    buffer.withMutableSpan { $0[place] = byte }
    count += 1
    return .typed
  }

  /// Takes back one character: its UTF-8 continuation bytes and the byte before them.
  private mutating func erase() -> Keystroke {
    guard count > 0, !isOverlong else { return .ignored }
    var removed: UInt8
    repeat {
      count -= 1
      let place = count
      removed = buffer.withMutableSpan { bytes in
        defer { bytes[place] = 0 }
        return bytes[place]
      }
    } while removed & 0xC0 == 0x80 && count > 0
    return .erased(1)
  }

  private mutating func kill() -> Keystroke {
    let erased = characterCount
    clear()
    return .erased(erased)
  }

  private var characterCount: Int {
    let typed = count
    return buffer.withSpan { bytes in
      var starts = 0
      for index in 0..<typed where bytes[index] & 0xC0 != 0x80 { starts += 1 }
      return starts
    }
  }
}

/// What one typed byte did.
public enum Keystroke: Equatable, Sendable {
  /// It belongs to the line.
  case typed
  /// So many characters were taken back.
  case erased(Int)
  /// Nothing.
  case ignored
  /// The line is complete.
  case finished
  /// The person wants no more of this.
  case cancelled
}

/// A complete line.
public enum TypedLine: Sendable {
  /// 0 to ``LineEditor/maximumCount`` bytes.
  case line(SecretBytes)
  /// More bytes than that; they are gone.
  case overlong
}
