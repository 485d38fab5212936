import AccessPolicy
import KeychainModel
import PolicyFiles
import TestSupport
import Testing

/// A folder in memory.
struct TextSource: PolicySource {
  var texts: [String: String] = [:]
  var refused: [String: String] = [:]
  var failure: PolicySourceError?

  func entries() throws(PolicySourceError) -> [PolicySourceEntry] {
    if let failure { throw failure }
    return texts.map { PolicySourceEntry(name: $0.key, content: .text(Array($0.value.utf8))) }
      + refused.map { PolicySourceEntry(name: $0.key, content: .refused($0.value)) }
  }
}

func folder(_ origin: PolicyOrigin, _ texts: [String: String]) -> PolicyFolder {
  PolicyFolder(origin: origin, reading: TextSource(texts: texts))
}

struct PolicyFolderTests {
  private let layer = folder(
    .system,
    [
      "default.yaml": "service: \"*\"\ntries: 1", "com.any.yaml": "service: com.*\ntries: 2",
      "com.example.any.yaml": "service: com.example.*\ntries: 3",
      "com.example.mail.yaml": "service: com.example.mail\ntries: 4",
      "com.example.any.test.yaml": "rows: nonsense", "policy.schema.json": "{", "README.md": "x",
      ".hidden.yaml": "x", "com.example.mail.yaml~": "x",
    ])

  @Test(arguments: [
    ("com.example.mail", 4), ("com.example.mailbox", 3), ("com.example.mail.box", 3), ("com.example.", 2),
    ("com.example", 2), ("com.other", 2), ("com.", 1), ("com", 1), ("", 1), ("COM.EXAMPLE.MAIL", 1), ("org", 1),
  ])
  func `the exact file is best, then the longest prefix, then the one for all`(service: String, tries: UInt8) {
    guard case .file(let file) = layer.match(ExactText(service)) else {
      Issue.record("no file for \(service)")
      return
    }
    #expect(file.policy.tries == tries)
    #expect(layer.faults.isEmpty)
  }

  @Test func `a layer without a match is silent`() {
    #expect(folder(.user, ["a.yaml": "service: a"]).match("b") == .silent)
    #expect(PolicyFolder(origin: .user).match("b") == .silent)
  }

  @Test func `a broken file fails its own service closed and no other`() {
    let layer = folder(
      .system,
      [
        "com.example.mail.yaml": "service: com.example.mail\ntries: 0", "com.example.any.yaml": "service: [",
        "com.example.web.yaml": "service: com.example.web\ntries: 9", "default.yaml": "service: \"*\"\ntries: 1",
      ])
    #expect(isBroken(layer, "com.example.mail"))
    #expect(isBroken(layer, "com.example.else"))
    #expect(!isBroken(layer, "com.example.web"))
    #expect(!isBroken(layer, "org.else"))
    #expect(layer.faults.map(\.file) == ["com.example.any.yaml", "com.example.mail.yaml"])
    #expect(layer.faults.map(\.line) == [1, 2])
    #expect(layer.files.map(\.pattern.text) == ["*", "com.example.web"])
  }

  @Test func `a broken file for every service fails closed what nothing better speaks of`() {
    let layer = folder(.system, ["default.yaml": "tries: x", "a.yaml": "service: a"])
    #expect(isBroken(layer, "b"))
    #expect(!isBroken(layer, "a"))
  }

  @Test func `a file that its owner or mode makes unfit fails its service closed`() {
    let source = TextSource(texts: [:], refused: ["com.example.mail.yaml": "the file is writable by others."])
    let layer = PolicyFolder(origin: .system, reading: source)
    #expect(isBroken(layer, "com.example.mail"))
    #expect(layer.match("com.example.web") == .silent)
    #expect(layer.faults.map(\.message) == ["the file is writable by others."])
  }

