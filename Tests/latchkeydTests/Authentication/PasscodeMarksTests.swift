import Foundation
import KeychainService
import Testing

@testable import latchkeyd

/// What tells one passcode of an account from the next.
@Suite struct PasscodeMarksTests {
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent("shadow-" + UUID().uuidString).path
  private let alice = UserAccountName(uid: 1000, name: "alice")

  private func mark(_ marks: PasscodeMarks, _ text: String, _ account: UserAccountName) throws -> [UInt8] {
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: file) }
    return marks.mark(of: account)
  }

  @Test func `it stays while the field does, and is another one for another field, account or process`() throws {
    let marks = PasscodeMarks(file: file)
    let others = "root:*:1:0:99999:7:::\nali:$y$x:1::::::\nalice2:$y$y:1::::::\n"
    let first = try mark(marks, others + "alice:$y$one:20000:0:99999:7:::\n", alice)
    #expect(first.count == 32)
    #expect(try mark(marks, "alice:$y$one:20001:0:99999:7:::", alice) == first, "only the passcode counts")
    #expect(try mark(marks, others + "alice:$y$two:20000:0:99999:7:::\n", alice) != first)
    #expect(try mark(marks, others + "alice:!$y$one:20000:0:99999:7:::\n", alice) != first)
    #expect(try mark(PasscodeMarks(file: file), "alice:$y$one:20000:0:99999:7:::\n", alice) != first)
  }

  @Test func `where the passcode is kept elsewhere there is none`() throws {
    let marks = PasscodeMarks(file: file)
    for text in ["", "bob:$y$one:1::::::\n", "alice", "alice:", "alice::1::::::\n"] {
      #expect(try mark(marks, text, alice).isEmpty)
    }
    #expect(marks.mark(of: alice).isEmpty)
  }

  @Test(arguments: [(-1, 32), (0, 32), (1, 0)]) func `a file of a mebibyte is looked at, a longer one is not`(
    more: Int, count: Int
  ) throws {
    let line = "alice:$y$one:1::::::\n"
    let filling = String(repeating: "#", count: PasscodeMarks.limit + more - line.utf8.count)
    #expect(try mark(PasscodeMarks(file: file), line + filling, alice).count == count)
  }
}
