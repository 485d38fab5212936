internal import SecretMemory

/// One line of an Assuan server (libassuan manual, "Server responses"), told apart without a copy of its data.
enum AssuanLine: Equatable {
  /// `OK`: the command is done.
  case okay
  /// `ERR code`: it failed.
  case error(AssuanFailure)
  /// `D`: a part of the answer, still in the line from this place on, percent-escaped.
  case data(from: Int)
  /// `S` or a comment: nothing to do.
  case remark
  /// Anything else: this client does not speak it.
  case foreign

  /// Reads the first `count` bytes of a buffer as one line, its line feed not among them.
  init(_ buffer: SecretBytes, count: Int) {
    self = buffer.withSpan { bytes in
      guard count > 0 else { return .foreign }
      switch bytes[0] {
      case UInt8(ascii: "D") where count > 1 && bytes[1] == UInt8(ascii: " "): return .data(from: 2)
      case UInt8(ascii: "#"): return .remark
      case UInt8(ascii: "S") where count == 1 || bytes[1] == UInt8(ascii: " "): return .remark
      case UInt8(ascii: "O") where Self.starts(bytes, count, with: "OK"): return .okay
      case UInt8(ascii: "E") where Self.starts(bytes, count, with: "ERR "):
        return .error(AssuanFailure(code: Self.number(bytes, from: 4, count: count)))
      default: return .foreign
      }
    }
  }

  private static func starts(_ bytes: Span<UInt8>, _ count: Int, with word: String) -> Bool {
    guard count >= word.utf8.count else { return false }
    var place = 0
    for byte in word.utf8 {
      if bytes[place] != byte { return false }
      place += 1
    }
    return place == count || word.hasSuffix(" ") || bytes[place] == UInt8(ascii: " ")
  }

  private static func number(_ bytes: Span<UInt8>, from start: Int, count: Int) -> UInt32 {
    var value: UInt64 = 0
    var place = start
    while place < count, (0x30...0x39).contains(bytes[place]), value <= UInt64(UInt32.max) {
      value = value * 10 + UInt64(bytes[place] - 0x30)
      place += 1
    }
    return UInt32(clamping: value)
  }
}

/// Why pinentry gave no answer: the code of libgpg-error, whose upper byte names the program that found it.
enum AssuanFailure: Equatable {
  /// GPG_ERR_CANCELED (99), GPG_ERR_FULLY_CANCELED (198) or GPG_ERR_NOT_CONFIRMED (114).
  case cancelled
  /// GPG_ERR_TIMEOUT (62).
  case timedOut
  /// Every other one.
  case unusable(code: UInt32)

  /// Sorts a code; 83886179 is pinentry's (source 5) "cancelled".
  init(code: UInt32) {
    switch code & 0xFFFF {
    case 99, 114, 198: self = .cancelled
    case 62: self = .timedOut
    default: self = .unusable(code: code)
    }
  }
}