  @Test func `a folder that cannot be listed fails every service closed`() {
    let error = PolicySourceError(folder: "/etc/x", message: "the folder cannot be read.")
    let layer = PolicyFolder(origin: .system, reading: TextSource(failure: error))
    #expect(isBroken(layer, "anything"))
    #expect(layer.faults.map(\.description) == ["/etc/x:1:1: the folder cannot be read."])
  }

  @Test func `a second, misnamed file for a service breaks the tie by refusing`() {
    let layer = folder(
      .system,
      [
        "com.example.mail.yaml": "service: com.example.mail\ntries: 3",
        "com.example.mail copy.yaml": "service: com.example.mail\ntries: 9", "b.yaml": "service: b",
      ])
    #expect(isBroken(layer, "com.example.mail"))
    #expect(isBroken(layer, "com.example.mail copy"))
    #expect(!isBroken(layer, "b"))
    #expect(
      layer.faults.map(\.description) == [
        "com.example.mail copy.yaml:1:10: the file of 'com.example.mail' is called 'com.example.mail.yaml', not "
          + "'com.example.mail copy.yaml'."
      ])
  }

  @Test(arguments: ["com.example.mail.yml", "com.example.mail.YAML", "com.example.mail.Yml"])
  func `a file that is nearly named like a policy is not passed over`(name: String) {
    let layer = folder(.system, [name: "service: com.example.mail"])
    #expect(isBroken(layer, "com.example.mail"))
    #expect(layer.faults.count == 1)
  }

  @Test(arguments: [
    ("com.example.mail", "com.example.mail.yaml"), ("com.example.*", "com.example.any.yaml"), ("*", "default.yaml"),
    ("default", "defaul%74.yaml"), ("com.any", "com.an%79.yaml"), ("com.test", "com.tes%74.yaml"),
    ("com.test.*", "com.test.any.yaml"), ("a/b%c", "a%2Fb%25c.yaml"), (".hidden", "%2Ehidden.yaml"),
    ("my mail", "my mail.yaml"), ("caf\u{E9}", "caf\u{E9}.yaml"), ("..", "%2E..yaml"),
  ])
  func `each pattern has one file name, and the name tells the pattern`(pattern: String, name: String) throws {
    let pattern = try ServicePattern(pattern)
    #expect(PolicyFileName.name(for: pattern) == name)
    #expect(PolicyFileName.pattern(of: name) == pattern)
  }

  @Test func `looking up finds what trying every pattern finds`() throws {
    var random = SeededGenerator(seed: 0x2545_F491_4F6C_DD1D)
    func name() -> String {
      (0..<Int.random(in: 1...4, using: &random)).map { _ in ["a", "b", "ab"].randomElement(using: &random)! }
        .joined(separator: ".")
    }
    for _ in 0..<100 {
      let texts = Set((0..<8).map { _ in name() + (Bool.random(using: &random) ? ".*" : "") })
      let patterns = try texts.map { try ServicePattern($0) }
      let files = patterns.map { (PolicyFileName.name(for: $0), "service: \($0.text)") }
      let layer = folder(.system, Dictionary(uniqueKeysWithValues: files))
      for service in (0..<20).map({ _ in ExactText([name(), name() + "."].randomElement(using: &random)!) }) {
        let matching = patterns.filter { $0.matches(service) }
        let best = matching.first { $0 == .exact(service) } ?? matching.max { $0.text.utf8.count < $1.text.utf8.count }
        if case .file(let file) = layer.match(service) {
          #expect(file.pattern == best)
        } else {
          #expect(best == nil)
        }
      }
    }
  }

  private func isBroken(_ layer: PolicyFolder, _ service: ExactText) -> Bool {
    if case .broken(let faults) = layer.match(service) { return !faults.isEmpty }
    return false
  }
}

