internal import SecretMemory

/// 160 random bits, and the text a person copies down: nine groups of four of Crockford's letters and digits, the last of
/// which checks the others.
struct RecoveryKey {
  /// 20 bytes.
  let secret: SecretBytes

  private static let secretBytes = 20
  private static let letters = 32
  private static let checkLetters = 4
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  private static let dash = UInt8(ascii: "-")

  static func random() throws(StoreError) -> RecoveryKey {
    do { return RecoveryKey(secret: try SecretBytes.random(count: secretBytes)) } catch { throw .outOfMemory }
  }

  private init(secret: SecretBytes) { self.secret = secret }

  /// Reads what a person typed: either case, O for 0, I and L for 1, dashes and spaces anywhere.
  ///
  /// - Returns: `nil` where the length, a letter or the check is wrong.
  init?(text: SecretBytes) throws(StoreError) {
    guard text.count <= 128 else { return nil }
    let secret: SecretBytes
    let digits: SecretBytes
    do {
      digits = try SecretBytes(count: Self.letters + Self.checkLetters)
      secret = try SecretBytes(count: Self.secretBytes)
    } catch { throw .outOfMemory }
    let read = text.withSpan { text in digits.withMutableSpan { Self.read(text, into: &$0) } }
    guard read else { return nil }
    digits.withSpan { digits in secret.withMutableSpan { Self.pack(digits, into: &$0) } }
    self.init(secret: secret)
    guard matches(check: digits) else { return nil }
  }

  /// The text to print once.
  func text() throws(StoreError) -> SecretBytes {
    let check = check()
    do {
      let text = try SecretBytes(count: Self.letters + Self.checkLetters + 8)
      secret.withSpan { secret in
        text.withMutableSpan { text in
          for index in 0..<Self.letters + Self.checkLetters {
            let value = index < Self.letters ? Self.digit(index, of: secret) : check[index - Self.letters]
            let place = index + index / 4
            text[place] = Self.alphabet[Int(value)]
            if place > 0, index % 4 == 0 { text[place - 1] = Self.dash }
          }
        }
      }
      return text
    } catch { throw .outOfMemory }
  }

  /// The first 20 bits of the keyed hash of the text "check" under the secret, five to a letter.
  private func check() -> [UInt8] {
    let hash = KeyedHash.hash(Array("latchkey recovery check".utf8), key: secret)
    return (0..<Self.checkLetters).map { Self.digit($0, of: hash.span) }
  }

  private func matches(check digits: SecretBytes) -> Bool {
    let expected = check()
    return digits.withSpan { digits in
      (0..<Self.checkLetters).allSatisfy { digits[Self.letters + $0] == expected[$0] }
    }
  }

  private static func read(_ text: Span<UInt8>, into digits: inout MutableSpan<UInt8>) -> Bool {
    var count = 0
    for index in text.indices {
      if text[index] == dash || text[index] == UInt8(ascii: " ") || text[index] == UInt8(ascii: "\n") { continue }
      guard count < digits.count, let value = value(of: text[index]) else { return false }
      digits[count] = value
      count += 1
    }
    return count == digits.count
  }

  private static func value(of letter: UInt8) -> UInt8? {
    let upper = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) ? letter - 32 : letter
    switch upper {
    case UInt8(ascii: "O"): return 0
    case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
    default: return alphabet.firstIndex(of: upper).map { UInt8($0) }
    }
  }

  /// The five bits at a place, the first byte's highest bit first.
  private static func digit(_ index: Int, of bytes: Span<UInt8>) -> UInt8 {
    let bit = index * 5
    let high = UInt16(bytes[bit / 8]) << 8
    let low = bit / 8 + 1 < bytes.count ? UInt16(bytes[bit / 8 + 1]) : 0
    return UInt8((high | low) >> UInt16(11 - bit % 8) & 31)
  }

  private static func pack(_ digits: Span<UInt8>, into bytes: inout MutableSpan<UInt8>) {
    for index in 0..<letters {
      for place in 0..<5 where digits[index] >> UInt8(4 - place) & 1 == 1 {
        let bit = index * 5 + place
        bytes[bit / 8] |= 1 << UInt8(7 - bit % 8)
      }
    }
  }
}
