import Foundation
import Testing

@testable import PolicyFiles

/// Where the repository's own files are.
let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// The policies that ship, by file name.
func shippedPolicies() throws -> [(name: String, bytes: [UInt8])] {
  let folder = repository.appendingPathComponent("policies")
  let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  return try names.filter { $0.hasSuffix(".yaml") && !$0.hasSuffix(".test.yaml") }.map {
    ($0, Array(try Data(contentsOf: folder.appendingPathComponent($0))))
  }
}

extension YAMLNode {
  /// The value as YAML 1.2 readers (and so editors) type it.
  var json: String {
    switch content {
    case .refused: return "null"
    case .sequence(let items): return "[\(items.map(\.json).joined(separator: ","))]"
    case .mapping(let pairs):
      return "{\(pairs.map { "\($0.key.jsonText):\($0.value.json)" }.joined(separator: ","))}"
    case .scalar(let scalar):
      guard scalar.style == .plain else { return jsonText }
      if ["", "~", "null"].contains(scalar.text) { return "null" }
      if ["true", "false"].contains(scalar.text) { return scalar.text }
      if let number = Int(scalar.text), String(number) == scalar.text { return scalar.text }
      if scalar.text.first?.isNumber == true, scalar.text.contains("."), let number = Double(scalar.text) {
        return String(number)
      }
      return jsonText
    }
  }

  private var jsonText: String {
    guard case .scalar(let scalar) = content, let data = try? JSONEncoder().encode([scalar.text]) else { return "\"\"" }
    return String(String(decoding: data, as: UTF8.self).dropFirst().dropLast())
  }
}

/// Asks Python's jsonschema about every document in one run; true where the schema takes it.
func schemaVerdicts(_ documents: [String]) throws -> [Bool] {
  let script = """
    import json, sys, jsonschema
    schema = json.load(open(sys.argv[1]))
    jsonschema.Draft7Validator.check_schema(schema)
    check = jsonschema.Draft7Validator(schema)
    print("".join("1" if check.is_valid(document) else "0" for document in json.load(sys.stdin)))
    """
  let python = Process()
  python.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
  python.arguments = ["-c", script, repository.appendingPathComponent("policies/policy.schema.json").path]
  let (input, output) = (Pipe(), Pipe())
  python.standardInput = input
  python.standardOutput = output
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("schema-\(UUID().uuidString).json")
  try Data("[\(documents.joined(separator: ","))]".utf8).write(to: file)
  defer { try? FileManager.default.removeItem(at: file) }
  python.standardInput = try FileHandle(forReadingFrom: file)
  try python.run()
  let answer = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  python.waitUntilExit()
  #expect(python.terminationStatus == 0)
  return answer.trimmingCharacters(in: .whitespacesAndNewlines).map { $0 == "1" }
}

struct SchemaTests {
  static let hasValidator = FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/jsonschema")

  private func json(_ text: String) throws -> String {
    let tree = YAMLTree(reading: Array(text.utf8), file: "t")
    return try #require(tree.root).json
  }

  @Test func `every shipped policy is read, is named after its service, and names the schema`() throws {
    let policies = try shippedPolicies()
    #expect(policies.count == 4)
    for (name, bytes) in policies {
      let file = try PolicyFile.parse(bytes, file: name)
      #expect(PolicyFileName.name(for: file.pattern) == name)
      #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("# yaml-language-server: $schema=policy.schema.json\n"))
    }
  }

  @Test func `the shipped default states the built-in policy and reuses within a context only`() throws {
    let bytes = try #require(try shippedPolicies().first { $0.name == "default.yaml" }).bytes
    let file = try PolicyFile.parse(bytes, file: "default.yaml")
    #expect(file.policy == .builtIn)
    #expect(file.policy.reuse.scope == .context)
    #expect(file.stated == Set(PolicyKey.allCases).subtracting([.require, .callers]))
  }

  @Test(.enabled(if: hasValidator)) func `the schema takes every shipped policy`() throws {
    let documents = try shippedPolicies().map { try json(String(decoding: $0.bytes, as: UTF8.self)) }
    #expect(try schemaVerdicts(documents) == [true, true, true, true])
  }

  @Test(.enabled(if: hasValidator)) func `schema and parser agree on values, good and bad`() throws {
    let rows = Self.good.map { ($0, true) } + Self.bad.map { ($0, false) }
    let verdicts = try schemaVerdicts(rows.map { try json($0.0) })
    #expect(verdicts.count == rows.count)
    for ((text, isGood), verdict) in zip(rows, verdicts) {
      #expect(verdict == isGood, "the schema on \(text)")
      #expect(faults(of: text).isEmpty == isGood, "the parser on \(text): \(faults(of: text))")
    }
  }