struct ServicePatternTests {
  @Test(arguments: [
    ("a.*", "a.b", true), ("a.*", "a.b.c", true), ("a.*", "a.", false), ("a.*", "a", false), ("a.*", "ab", false),
    ("a.*", "b.a.c", false), ("a", "a", true), ("a", "A", false), ("a", "a.", false), ("*", "", true), ("*", "x", true),
    ("caf\u{E9}", "cafe\u{301}", false),
  ])
  func `a pattern matches byte by byte, and a prefix only what goes on`(
    pattern: String, service: String, matches: Bool
  ) throws {
    #expect(try ServicePattern(pattern).matches(ExactText(service)) == matches)
  }

  @Test(arguments: [
    ("", ServicePatternError.empty), ("a*", .star), ("**", .star), (".*", .star), ("*.a", .star), ("a.*.b", .star),
    ("a\nb", .control), ("a\u{9F}", .control), (String(repeating: "a", count: 256), .tooLong),
  ])
  func `a text that names no services is refused with its reason`(text: String, error: ServicePatternError) {
    #expect(throws: error) { try ServicePattern(text) }
    #expect(!error.explanation.isEmpty)
  }
}

struct PolicyLayersTests {
  private func effective(
    system: String? = nil, user: String? = nil, shipped: String? = nil
  ) throws -> EffectivePolicy {
    func layer(_ origin: PolicyOrigin, _ text: String?) -> PolicyFolder {
      folder(origin, text.map { ["a.yaml": "service: a\n" + $0] } ?? [:])
    }
    let layers = PolicyLayers(
      system: layer(.system, system), user: layer(.user, user), shipped: layer(.shipped, shipped))
    return try layers.effective(for: "a")
  }

  @Test func `without any file the built-in policy holds`() throws {
    let found = try effective()
    #expect(found.policy == ServicePolicy.builtIn.canonical)
    #expect(found.voices.isEmpty)
  }

  @Test func `where both layers state a key the stricter value holds`() throws {
    let found = try effective(
      system: """
        require: [userPresence]
        methods: [passcode, biometry]
        tries: 5
        deadline: 30s
        remote: any
        reuse: {window: 1h, scope: terminal}
        cache: {timeout: 5m, dropOn: [lock]}
        """,
      user: """
        require: [devicePasscode]
        methods: [passcode]
        tries: 8
        deadline: 20s
        remote: deny
        reuse: {window: 2h, scope: process}
        cache: {timeout: 1m, dropOn: [suspend]}
        """)
    #expect(found.policy.floors == [.devicePasscode])
    #expect(found.policy.methods == .passcode)
    #expect(found.policy.tries == 5)
    #expect(found.policy.deadlineSeconds == 20)
    #expect(found.policy.remote == .deny)
    #expect(found.policy.reuse == Reuse(windowSeconds: 3600, scope: .process))
    #expect(found.policy.cacheTimeoutSeconds == 60)
    #expect(found.policy.dropOn == [.lock, .suspend])
    #expect(found.voices.map(\.origin) == [.system, .user, .shipped].dropLast())
  }

  @Test(
    arguments: [
      ("tries: 9", nil, 9), (nil, "tries: 9", 9), ("tries: 9", "remote: deny", 9), ("remote: deny", "tries: 9", 9),
      ("tries: 9", "tries: 7", 7), ("tries: 7", "tries: 9", 7), ("remote: any", "remote: any", 3),
    ] as [(String?, String?, UInt8)])
  func `a key that a layer leaves out neither loosens nor tightens what the other states`(
    system: String?, user: String?, tries: UInt8
  ) throws {
    #expect(try effective(system: system, user: user).policy.tries == tries)
  }

  @Test func `a key that neither layer states comes from the shipped file, then from the built-in policy`() throws {
    let found = try effective(system: "tries: 2", user: "deadline: 20s", shipped: "tries: 9\nremote: deny")
    #expect(found.policy.tries == 2)
    #expect(found.policy.deadlineSeconds == 20)
    #expect(found.policy.remote == .deny)
    #expect(found.policy.reuse == ServicePolicy.builtIn.reuse)
    #expect(found.voices.map(\.origin) == [.system, .user, .shipped])
  }

