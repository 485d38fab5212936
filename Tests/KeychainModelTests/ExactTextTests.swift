import KeychainModel
import Testing

struct ExactTextTests {
  @Test func `spellings that look the same are different`() {
    let composed: ExactText = "caf\u{E9}"
    let decomposed: ExactText = "cafe\u{301}"
    #expect(composed.string == decomposed.string, "Swift's strings call them equal")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(composed.bytes == [0x63, 0x61, 0x66, 0xC3, 0xA9])
    #expect(decomposed.bytes == [0x63, 0x61, 0x66, 0x65, 0xCC, 0x81])
  }

  @Test func `case and spaces count`() {
    #expect(ExactText("a") != ExactText("A"))
    #expect(ExactText("a") != ExactText("a "))
    #expect(ExactText("") != ExactText("\0"))
  }

  @Test(
    arguments: [
      [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x61, 0x80, 0x62],
    ] as [[UInt8]])
  func `bytes that are not UTF-8 are kept and are no string`(_ bytes: [UInt8]) {
    let text = ExactText(bytes: bytes)
    #expect(text.bytes == bytes)
    #expect(text.validString == nil)
    #expect(text.string.contains("\u{FFFD}"))
    #expect(text == ExactText(bytes: bytes))
  }

  @Test func `different invalid bytes show alike and stay different`() {
    let (one, other) = (ExactText(bytes: [0xFE]), ExactText(bytes: [0xFF]))
    #expect(one.string == other.string)
    #expect(one != other)
  }

  @Test func `all 256 bytes come back`() {
    let bytes = (0...255).map { UInt8($0) }
    #expect(ExactText(bytes: bytes).bytes == bytes)
  }

  @Test func `valid text is its string`() {
    for string in ["", "a", "\0", "\u{1F511}", "a\nb"] {
      #expect(ExactText(string).validString == string)
      #expect(ExactText(string).string == string)
    }
  }

  @Test func `order is by bytes`() {
    #expect(ExactText("Z") < ExactText("a"))
    #expect(ExactText("a") < ExactText("aa"))
    #expect(ExactText("z") < ExactText("\u{E9}"))
    #expect(ExactText(bytes: [0x7F]) < ExactText(bytes: [0x80]))
    #expect(!(ExactText("a") < ExactText("a")))
  }
}
