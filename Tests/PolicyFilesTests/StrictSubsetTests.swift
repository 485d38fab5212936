import PolicyFiles
import Testing

/// What YAML allows and a policy does not.
struct StrictSubsetTests {
  @Test(arguments: [
    ("", "1:1 the file holds nothing."),
    ("# only a comment\n", "1:1 the file holds nothing."),
    ("- a\n", "1:1 a policy is a list; it must be a mapping"),
    ("just text", "1:1 a policy is a single value; it must be a mapping"),
    ("tries: 3", "1:1 the key 'service' is missing"),
    ("service: a\nservice: b\n", "2:1 the key stands here a second time; the first is in line 1."),
    ("service: a\nreuse: {window: 1m, \"window\": 2m}\n", "2:21 the key stands here a second time"),
    ("service: &x a\n", "1:10 anchors (&name) are not allowed."),
    ("service: a\nmethods: &m [passcode]\n", "2:10 anchors (&name) are not allowed."),
    ("service: a\nreuse: &r {window: 1m}\n", "2:8 anchors (&name) are not allowed."),
    ("service: *x\n", "1:10 aliases (*name) are not allowed"),
    ("service: *\n", "1:11 not YAML"),
    ("service: !!str a\n", "1:10 tags (!name) are not allowed"),
    ("service: ! a\n", "1:10 tags (!name) are not allowed"),
    ("service: a\nmethods: !x [passcode]\n", "2:10 tags (!name) are not allowed"),
    ("service: a\nreuse: !!map {window: 1m}\n", "2:8 tags (!name) are not allowed"),
    ("%YAML 1.1\n---\nservice: a\n", "1:1 directives (%YAML, %TAG) are not allowed."),
    ("%TAG ! x\n---\nservice: a\n", "1:1 directives (%YAML, %TAG) are not allowed."),
    ("service: a\n---\nservice: b\n", "2:1 a second document begins here; a file holds one."),
    ("service: a\n...\nservice: b\n", "3:1 "),
    ("service: a\n<<: {tries: 3}\n", "2:1 '<<' is no key of a policy."),
    ("? [a]\n: b\nservice: a\n", "1:3 a key is a word, not a list."),
    ("service: |\n  a\n", "1:10 'service' goes over several lines"),
    ("service: >\n  a\n", "1:10 'service' goes over several lines"),
    ("service: a\n  b\n", "1:10 'service' goes over several lines"),
    ("service: \"a\n  b\"\n", "1:10 'service' goes over several lines"),
    ("service:\ntries: 3\n", "1:9 'service' is empty; write a value or leave the key out."),
    ("service: a\nmethods:\n", "2:9 'methods' is empty; write a value or leave the key out."),
    ("service: a\nmethods: passcode\n", "2:10 'methods' is a single value; it must be a list"),
    ("service: a\nmethods: []\n", "2:10 'methods' is empty, so that no item could ever be opened"),
    ("service: a\nmethods: [passcode, passcode]\n", "2:21 'passcode' stands twice in 'methods'."),
    ("service: a\nreuse: {}\n", "2:8 'reuse' is empty; leave it out."),
    ("service: a\ncache: {}\n", "2:8 'cache' is empty; leave it out."),
    ("service: a\ncallers: []\n", "2:10 'callers' names no program"),
    ("service: a\ncallers: [{groups: [b]}]\n", "2:11 an entry of 'callers' has no 'executable'."),
    ("service: a\ncallers: [{executable: /a/../b}]\n", "2:24 'executable' is '/a/../b'; write the path without"),
    ("service: a\ncallers: [{executable: /a//b}]\n", "2:24 'executable' is '/a//b'; write the path without"),
    ("service: a\ncallers: [{executable: /a/}]\n", "2:24 'executable' is '/a/'; write the path without"),
    ("service: a\ncallers: [{executable: /a}, {executable: /a}]\n", "2:42 '/a' stands twice under 'callers'"),
    ("service: a\ncallers: [{executable: /a, groups: [b, b]}]\n", "2:40 'b' stands twice in 'groups'."),
    ("service: a\ncallers: [{executable: \"/a\\u0007\"}]\n", "2:24 'executable' holds a control character."),
    ("service: a\nrequire: [userPresence, devicePasscode]\n", "2:10 'require' cannot be so: userPresence stands alone"),
    ("service: a\nrequire: [companion]\n", "2:11 an entry of 'require' is 'companion'; it is one of"),
    ("service: a\nrequire: [userPresence]\njoin: or\n", "3:7 'join' wants two or more proofs under 'require'."),
    ("service: a\njoin: or\n", "2:1 'join' stands without 'require'."),
    ("service: a\nreuse: {window: never, scope: terminal}\n", "2:8 'window' and 'scope' contradict each other"),
    ("service: a\nreuse: {window: 5m, scope: never}\n", "2:8 'window' and 'scope' contradict each other"),
    ("service: a\n\ttries: 3\n", "2:1 not YAML"),
    ("service: [a\n", "2:1 not YAML"), ("service: [a", "1:12 not YAML"),
    ("service: a\u{2028}b", "1:11 a line break that editors do not show (U+2028) stands here."),
    ("# x\u{85}service: a", "1:4 a line break that editors do not show (U+0085) stands here."),
    ("service: a # \u{202E}x", "1:14 a character that reorders the line (U+202E) stands here."),
    ("\u{FEFF}service: a", "1:1 a byte order mark stands here"),
    ("service: a\rtries: 3", "1:11 a carriage return stands without a line feed"),
    ("service: a\0", "1:11 a control character (U+0000) stands here."),
  ])
  func `what the subset does not have is refused at its place`(text: String, expected: String) {
    let found = faults(of: text)
    #expect(found.first?.hasPrefix(expected) == true, "\(found)")
  }

