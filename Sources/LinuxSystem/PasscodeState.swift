/// Whether an account has a passcode that can be proved.
public enum PasscodeState: Hashable, Sendable {
  /// It has a usable one.
  case set
  /// It is known to have none: the field is empty.
  case notSet
  /// It is locked (`!`), whatever stands behind the mark, or never had one.
  case locked
  /// Log-in by passcode is off (`*`).
  case disabled
  /// The field holds something that no passcode can match.
  case unusable
  /// It cannot be told: no entry, or no right to read it.
  case unknown

  /// Reads the password field of shadow(5) or passwd(5); the forms are those of crypt(5).
  static func of(field: [UInt8]) -> PasscodeState {
    guard let first = field.first else { return .notSet }
    if first == UInt8(ascii: "!") { return .locked }
    if first == UInt8(ascii: "*") { return .disabled }
    return PasscodeHash.isUsable(field) ? .set : .unusable
  }
}

/// The forms of a stored passcode that crypt(3) can check.
enum PasscodeHash {
  /// Prefixes of the methods, each followed by parameters, a salt and the hash.
  private static let prefixes = [
    "$y$", "$gy$", "$7$", "$2a$", "$2b$", "$2x$", "$2y$", "$6$", "$5$", "$1$", "$sha1$", "$md5",
  ]
  .map { Array($0.utf8) }

  /// Whether a passcode could match the text. Judged by its form alone, so that programs need not link libcrypt.
  static func isUsable(_ field: [UInt8]) -> Bool {
    guard field.allSatisfy(isAllowed) else { return false }
    if field.first == UInt8(ascii: "$") {
      return field.starts(with: Array("$3$$".utf8)) ? field.count > 4 : hasKnownMethod(field)
    }
    if field.first == UInt8(ascii: "_") { return field.count == 20 && field.dropFirst().allSatisfy(isBase64) }
    // DES: two characters of salt, eleven of hash.
    return field.count >= 13 && field.allSatisfy(isBase64)
  }

  private static func hasKnownMethod(_ field: [UInt8]) -> Bool {
    guard let prefix = prefixes.first(where: { field.starts(with: $0) }) else { return false }
    // The last part is the hash: what ends in the separator has none.
    return field.dropFirst(prefix.count).contains(UInt8(ascii: "$")) && field.last != UInt8(ascii: "$")
  }

  /// crypt(5): printable ASCII but the field separators and the marks of a locked account.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    (0x21...0x7e).contains(byte) && !":;*!\\".utf8.contains(byte)
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ".")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
