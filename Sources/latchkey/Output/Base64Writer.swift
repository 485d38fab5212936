internal import SecretMemory

/// Writes a secret as base64 (RFC 4648 section 4); its text stays in locked memory too.
enum Base64Writer {
  /// How many bytes are turned into text at once; a multiple of three, so that the pieces join without padding.
  private static let piece = 49_152
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func write(_ secret: SecretBytes, to output: Output) throws(Failure) {
    var start = 0
    while start < secret.count {
      let end = min(start + piece, secret.count)
      let text = try Failure.locking { () throws(SecretMemoryError) in try encode(secret, start..<end) }
      try output.secret(text)
      start = end
    }
  }

  /// The text of a part.
  static func encode(_ secret: SecretBytes, _ range: Range<Int>) throws(SecretMemoryError) -> SecretBytes {
    let text = try SecretBytes(count: (range.count + 2) / 3 * 4)
    secret.withSpan { bytes in
      text.withMutableSpan { text in
        var place = 0
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 3) {
          let count = min(3, range.upperBound - start)
          var group: UInt32 = 0
          for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0) }
          for digit in 0..<4 {
            let value = Int(group >> (18 - 6 * UInt32(digit)) & 0x3F)
            text[place] = digit <= count ? digits[value] : UInt8(ascii: "=")
            place += 1
          }
        }
      }
    }
    return text
  }
}