  @Test(arguments: [
    ("service: no", "1:10"), ("service: on", "1:10"), ("service: y", "1:10"), ("service: 12", "1:10"),
    ("service: 1:30", "1:10"), ("service: 0o17", "1:10"), ("service: 2001-12-14", "1:10"), ("service: ~", "1:10"),
    ("service: null", "1:10"), ("service: 1e3", "1:10"), ("service: .inf", "1:10"), ("service: +1", "1:10"),
    ("service: a\ntries: 010", "2:8"), ("service: a\ntries: 0x3", "2:8"), ("service: a\ntries: 0o3", "2:8"),
    ("service: a\ntries: +3", "2:8"), ("service: a\ntries: -3", "2:8"), ("service: a\ntries: 3.0", "2:8"),
    ("service: a\ntries: 1:00", "2:8"), ("service: a\ntries: 1_0", "2:8"), ("service: a\ntries: \"3\"", "2:8"),
    ("service: a\ntries: 99999999999999999999", "2:8"), ("service: a\ntries: yes", "2:8"),
    ("service: a\ndeadline: 60", "2:11"), ("service: a\ndeadline: 1m30s", "2:11"),
    ("service: a\ndeadline: 060s", "2:11"),
    ("service: a\ndeadline: 1d", "2:11"), ("service: a\ndeadline: 60 s", "2:11"),
    ("service: a\ndeadline: 1.5m", "2:11"),
    ("service: a\ndeadline: 99999999999h", "2:11"), ("service: a\ndeadline: 4294967296s", "2:11"),
    ("service: a\nremote: off", "2:9"), ("service: a\nremote: Deny", "2:9"),
  ])
  func `what YAML 1.1 and 1.2 read differently, and odd numbers, are refused`(text: String, place: String) {
    let found = faults(of: text)
    #expect(found.count == 1 && found[0].hasPrefix(place + " "), "\(found)")
  }

  @Test func `bytes that are not UTF-8 are refused at their place`() {
    #expect(faults(of: Array("service: a\n# b".utf8) + [0xFF]) == ["2:4 the bytes here are not UTF-8."])
    #expect(faults(of: Array("service: ".utf8) + [0xC3]) == ["1:10 the bytes here are not UTF-8."])
    let wide: [UInt8] = "service: a".utf8.flatMap { [$0, 0] as [UInt8] }
    #expect(faults(of: [0xFF, 0xFE] as [UInt8] + wide) == ["1:1 the bytes here are not UTF-8."])
  }

  @Test func `a text has at most 48 KiB`() {
    func text(_ count: Int) -> [UInt8] {
      let head = Array("service: a\n#".utf8)
      return head + [UInt8](repeating: UInt8(ascii: "x"), count: count - head.count)
    }
    #expect(faults(of: text(49_151)) == [])
    #expect(faults(of: text(49_152)) == [])
    #expect(faults(of: text(49_153)) == ["1:1 the file has 49153 bytes; a policy has at most 49152."])
  }

  @Test func `containers are nested at most eight deep`() {
    func text(_ depth: Int) -> String {
      "x: " + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
    }
    #expect(faults(of: text(7)).contains { $0.contains("nested") } == false)
    #expect(faults(of: text(8)).contains { $0.contains("nested") } == false)
    #expect(faults(of: text(9)).first == "1:11 this is nested deeper than 8 levels.")
  }

  @Test func `the deepest text that fits is refused at once`() {
    #expect(faults(of: String(repeating: "[", count: 49_152)).first == "1:9 this is nested deeper than 8 levels.")
    #expect(faults(of: String(repeating: "{", count: 49_152)).count >= 1)
    #expect(faults(of: String(repeating: "- ", count: 24_576)).count >= 1)
  }
}
