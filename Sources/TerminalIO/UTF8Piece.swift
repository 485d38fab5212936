/// One step through bytes that should be UTF-8 (RFC 3629) and may not be.
enum UTF8Piece {
  /// A well-formed scalar.
  case scalar(Unicode.Scalar)
  /// A byte that starts no well-formed scalar here.
  case stray(UInt8)

  /// Takes the next scalar, or one byte where there is none; `nil` at the end.
  init?(taking rest: inout ArraySlice<UInt8>) {
    guard let first = rest.first else { return nil }
    let length = Self.length(startingWith: first)
    let head = rest.prefix(length)
    if length > 0, head.count == length, let text = String(validating: head, as: UTF8.self),
      let scalar = text.unicodeScalars.first
    {
      self = .scalar(scalar)
      rest = rest.dropFirst(length)
    } else {
      self = .stray(first)
      rest = rest.dropFirst()
    }
  }

  /// Whether this sits on the character before it.
  var isMark: Bool {
    guard case .scalar(let scalar) = self else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return false
    }
  }

  /// `\u{..}` for a scalar, `\xNN` for a stray byte, in capital hexadecimal digits.
  var writtenOut: String {
    switch self {
    case .scalar(let scalar): "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    case .stray(let byte): "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
  }

  /// How many bytes a scalar has that starts with this one; 0 where none does.
  private static func length(startingWith first: UInt8) -> Int {
    switch first {
    case 0x00...0x7F: 1
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 0
    }
  }
}
