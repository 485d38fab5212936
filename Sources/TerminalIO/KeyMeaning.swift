public import LinuxSystem

/// What a typed byte means.
public enum KeyMeaning: Sendable {
  case text, endOfLine, endOfInput, erase, kill, cancel, ignored
}

extension TerminalKeys {
  /// Looks a byte up. NUL is never text: PAM's answers are C strings and would end there. The key that erases a word
  /// takes back the whole line, since nobody sees where a word starts.
  public func meaning(of byte: UInt8) -> KeyMeaning {
    switch byte {
    case 0: .ignored
    case 0x0A, 0x0D: .endOfLine
    case interrupt, quit: .cancel
    case suspend: .ignored
    case endOfInput: .endOfInput
    case erase, 0x7F, 0x08: .erase
    case kill, eraseWord: .kill
    default: .text
    }
  }
}
