import AccessPolicy
import KeychainModel
import PolicyFiles
import TestSupport
import Testing

/// Makes files that a text can state.
struct PolicyFileGenerator {
  var random: SeededGenerator
  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func file() -> PolicyFile {
    let stated = Set(PolicyKey.allCases.filter { _ in Bool.random(using: &random) })
    return PolicyFile(pattern: pattern(), policy: policy(stated), stated: stated)
  }

  private mutating func policy(_ stated: Set<PolicyKey>) -> ServicePolicy {
    var policy = ServicePolicy.builtIn
    if stated.contains(.require) { policy.require = flags() }
    if stated.contains(.methods) { policy.methods = MethodSet(rawValue: .random(in: 1...3, using: &random)) }
    if stated.contains(.tries) { policy.tries = .random(in: 1...10, using: &random) }
    if stated.contains(.deadline) { policy.deadlineSeconds = .random(in: 5...600, using: &random) }
    if stated.contains(.remote) { policy.remote = RemoteRule.allCases.randomElement(using: &random)! }
    if stated.contains(.window) { policy.reuse.windowSeconds = .random(in: 1...86_400, using: &random) }
    if stated.contains(.scope) {
      let scopes = ReuseScope.allCases.dropFirst(stated.contains(.window) ? 1 : 0)
      policy.reuse.scope = scopes.randomElement(using: &random)!
    }
    if stated.contains(.timeout) { policy.cacheTimeoutSeconds = .random(in: 0...86_400, using: &random) }
    if stated.contains(.dropOn) { policy.dropOn = DropTriggers(rawValue: .random(in: 0...7, using: &random)) }
    if stated.contains(.callers) { policy.callers = callers() }
    return policy
  }

  private mutating func flags() -> AccessControlFlags {
    let choices: [AccessControlFlags] = [
      [], .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, [.biometryAny, .devicePasscode],
      [.biometryAny, .devicePasscode, .or], [.biometryCurrentSet, .devicePasscode, .and],
    ]
    return choices.randomElement(using: &random)!
  }

  private mutating func pattern() -> ServicePattern {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return .any
    case 1: return .prefix(ExactText(text() + "."))
    default: return .exact(ExactText(text()))
    }
  }

  private mutating func callers() -> [CallerRule] {
    (0..<Int.random(in: 1...4, using: &random)).map { index in
      let groups = (0..<Int.random(in: 0...3, using: &random)).map { ExactText("\($0)" + text()) }
      return CallerRule(executable: "/\(index)" + text(), groups: groups)
    }
  }

  private mutating func text() -> String {
    let hard: [Character] = [
      "a", "Z", "0", "9", " ", "'", "\"", "\\", "#", ":", "-", ",", "[", "]", "{", "}", "&", "!", "|", ">", "%", "@",
      "`",
      "?", "\u{E9}", "e\u{301}", "\u{2028}", "\u{202E}", "\u{FEFF}", "\u{A0}", "\u{1F511}", "\u{FFFD}", "~", "=", ".",
      "+",
    ]
    if Int.random(in: 0..<4, using: &random) == 0 {
      return ["no", "on", "12", "1:30", "null", "~", "0x1", "<<", "1e3", "2001-01-01", "- a", "a: b", "a #b"]
        .randomElement(
          using: &random)!
    }
    return String((0..<Int.random(in: 1...12, using: &random)).map { _ in hard.randomElement(using: &random)! })
  }
}

struct PolicyPrinterTests {
  @Test(arguments: 1...8) func `what is printed parses to an equal file`(seed: UInt64) throws {
    var generator = PolicyFileGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15)
    for _ in 0..<400 {
      let file = generator.file()
      let text = PolicyPrinter.text(of: file)
      let again = try parsed(text)
      #expect(again == file, "\(text)")
      #expect(PolicyPrinter.text(of: again) == text)
    }
  }

  @Test func `the canonical form is one line for each key`() throws {
    let file = try parsed(
      "cache: {dropOn: [logout, lock], timeout: 600s}\nservice: \"com.example.mail\"\nreuse:\n  scope: terminal\n"
        + "methods:\n- passcode\n- biometry\ncallers:\n- executable: /usr/bin/a b\n")
    #expect(
      PolicyPrinter.text(of: file) == """
        service: com.example.mail
        methods: [biometry, passcode]
        reuse: {scope: terminal}
        cache: {timeout: 10m, dropOn: [lock, logout]}
        callers:
          - {executable: "/usr/bin/a b", groups: []}

        """)
  }

  @Test func `an effective policy is printed whole`() {
    #expect(
      PolicyPrinter.text(of: .builtIn, for: "com.example.mail") == """
        service: "com.example.mail"
        require: []
        methods: [biometry, passcode]
        tries: 3
        deadline: 1m
        remote: passcode
        reuse: {window: 5m, scope: context}
        cache: {timeout: 10m, dropOn: [lock, suspend, logout]}

        """)
  }
}
