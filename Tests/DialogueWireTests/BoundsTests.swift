import PAMModel
import SecretMemory
import Testing

@testable import DialogueWire

/// Each stated bound, one below, at, and one above.
struct BoundsTests {
  private func fits(_ message: some DialogueMessage) -> Bool {
    guard let bytes = try? encoded(message) else { return false }
    return (try? decoded(bytes, as: type(of: message))) != nil
  }

  @Test(arguments: [(0, true), (1, true), (510, true), (511, true), (512, false)])
  func `an answer has at most 511 bytes`(count: Int, good: Bool) {
    #expect(fits(PromptAnswer.answer(id: 1, secret(Array(repeating: 120, count: count)))) == good)
  }

  @Test(arguments: [(0, false), (1, true), (510, true), (511, true), (512, false)])
  func `a supplied passcode has 1 to 511 bytes`(count: Int, good: Bool) {
    #expect(fits(request(.supplied(secret(Array(repeating: 120, count: count))))) == good)
  }

  @Test(arguments: [(0, false), (1, true), (2, true), (9, true), (10, true), (11, false)] as [(UInt8, Bool)])
  func `a request allows 1 to 10 tries`(tries: UInt8, good: Bool) {
    #expect(fits(request(.prompter) { $0.tries = tries }) == good)
  }

  @Test func `a supplied passcode has one try`() {
    #expect(fits(request(.supplied(secret("x"))) { $0.tries = 1 }))
    #expect(!fits(request(.supplied(secret("x"))) { $0.tries = 2 }))
  }

  @Test(arguments: [(0, false), (1, true), (255, true), (256, true), (257, false)])
  func `a user name has 1 to 256 bytes`(count: Int, good: Bool) {
    #expect(fits(request(.none) { $0.user = String(repeating: "u", count: count) }) == good)
  }

  @Test(arguments: [(0, true), (256, true), (257, false)])
  func `a terminal and a remote host have at most 256 bytes`(count: Int, good: Bool) {
    #expect(fits(request(.none) { $0.terminalName = String(repeating: "t", count: count) }) == good)
    #expect(fits(request(.none) { $0.remoteHost = String(repeating: "h", count: count) }) == good)
  }

  @Test(arguments: [
    ("", false), ("pam.d", false), ("/", true), ("/etc/../x", false), ("/etc/a..b", true), ("/a\u{0}b", false),
  ])
  func `the folder of stacks is an absolute path`(path: String, good: Bool) {
    #expect(fits(request(.none) { $0.pamDirectory = path }) == good)
  }

  @Test(arguments: [(1023, true), (1024, true), (1025, false)])
  func `the folder's path has at most 1024 bytes`(count: Int, good: Bool) {
    #expect(fits(request(.none) { $0.pamDirectory = "/" + String(repeating: "d", count: count - 1) }) == good)
  }

  @Test(arguments: [(15, false), (16, true), (17, false)])
  func `a salt has 16 bytes`(count: Int, good: Bool) {
    let order = DerivationOrder(salt: Array(repeating: 1, count: count), operations: 1, memoryBytes: 1)
    #expect(fits(HelperFollowUp.stretchAgain(order)) == good)
  }

  @Test(arguments: [(31, false), (32, true), (33, false)])
  func `a derived key has 32 bytes`(count: Int, good: Bool) {
    let key = secret(Array(repeating: 1, count: count))
    #expect(fits(HelperEvent.stretched(key)) == good)
    #expect(fits(HelperEvent.result(.proved(HelperProof(user: "a", questionCount: 1, stretched: key)))) == good)
  }

  @Test(arguments: [(0, false), (1, true), (2, false)] as [(UInt8, Bool)])
  func `a key comes with exactly one question`(questions: UInt8, good: Bool) {
    let key = secret(Array(repeating: 1, count: 32))
    #expect(fits(HelperEvent.result(.proved(HelperProof(user: "a", questionCount: questions, stretched: key)))) == good)
    #expect(fits(HelperEvent.result(.proved(HelperProof(user: "a", questionCount: questions, stretched: nil)))))
  }

  @Test(arguments: [(511, 511), (512, 512), (513, 512)])
  func `shown text is cut at 512 bytes`(count: Int, kept: Int) {
    #expect(ShownText(Array(repeating: 65, count: count)).bytes.count == kept)
  }

  @Test(arguments: [(7, true), (8, true), (9, false)])
  func `pinentry is given at most 8 variables`(count: Int, good: Bool) {
    let environment = Dictionary(uniqueKeysWithValues: (0..<count).map { ("NAME\($0)", "value") })
    #expect(fits(setup(.pinentry(PinentryPlan(program: "/p", environment: environment)))) == good)
  }

  @Test(arguments: [
    ("", "v", false), ("A=B", "v", false), ("A", String(repeating: "v", count: 512), true),
    ("A", String(repeating: "v", count: 513), false), (String(repeating: "N", count: 64), "", true),
    (String(repeating: "N", count: 65), "", false),
  ])
  func `a variable has a bounded name and value`(name: String, value: String, good: Bool) {
    #expect(fits(setup(.pinentry(PinentryPlan(program: "/p", environment: [name: value])))) == good)
  }

  @Test(arguments: [("pinentry", false), ("/usr/bin/pinentry", true)])
  func `pinentry's program is an absolute path`(program: String, good: Bool) {
    #expect(fits(setup(.pinentry(PinentryPlan(program: program, environment: [:])))) == good)
  }

  @Test func `text that is not UTF-8 is refused`() throws {
    var bytes = try encoded(request(.none))
    let place = bytes.firstRange(of: Array("alice".utf8))!.lowerBound
    bytes[place] = 0xFF
    #expect(throws: DialogueError.notText) { try decoded(bytes, as: HelperRequest.self) }
  }
}
