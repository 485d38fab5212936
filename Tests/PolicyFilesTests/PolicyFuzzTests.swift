import PolicyFiles
import TestSupport
import Testing

/// Texts that somebody or something broke: the parser answers with a policy or with a place, and does not crash.
struct PolicyFuzzTests {
  /// A policy must print and parse again equal; an error must lie inside the text.
  private func check(_ bytes: [UInt8]) {
    do throws(PolicyFileError) {
      let file = try PolicyFile.parse(bytes, file: "t.yaml")
      let again = try PolicyFile.parse(Array(PolicyPrinter.text(of: file).utf8), file: "again.yaml")
      #expect(again == file)
    } catch {
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      #expect(!error.faults.isEmpty && error.faults[0].file == "t.yaml", "\(error)")
      for fault in error.faults {
        #expect((1...lines.count).contains(fault.line) && fault.column >= 1 && !fault.message.isEmpty, "\(fault)")
        if lines.indices.contains(fault.line - 1) {
          #expect(fault.column <= lines[fault.line - 1].count + 1, "\(fault)")
        }
      }
    }
  }

  @Test func `every truncation of every shipped policy is answered`() throws {
    for (_, bytes) in try shippedPolicies() {
      for count in 0...bytes.count { check(Array(bytes.prefix(count))) }
    }
  }

  @Test(arguments: 1...4) func `flipped bytes are answered`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &* 0xE703_7ED1_A0B4_28DB)
    let policies = try shippedPolicies()
    for round in 0..<500 {
      var bytes = policies[round % policies.count].bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[.random(in: bytes.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      }
      check(bytes)
    }
  }

  @Test(arguments: 1...4) func `swapped in signs of YAML are answered`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &* 0x8EBC_6AF0_9C88_C6E3)
    let signs = Array("{}[],:-?&*!|>'\"%@`# \n\t0~<=.".utf8)
    let policies = try shippedPolicies()
    for round in 0..<500 {
      var bytes = policies[round % policies.count].bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[.random(in: bytes.indices, using: &random)] = signs.randomElement(using: &random)!
      }
      check(bytes)
    }
  }

  @Test(arguments: 1...2) func `random bytes are answered`(seed: UInt64) {
    var random = SeededGenerator(seed: seed &* 0x5895_89C3_3C8D_4F21)
    for _ in 0..<500 {
      check((0..<Int.random(in: 0...80, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }
}