  @Test(.enabled(if: hasValidator)) func `what only the parser can see, it refuses alone`() throws {
    let texts = [
      "service: no", "service: 1:30", "service: 0x10", "service: a\nservice: b", "service: &a b", "service: !!str a",
      "service: |\n  a",
      "service: a\ncallers: [{executable: /a}, {executable: /a}]",
    ]
    #expect(try schemaVerdicts(texts.map(json)).allSatisfy { $0 })
    for text in texts { #expect(!faults(of: text).isEmpty) }
  }

  @Test(.enabled(if: hasValidator), arguments: 1...2)
  func `the schema takes whatever the printer prints`(seed: UInt64) throws {
    var generator = PolicyFileGenerator(seed: seed &* 0xA076_1D64_78BD_642F)
    let texts = (0..<300).map { _ in PolicyPrinter.text(of: generator.file()) }
    let verdicts = try schemaVerdicts(texts.map(json))
    #expect(zip(texts, verdicts).filter { !$0.1 }.map(\.0) == [])
  }

  static let good: [String] =
    [
      "service: a", "service: \"*\"", "service: com.example.*", "service: \"12\"",
      "service: " + String(repeating: "a", count: 255),
    ]
    + [
      "require: []", "require: [userPresence]", "require: [biometryAny, devicePasscode]",
      "require: [biometryCurrentSet]",
      "require: [biometryAny, devicePasscode]\njoin: or", "require: [devicePasscode, biometryAny]\njoin: and",
      "methods: [passcode]", "methods: [biometry, passcode]", "tries: 1", "tries: 10", "deadline: 5s", "deadline: 9s",
      "deadline: 10s", "deadline: 99s", "deadline: 100s", "deadline: 599s", "deadline: 600s", "deadline: 1m",
      "deadline: 10m", "deadline: \"30s\"", "remote: deny", "remote: any", "reuse: {window: never}",
      "reuse: {window: 0}",
      "reuse: {scope: never}", "reuse: {scope: session}", "reuse: {window: 0, scope: never}",
      "reuse: {window: 1s, scope: context}", "reuse: {window: 9999s}", "reuse: {window: 10000s}",
      "reuse: {window: 79999s}", "reuse: {window: 80000s}", "reuse: {window: 85999s}", "reuse: {window: 86399s}",
      "reuse: {window: 86400s}", "reuse: {window: 1m}", "reuse: {window: 999m}", "reuse: {window: 1000m}",
      "reuse: {window: 1399m}", "reuse: {window: 1439m}", "reuse: {window: 1440m}", "reuse: {window: 1h}",
      "reuse: {window: 19h}", "reuse: {window: 24h}", "cache: {timeout: never}", "cache: {timeout: 24h}",
      "cache: {dropOn: []}", "cache: {dropOn: [lock, suspend, logout]}", "callers: [{executable: /a}]",
      "callers: [{executable: /a/b.c/..d, groups: []}]", "callers: [{executable: /a/.b, groups: [x, \"1\"]}]",
      "callers: [{executable: \"/a b\"}, {executable: /b}]",
    ].map { "service: a\n" + $0 }

  static let bad: [String] =
    [
      "[]", "text", "tries: 3", "service: \"\"", "service: ~", "service: 12", "service: true", "service: [a]",
      "service: \".*\"", "service: \"**\"", "service: \"a*\"", "service: \"a.*.b\"", "service: \"*.a\"",
      "service: \"a\\tb\"", "service: " + String(repeating: "a", count: 256),
    ]
    + [
      "x: 1", "Tries: 3", "require: userPresence", "require: [userpresence]", "require: [companion]",
      "require: [applicationPassword]", "require: [or]", "require: [userPresence, devicePasscode]",
      "require: [biometryAny, biometryCurrentSet]", "require: [devicePasscode, devicePasscode]", "join: or",
      "require: [devicePasscode]\njoin: and", "require: [biometryAny, devicePasscode]\njoin: xor", "methods: []",
      "methods: [finger]", "methods: [passcode, passcode]", "methods: passcode", "methods:", "tries: 0", "tries: 11",
      "tries: -1", "tries: 3.5", "tries: \"3\"", "tries: many", "tries: 010", "tries: 0x3", "tries: 1_0",
      "deadline: 4s",
      "deadline: 601s", "deadline: 11m", "deadline: 1h", "deadline: 0", "deadline: never", "deadline: 60",
      "deadline: 1:00", "deadline: 060s", "deadline: 1d", "deadline: \"\"", "remote: no", "remote: allow",
      "remote: true", "reuse: {}", "reuse: never", "reuse: {windows: 5m}", "reuse: {window: 0s}",
      "reuse: {window: \"0\"}",
      "reuse: {window: 86401s}", "reuse: {window: 86500s}", "reuse: {window: 87000s}", "reuse: {window: 90000s}",
      "reuse: {window: 100000s}", "reuse: {window: 1441m}", "reuse: {window: 1450m}", "reuse: {window: 1500m}",
      "reuse: {window: 25h}", "reuse: {window: -5m}", "reuse: {window: 300}", "reuse: {scope: tty}",
      "reuse: {window: 5m, scope: never}", "reuse: {window: never, scope: terminal}", "cache: {}", "cache: 5m",
      "cache: {timeout: 25h}", "cache: {dropOn: lock}", "cache: {dropOn: [reboot]}", "cache: {dropOn: [lock, lock]}",
      "callers: []", "callers: /a", "callers: [/a]", "callers: [{}]", "callers: [{groups: [a]}]",
      "callers: [{executable: a}]", "callers: [{executable: /}]", "callers: [{executable: /a/}]",
      "callers: [{executable: //a}]", "callers: [{executable: /a/./b}]", "callers: [{executable: /a/..}]",
      "callers: [{executable: /a, group: b}]", "callers: [{executable: /a, groups: b}]",
      "callers: [{executable: /a, groups: [\"\"]}]", "callers: [{executable: /a, groups: [1]}]",
      "callers: [{executable: /a, groups: [b, b]}]",
    ].map { "service: a\n" + $0 }
}
