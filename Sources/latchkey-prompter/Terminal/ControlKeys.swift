/// The control characters of a terminal, as its user set them (termios(3), c_cc); 0 stands for "none".
struct ControlKeys: Equatable {
  /// VINTR, usually ^C.
  var interrupt: UInt8 = 0x03
  /// VQUIT, usually ^\.
  var quit: UInt8 = 0x1C
  /// VSUSP, usually ^Z.
  var suspend: UInt8 = 0x1A
  /// VEOF, usually ^D.
  var endOfInput: UInt8 = 0x04
  /// VERASE, usually ^?.
  var erase: UInt8 = 0x7F
  /// VKILL, usually ^U.
  var kill: UInt8 = 0x15
  /// VWERASE, usually ^W: here it takes back the whole line, since nobody sees where a word starts.
  var eraseWord: UInt8 = 0x17

  /// What a typed byte means.
  enum Meaning { case text, endOfLine, endOfInput, erase, kill, cancel, ignored }

  /// Looks a byte up. NUL is never text: PAM's answers are C strings and would end there.
  func meaning(of byte: UInt8) -> Meaning {
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
