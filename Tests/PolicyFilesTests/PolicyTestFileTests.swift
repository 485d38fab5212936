import AccessPolicy
import KeychainModel

import Testing

@testable import PolicyFiles

struct PolicyTestFileTests {
  private func faults(of text: String) -> [String] {
    do throws(PolicyFileError) {
      _ = try PolicyTestFile.parse(Array(text.utf8), file: "t.test.yaml")
      return []
    } catch {
      return error.faults.map { "\($0.line):\($0.column) \($0.message)" }
    }
  }

  @Test func `a row is read whole`() throws {
    let text = """
      system: [a.yaml]
      rows:
        - name: all of it
          given:
            service: a
            flags: [biometryCurrentSet, devicePasscode, or]
            accessibility: whenPasscodeSetThisDeviceOnly
            keybag: locked
            operation: encrypt
            item: new
            origin: unknown
            caller: /usr/bin/a
            unlock: allowed
            enrolment: changed
            evidence: [{method: biometry, since: 2m, from: session}, {method: passcode}]
          expect: {authenticate: [biometry, biometry+passcode]}
      """
    let test = try PolicyTestFile.parse(Array(text.utf8), file: "t.test.yaml")
    #expect(test.layers == [.system: ["a.yaml"]])
    let row = try #require(test.rows.first)
    #expect(row.name == "all of it" && row.mark.line == 3)
    #expect(row.given.service == "a")
    #expect(row.given.accessControl.flags == [.biometryCurrentSet, .devicePasscode, .or])
    #expect(row.given.accessControl.accessibility == .whenPasscodeSetThisDeviceOnly)
    #expect(row.given.keybag == .locked && row.given.operation == .encrypt && row.given.presence == .new)
    #expect(row.given.origin == .unknown && row.given.caller == "/usr/bin/a" && row.given.mayUnlock)
    #expect(row.given.enrolment == .changed)
    #expect(
      row.given.evidence == [
        PolicyTestEvidence(method: .biometry, seconds: 120, from: .session),
        PolicyTestEvidence(method: .passcode, seconds: 0, from: .process),
      ])
    #expect(row.expect == .authenticate([.biometry, .all]))
  }

  @Test(arguments: Reason.allCases) func `every reason can be expected`(reason: Reason) throws {
    let text = "rows: [{given: {service: a}, expect: {deny: \(reason.rawValue)}}]"
    let test = try PolicyTestFile.parse(Array(text.utf8), file: "t")
    #expect(test.rows.map(\.expect) == [.deny(reason)])
    #expect(test.rows[0].expect.text == "{deny: \(reason.rawValue)}")
  }

  @Test(arguments: [
    ("{}", "1:1 a test is empty"), ("system: [a.yaml]", "1:1 the key 'rows' is missing."),
    ("rows: []", "1:7 'rows' is empty, so that nothing would be tested."),
    ("rows: [{given: {service: a}}]", "1:8 a row has both 'given' and 'expect'."),
    ("rows: [{given: {flags: []}, expect: allow}]", "1:16 'given' names no 'service'."),
    (
      "rows: [{given: {service: a}, expect: alow}]",
      "1:38 'expect' is 'alow'; it is one of allow. Did you mean 'allow'?"
    ),
    ("rows: [{given: {service: a}, expect: {deny: remoteDeny}}]", "1:45 'deny' is 'remoteDeny'; it is one of"),
    ("rows: [{given: {service: a}, expect: {authenticate: []}}]", "1:53 'authenticate' names no method."),
    (
      "rows: [{given: {service: a}, expect: {authenticate: [passcode], deny: noMatch}}]",
      "1:38 'expect' is one decision"
    ),
    ("rows: [{given: {service: a, flags: [or, and]}, expect: allow}]", "1:36 'flags' cannot be so: or and and cannot"),
    ("rows: [{given: {service: a, keybag: open}, expect: allow}]", "1:37 'keybag' is 'open'; it is one of"),
    ("rows: [{given: {service: a, evidence: [{since: 1m}]}, expect: allow}]", "1:40 a proof has no 'method'."),
    (
      "rows: [{given: {service: a, evidence: [{method: passcode, since: 0}]}, expect: allow}]",
      "1:66 'since' is '0', which cannot be never"
    ),
    ("system: [../a.yaml]\nrows: [{given: {service: a}, expect: allow}]", "1:10 '../a.yaml' is a path"),
  ])
  func `a test that says nothing, or nonsense, is refused at its place`(text: String, expected: String) {
    let found = faults(of: text)
    #expect(found.first?.hasPrefix(expected) == true, "\(found)")
  }

  @Test func `a test has at most a thousand rows`() {
    func text(_ count: Int) -> String {
      "rows:\n" + String(repeating: "- {given: {service: a}, expect: allow}\n", count: count)
    }
    #expect(faults(of: text(999)) == [])
    #expect(faults(of: text(1000)) == [])
    #expect(faults(of: text(1001)) == ["2:1 'rows' has 1001 entries; at most 1000 are allowed."])
  }
}
