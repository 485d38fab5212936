import AccessPolicy
import KeychainModel
import PolicyFiles
import Testing

func parsed(_ text: String, file: String = "t.yaml") throws(PolicyFileError) -> PolicyFile {
  try PolicyFile.parse(Array(text.utf8), file: file)
}

/// The faults of a text, as `LINE:COLUMN MESSAGE`; empty where it is a policy.
func faults(of text: String) -> [String] { faults(of: Array(text.utf8)) }

func faults(of bytes: [UInt8]) -> [String] {
  do throws(PolicyFileError) {
    _ = try PolicyFile.parse(bytes, file: "t.yaml")
    return []
  } catch {
    return error.faults.map { "\($0.line):\($0.column) \($0.message)" }
  }
}

struct PolicyFileTests {
  @Test func `every key of the format is read`() throws {
    let file = try parsed(
      """
      service: com.example.mail
      require: [biometryAny, devicePasscode]
      join: or
      methods: [passcode]
      tries: 5
      deadline: 2m
      remote: deny
      reuse: {window: 1h, scope: terminal}
      cache:
        timeout: never
        dropOn:
          - lock
          - logout
      callers:
        - {executable: /usr/bin/mail, groups: [com.example.shared, "no"]}
        - executable: "/usr/bin/my mail"
      """)
    #expect(file.pattern == .exact("com.example.mail"))
    let expected = ServicePolicy(
      require: [.biometryAny, .devicePasscode, .or], methods: .passcode, tries: 5, deadlineSeconds: 120, remote: .deny,
      reuse: Reuse(windowSeconds: 3600, scope: .terminal), cacheTimeoutSeconds: 0, dropOn: [.lock, .logout],
      callers: [
        CallerRule(executable: "/usr/bin/mail", groups: ["com.example.shared", "no"]),
        CallerRule(executable: "/usr/bin/my mail", groups: []),
      ])
    #expect(file.policy == expected)
    #expect(file.stated == Set(PolicyKey.allCases))
    #expect(file.locations.keys[.tries]?.line == 5)
    #expect(file.locations.keys[.tries]?.column == 8)
  }

  @Test func `a key that is left out is not stated and holds the built-in value`() throws {
    let file = try parsed("service: a\nreuse: {window: 1m}\n")
    #expect(file.stated == [.window])
    var expected = ServicePolicy.builtIn
    expected.reuse.windowSeconds = 60
    #expect(file.policy == expected)
  }

  @Test(arguments: [
    ("com.example.mail", ServicePattern.exact("com.example.mail")), ("com.example.*", .prefix("com.example.")),
    ("\"*\"", .any), ("\"no\"", .exact("no")), ("'12'", .exact("12")),
    ("Caf\u{E9} of mine", .exact("Caf\u{E9} of mine")),
  ])
  func `a service is exact, a prefix or every service`(written: String, pattern: ServicePattern) throws {
    #expect(try parsed("service: \(written)").pattern == pattern)
  }

  @Test func `a service has at most 255 bytes`() {
    #expect(faults(of: "service: " + String(repeating: "a", count: 254)) == [])
    #expect(faults(of: "service: " + String(repeating: "a", count: 255)) == [])
    #expect(
      faults(of: "service: " + String(repeating: "a", count: 256)) == ["1:10 the service is longer than 255 bytes."])
  }

  @Test(arguments: [
    ("tries", "1", true), ("tries", "2", true), ("tries", "9", true), ("tries", "10", true), ("tries", "11", false),
    ("tries", "0", false), ("deadline", "4s", false), ("deadline", "5s", true), ("deadline", "6s", true),
    ("deadline", "599s", true), ("deadline", "600s", true), ("deadline", "10m", true), ("deadline", "601s", false),
    ("deadline", "11m", false), ("deadline", "1h", false), ("deadline", "never", false), ("deadline", "0", false),
    ("reuse", "{window: 86399s}", true), ("reuse", "{window: 86400s}", true), ("reuse", "{window: 86401s}", false),
    ("reuse", "{window: 24h}", true), ("reuse", "{window: 25h}", false), ("reuse", "{window: 1s}", true),
    ("reuse", "{window: never}", true), ("reuse", "{window: 0}", true), ("reuse", "{window: 0s}", false),
    ("cache", "{timeout: 1440m}", true), ("cache", "{timeout: 1441m}", false), ("cache", "{timeout: never}", true),
  ])
  func `a value is taken up to its bound and refused beyond it`(key: String, value: String, isTaken: Bool) {
    let found = faults(of: "service: a\n\(key): \(value)\n")
    #expect(found.isEmpty == isTaken, "\(found)")
    #expect(found.allSatisfy { $0.hasPrefix("2:") })
  }

  @Test func `lists of callers and groups are taken up to their bounds`() {
    func callers(_ count: Int) -> String {
      "service: a\ncallers:\n" + (0..<count).map { "  - {executable: /usr/bin/p\($0)}\n" }.joined()
    }
    func groups(_ count: Int) -> String {
      let names = (0..<count).map { "g\($0)" }.joined(separator: ", ")
      return "service: a\ncallers: [{executable: /usr/bin/a, groups: [\(names)]}]\n"
    }
    #expect([255, 256].map { faults(of: callers($0)) } == [[], []])
    #expect(faults(of: callers(257)) == ["3:3 'callers' has 257 entries; at most 256 are allowed."])
    #expect([63, 64].map { faults(of: groups($0)) } == [[], []])
    #expect(faults(of: groups(65)) == ["2:44 'groups' has 65 entries; at most 64 are allowed."])
  }

  @Test func `every fault of a file is told, in the order of their places`() {
    let text = """
      service: com.example.mail
      require: [userPresence, finger]
      trys: 3
      deadline: 1:30
      remote: no
      reuse: {window: -5m, scope: tty}
      cache: {dropon: [lock]}
      callers: [{executable: mail}]
      """
    #expect(
      faults(of: text) == [
        "2:25 an entry of 'require' is 'finger'; it is one of userPresence, biometryAny, biometryCurrentSet, "
          + "devicePasscode.",
        "3:1 'trys' is no key of a policy. Did you mean 'tries'?",
        "4:11 'deadline' is '1:30', which is written with a colon, which some YAML readers take for base 60; "
          + "write 30s, 5m or 1h, from 5s to 10m.",
        "5:9 'remote' is 'no'; it is one of deny, passcode, any.",
        "6:17 'window' is '-5m', which is negative; write 30s, 5m or 1h, up to 24h, or never.",
        "6:29 'scope' is 'tty'; it is one of never, context, process, terminal, session.",
        "7:9 'dropon' is no key of 'cache'. Did you mean 'dropOn'?",
        "8:24 'executable' is 'mail'; it must be a whole path that begins with /.",
      ])
  }

  @Test func `at most a hundred faults are told`() {
    let text = "service: a\n" + (0..<150).map { "k\($0): 1\n" }.joined()
    #expect(faults(of: text).count == PolicyFileError.most)
  }

  @Test func `a refused file still names its service where it can be read`() {
    #expect(throws: PolicyFileError.self) { try parsed("service: com.example.*\ntries: 0\n") }
    for text in ["service: com.example.*\ntries: 0\n", "service: com.example.*\ntries: {\n"] {
      do throws(PolicyFileError) { _ = try parsed(text) } catch { #expect(error.pattern == .prefix("com.example.")) }
    }
  }
}
