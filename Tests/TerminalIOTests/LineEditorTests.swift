import LinuxSystem
import SecretMemory
import Testing

@testable import TerminalIO

@Suite struct LineEditorTests {
  private func bytes(_ line: TypedLine) -> [UInt8]? {
    guard case .line(let secret) = line else { return nil }
    return secret.withSpan { span in span.indices.map { span[$0] } }
  }

  private func type(_ text: [UInt8], into editor: inout LineEditor) -> Keystroke {
    text.reduce(Keystroke.ignored) { _, byte in editor.take(byte) }
  }

  @Test(arguments: [
    ("hunter2\n", "hunter2"), ("hunter2\r", "hunter2"), ("\n", ""), ("ab\u{7F}c\n", "ac"), ("ab\u{8}c\n", "ac"),
    ("wrong\u{15}right\n", "right"), ("wrong\u{17}right\n", "right"), ("a\u{7F}\u{7F}\u{7F}b\n", "b"),
    ("aü\u{7F}b\n", "ab"), ("a🔑\u{7F}\u{7F}b\n", "b"), ("tab\tand esc\u{1B}\n", "tab\tand esc\u{1B}"),
    ("nul\u{0}gone\n", "nulgone"), ("stop\u{1A}ped\n", "stopped"), ("end\u{4}", "end"),
  ])
  func `a line is edited as a terminal would`(typed: String, line: String) throws {
    var editor = try LineEditor(keys: TerminalKeys())
    #expect(type(Array(typed.utf8), into: &editor) == .finished)
    #expect(bytes(try editor.finish()) == Array(line.utf8))
  }

  @Test(arguments: ["\u{3}", "abc\u{3}", "\u{1C}", "\u{4}", "ab\u{15}\u{4}"])
  func `interrupt, quit and end of input on an empty line cancel`(typed: String) throws {
    var editor = try LineEditor(keys: TerminalKeys())
    #expect(type(Array(typed.utf8), into: &editor) == .cancelled)
  }

  @Test func `the user's own control characters count`() throws {
    var keys = TerminalKeys()
    keys.interrupt = 0x18
    keys.kill = 0x0B
    var editor = try LineEditor(keys: keys)
    #expect(type(Array("ab\u{0B}c\u{3}\n".utf8), into: &editor) == .finished)
    #expect(bytes(try editor.finish()) == Array("c\u{3}".utf8))
    #expect(type([0x18], into: &editor) == .cancelled)
  }

  @Test(arguments: [510, 511, 512, 600]) func `511 bytes are a line and 512 are refused, not cut`(count: Int) throws {
    var editor = try LineEditor(keys: TerminalKeys())
    let line = [UInt8](repeating: 0x78, count: count)
    _ = type(line, into: &editor)
    #expect(editor.take(0x0A) == .finished)
    #expect(bytes(try editor.finish()) == (count <= 511 ? line : nil))
  }

  @Test(arguments: [(7, 7), (8, 8), (9, nil)]) func `an editor may be made for other lengths`(count: Int, kept: Int?)
    throws
  {
    var editor = try LineEditor(keys: TerminalKeys(), maximumCount: 8)
    _ = type([UInt8](repeating: 0x78, count: count), into: &editor)
    #expect(editor.take(0x0A) == .finished)
    #expect(bytes(try editor.finish())?.count == kept)
  }

  @Test func `after a line that was too long the editor starts afresh`() throws {
    var editor = try LineEditor(keys: TerminalKeys())
    _ = type([UInt8](repeating: 0x78, count: 700), into: &editor)
    #expect(editor.take(0x7F) == .ignored)
    guard case .overlong = try editor.finish() else { throw Unexpected() }
    _ = type(Array("ok\n".utf8), into: &editor)
    #expect(bytes(try editor.finish()) == Array("ok".utf8))
  }

  @Test func `erasing says how many characters go`() throws {
    var editor = try LineEditor(keys: TerminalKeys())
    #expect(editor.take(0x7F) == .ignored)
    _ = type(Array("aü🔑".utf8), into: &editor)
    #expect(editor.take(0x7F) == .erased(1))
    #expect(editor.take(0x15) == .erased(2))
  }
}

struct Unexpected: Error {}