  @Test func `callers of the user count only where no system file speaks`() throws {
    let callers = "callers: [{executable: /usr/bin/u}]"
    #expect(try effective(user: callers).policy.callers == [CallerRule(executable: "/usr/bin/u", groups: [])])
    #expect(try effective(system: "tries: 3", user: callers).policy.callers == nil)
    let both = try effective(system: "callers: [{executable: /usr/bin/s, groups: [g]}]", user: callers)
    #expect(both.policy.callers == [CallerRule(executable: "/usr/bin/s", groups: ["g"])])
  }

  @Test func `methods that have nothing in common leave none`() throws {
    #expect(try effective(system: "methods: [passcode]", user: "methods: [biometry]").policy.methods == [])
  }

  @Test(
    arguments: [("tries: 0", nil, .system), (nil, "tries: 0", .user), ("tries: 0", "tries: 0", .system)]
      as [(String?, String?, PolicyOrigin)])
  func `a broken file in either layer leaves no policy`(system: String?, user: String?, origin: PolicyOrigin) throws {
    let error = #expect(throws: PolicyUnavailable.self) { try effective(system: system, user: user) }
    #expect(error?.origin == origin)
    #expect(error?.reason == .policyInvalid)
    #expect(error?.detail.hasPrefix("a.yaml:2:8: 'tries' is '0'") == true)
  }

  @Test func `a broken shipped file matters where a key is left to it`() throws {
    #expect(throws: PolicyUnavailable.self) { try effective(system: "tries: 3", shipped: "tries: 0") }
    let whole = PolicyPrinter.text(
      of: PolicyFile(pattern: .exact("a"), policy: policyWithCallers()))
    let body = whole.split(separator: "\n").dropFirst().joined(separator: "\n")
    #expect(try effective(system: body, shipped: "tries: 0").voices.map(\.origin) == [.system])
  }

  @Test func `the digest's input depends on what is in force and not on where it stands`() throws {
    let one = try effective(system: "tries: 5\nremote: deny")
    #expect(try effective(user: "remote: deny\ntries: 5").digestInput == one.digestInput)
    #expect(try effective(user: "remote: deny\ntries: 6").digestInput != one.digestInput)
  }

  @Test(arguments: 1...4) func `no user file makes anything looser than the system's file states`(seed: UInt64) throws {
    var generator = PolicyFileGenerator(seed: seed &* 0xD134_2543_DE82_EF95)
    for _ in 0..<100 {
      var (system, user) = (generator.file(), generator.file())
      system = PolicyFile(pattern: .any, policy: system.policy, stated: system.stated)
      user = PolicyFile(pattern: .any, policy: user.policy, stated: user.stated)
      let layers = PolicyLayers(
        system: folder(.system, ["default.yaml": PolicyPrinter.text(of: system)]),
        user: folder(.user, ["default.yaml": PolicyPrinter.text(of: user)]))
      let found = try layers.effective(for: "a").policy
      var wanted = system.policy
      if !system.stated.contains(.require) { wanted.require = [] }
      for key in Set(PolicyKey.allCases).subtracting(system.stated) { wanted.loosen(key) }
      #expect(!found.isLooser(than: wanted))
    }
  }

  private func policyWithCallers() -> ServicePolicy {
    var policy = ServicePolicy.builtIn
    policy.callers = [CallerRule(executable: "/usr/bin/a", groups: [])]
    return policy
  }
}

extension ServicePolicy {
  /// Gives a key its loosest value.
  fileprivate mutating func loosen(_ key: PolicyKey) {
    switch key {
    case .require: require = []
    case .methods: methods = .all
    case .tries: tries = 10
    case .deadline: deadlineSeconds = 600
    case .remote: remote = .any
    case .window: reuse.windowSeconds = 86_400
    case .scope: reuse.scope = .session
    case .timeout: cacheTimeoutSeconds = 86_400
    case .dropOn: dropOn = []
    case .callers: callers = nil
    }
  }
}
