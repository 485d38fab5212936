import Testing

@testable import TerminalIO

@Suite struct UntrustedTextTests {
  @Test(arguments: [
    ("plain text 09 ~", "\"plain text 09 ~\""),
    ("", "\"\""),
    ("Zürich 東京 🔑", "\"Zürich 東京 🔑\""),
    ("say \"yes\" \\ no", "\"say \\\"yes\\\" \\\\ no\""),
    ("a\u{1B}[2Jb", "\"a\\u{1B}[2Jb\""),
    ("line\nline\rline\ttab", "\"line\\u{A}line\\u{D}line\\u{9}tab\""),
    ("nul\u{0}del\u{7F}", "\"nul\\u{0}del\\u{7F}\""),
    ("c1\u{9B}31m", "\"c1\\u{9B}31m\""),
    ("\u{202E}gpj\u{202C}", "\"\\u{202E}gpj\\u{202C}\""),
    ("\u{2066}x\u{2069}\u{200F}\u{061C}", "\"\\u{2066}x\\u{2069}\\u{200F}\\u{61C}\""),
    ("zero\u{200B}width\u{FEFF}\u{AD}", "\"zero\\u{200B}width\\u{FEFF}\\u{AD}\""),
    ("\u{2028}\u{2029}\u{A0}\u{3000}", "\"\\u{2028}\\u{2029}\\u{A0}\\u{3000}\""),
    ("\u{E000}\u{E0041}\u{3164}", "\"\\u{E000}\\u{E0041}\\u{3164}\""),
    ("e\u{301}", "\"e\u{301}\""),
    ("e\u{301}\u{302}\u{303}", "\"e\u{301}\u{302}\\u{303}\""),
  ])
  func `what cannot be seen or moves the cursor is written out`(text: String, shown: String) {
    #expect(Array(UntrustedText(text).quoted.utf8) == Array(shown.utf8))
  }

  @Test func `a mark does not sit on our own quote`() {
    #expect(Array(UntrustedText("\u{301}x").quoted.utf8) == Array("\"\\u{301}x\"".utf8))
  }

  @Test(
    arguments: [
      ([0xFF], "\"\\xFF\""), ([0x80, 0x41], "\"\\x80A\""), ([0xC3], "\"\\xC3\""), ([0xC3, 0x28], "\"\\xC3(\""),
      ([0xC0, 0x8A], "\"\\xC0\\x8A\""), ([0xED, 0xA0, 0x80], "\"\\xED\\xA0\\x80\""),
      ([0xF4, 0x90, 0x80, 0x80], "\"\\xF4\\x90\\x80\\x80\""), ([0xE2, 0x82], "\"\\xE2\\x82\""),
      ([0x61, 0xC3, 0xBC, 0x05], "\"aü\\u{5}\""),
    ] as [([UInt8], String)])
  func `bytes that are not UTF-8 are written out one by one`(bytes: [UInt8], shown: String) {
    #expect(UntrustedText(bytes).quoted == shown)
  }

  @Test(arguments: [79, 80, 81, 500]) func `eighty characters are shown and a cut is marked outside the quotes`(
    count: Int
  ) {
    for character in ["x", "ü", "🔑"] {
      let shown = UntrustedText(String(repeating: character, count: count)).quoted
      let body = String(repeating: character, count: min(count, 80))
      #expect(shown == "\"" + body + "\"" + (count > 80 ? "…" : ""))
    }
  }

  @Test func `no text of any bytes shows a control or bidi character`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let bytes = (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }
      let shown = UntrustedText(bytes).quoted
      #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
      #expect(
        shown.unicodeScalars.allSatisfy {
          $0.properties.generalCategory != .format && $0.properties.generalCategory != .control
        })
    }
  }

  @Test func `a sentence keeps its quotes and is cut later`() {
    #expect(UntrustedText("the \"passcode\" is\u{7} wrong.").sentence == "the \"passcode\" is\\u{7} wrong.")
    #expect(UntrustedText(String(repeating: "a", count: 241)).sentence == String(repeating: "a", count: 240) + "…")
  }
}
