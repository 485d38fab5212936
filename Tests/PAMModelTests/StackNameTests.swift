import PAMModel
import Testing

/// The names and numbers of PAM.
struct StackNameTests {
  @Test(arguments: ["latchkey-passcode", "a", "0", "x.y_z-1", String(repeating: "a", count: 64)])
  func `a plain lower-case file name is a stack's name`(text: String) {
    #expect(StackName(text)?.text == text)
  }

  @Test(arguments: [
    "", "Login", "../login", "a/b", ".hidden", "-x", "a b", "a\u{0}", "ä", String(repeating: "a", count: 65),
  ])
  func `anything else is not`(text: String) {
    #expect(StackName(text) == nil)
  }

  @Test func `the shipped names are names`() {
    #expect(StackName(StackName.passcode.text) == .passcode)
    #expect(StackName(StackName.biometry.text) == .biometry)
  }

  @Test func `every PAM number is its place in the list`() {
    #expect(PAMResult.defined.count == 32)
    for code in Int32(0)...31 { #expect(PAMResult(code: code).code == code) }
    for code: Int32 in [-1, 32, .max, .min] { #expect(PAMResult(code: code) == .unknown(code)) }
    #expect(PAMResult.unknown(77).code == 77)
  }
}
