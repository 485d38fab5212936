import SecretMemory
import Testing

@testable import latchkey_prompter

@Suite struct AssuanTests {
  private func secret(_ bytes: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: bytes.span) }

  private func line(_ text: String) throws -> AssuanLine {
    AssuanLine(try secret(Array(text.utf8)), count: text.utf8.count)
  }

  @Test(
    arguments: [
      ("OK", .okay), ("OK Pleased to meet you", .okay), ("OKAY", .foreign), ("D secret", .data(from: 2)),
      ("D ", .data(from: 2)),
      ("D", .foreign), ("S PASSWORD_FROM_CACHE", .remark), ("# note", .remark), ("", .foreign), ("INQUIRE X", .foreign),
      ("ERR 83886179 Operation cancelled <Pinentry>", .error(.cancelled)), ("ERR 83886194", .error(.cancelled)),
      ("ERR 83886142 Timeout", .error(.timedOut)),
      ("ERR 83918950 Inappropriate ioctl", .error(.unusable(code: 83_918_950))),
      ("ERR", .foreign), ("ERR 99999999999999999999", .error(.unusable(code: .max))),
    ] as [(String, AssuanLine)])
  func `a server line is told apart`(text: String, meaning: AssuanLine) throws {
    #expect(try line(text) == meaning)
  }

  @Test func `a command escapes percent and control bytes`() {
    #expect(AssuanText.command("GETPIN") == Array("GETPIN\n".utf8))
    #expect(AssuanText.command("SETDESC", "100%\nü\u{7F}") == Array("SETDESC 100%25%0Aü%7F\n".utf8))
  }

  @Test func `a command line is at most 1000 bytes and ends between characters`() {
    for padding in 0...3 {
      let argument = String(repeating: "x", count: padding) + String(repeating: "ü", count: 600)
      let line = AssuanText.command("SETDESC", argument)
      #expect(line.count <= 1001 && line.count >= 998)
      #expect(String(validating: line, as: UTF8.self) != nil)
    }
    let escaped = AssuanText.command("SETDESC", String(repeating: "%", count: 600))
    #expect(escaped.count <= 1001 && (escaped.count - 1 - 8) % 3 == 0)
  }

  private func pin(_ lines: [String]) throws -> [UInt8]? {
    var data = try PinData()
    for line in lines { data.append(try secret(Array(line.utf8)), from: 2, to: line.utf8.count) }
    guard case .line(let pin) = try data.finish() else { return nil }
    return pin.withSpan { span in span.indices.map { span[$0] } }
  }

  @Test(
    arguments: [
      (["D hunter2"], "hunter2"), (["D 100%25%0a"], "100%\n"), (["D ab", "D c%2"], nil), (["D %G0"], nil),
      (["D a%00"], nil),
      (["D "], ""), (["D one", "D two"], "onetwo"), (["D z%C3%BC"], "zü"),
    ] as [([String], String?)])
  func `data lines are joined and unescaped, broken ones refused`(lines: [String], expected: String?) throws {
    guard let expected else {
      #expect(throws: PinDataError.malformed) { try pin(lines) }
      return
    }
    #expect(try pin(lines) == Array(expected.utf8))
  }

  @Test(arguments: [510, 511, 512]) func `511 bytes are a passcode and 512 are too long`(count: Int) throws {
    let text = String(repeating: "x", count: count)
    #expect(try pin(["D " + text]) == (count <= 511 ? Array(text.utf8) : nil))
  }
}
