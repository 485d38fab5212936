internal import AccessPolicy
internal import KeychainModel

/// Reads `*.test.yaml`.
struct PolicyTestParser {
  private let tree: YAMLTree
  private var reader: NodeReader

  private static let layers: [(String, PolicyOrigin)] = [("system", .system), ("user", .user), ("shipped", .shipped)]
  private static let givenKeys = [
    "service", "flags", "accessibility", "keybag", "operation", "item", "origin", "caller", "unlock", "enrolment",
    "evidence",
  ]

  init(tree: YAMLTree) {
    self.tree = tree
    reader = NodeReader(log: tree.log)
  }

  mutating func parse() throws(PolicyFileError) -> PolicyTestFile {
    guard let root = tree.root, tree.isWhole else { throw PolicyFileError(faults: reader.log.sorted) }
    let known = Self.layers.map(\.0) + ["rows"]
    guard let entries = reader.entries(of: root, "a test", known: known) else {
      throw PolicyFileError(faults: reader.log.sorted)
    }
    let test = PolicyTestFile(layers: readLayers(entries), rows: readRows(entries["rows"], in: root))
    guard reader.log.isEmpty else { throw PolicyFileError(faults: reader.log.sorted) }
    return test
  }

  private mutating func readLayers(_ entries: [String: YAMLPair]) -> [PolicyOrigin: [String]] {
    var layers: [PolicyOrigin: [String]] = [:]
    for (key, origin) in Self.layers {
      guard let pair = entries[key] else { continue }
      let items = reader.items(of: pair.value, "'\(key)'", most: PolicyTestFile.mostFiles) ?? []
      layers[origin] = items.compactMap { readFileName($0) }
    }
    return layers
  }

  private mutating func readFileName(_ node: YAMLNode) -> String? {
    guard let name = reader.text(node, "a file", bytes: 1...255) else { return nil }
    guard !name.utf8.contains(UInt8(ascii: "/")) else {
      reader.log.add(node.mark, "\(shown(name)) is a path; the policies of a test stand beside it.")
      return nil
    }
    return name
  }

  private mutating func readRows(_ pair: YAMLPair?, in root: YAMLNode) -> [PolicyTestRow] {
    guard let pair else {
      reader.log.add(root.mark, "the key 'rows' is missing.")
      return []
    }
    guard let items = reader.items(of: pair.value, "'rows'", most: PolicyTestFile.mostRows) else { return [] }
    if items.isEmpty { reader.log.add(pair.value.mark, "'rows' is empty, so that nothing would be tested.") }
    return items.compactMap { readRow($0) }
  }

  private mutating func readRow(_ node: YAMLNode) -> PolicyTestRow? {
    guard let entries = reader.entries(of: node, "a row", known: ["name", "given", "expect"]) else { return nil }
    let name = entries["name"].flatMap { reader.text($0.value, "'name'", bytes: 1...500) } ?? ""
    guard let given = entries["given"], let expect = entries["expect"] else {
      reader.log.add(node.mark, "a row has both 'given' and 'expect'.")
      return nil
    }
    let request = readGiven(given.value)
    guard let request, let decision = readExpectation(expect.value) else { return nil }
    return PolicyTestRow(name: name, mark: node.mark, given: request, expect: decision)
  }

  private mutating func readGiven(_ node: YAMLNode) -> PolicyTestGiven? {
    guard let entries = reader.entries(of: node, "'given'", known: Self.givenKeys) else { return nil }
    var given = PolicyTestGiven()
    if let pair = entries["service"] {
      let most = ItemLimits.policyServiceBytes
      given.service = ExactText(reader.text(pair.value, "'service'", bytes: 1...most) ?? "")
    } else {
      reader.log.add(node.mark, "'given' names no 'service'.")
    }
    given.accessControl = readAccessControl(entries)
    read(entries["keybag"], PolicyWords.keybag) { given.keybag = $0 }
    read(entries["operation"], PolicyWords.operation) { given.operation = $0 }
    read(entries["item"], PolicyWords.item) { given.presence = $0 }
    read(entries["origin"], PolicyWords.origin) { given.origin = $0 }
    read(entries["unlock"], [("allowed", true), ("refused", false)]) { given.mayUnlock = $0 }
    read(entries["enrolment"], PolicyWords.enrolment) { given.enrolment = $0 }
    if let pair = entries["caller"] {
      given.caller = reader.text(pair.value, "'caller'", bytes: 1...PolicyLimits.executableBytes)
    }
    if let pair = entries["evidence"], let items = reader.items(of: pair.value, "'evidence'", most: PolicyLimits.words)
    {
      given.evidence = items.compactMap { readEvidence($0) }
    }
    return given
  }

  private mutating func read<Value>(_ pair: YAMLPair?, _ words: [(String, Value)], _ set: (Value) -> Void) {
    guard let pair, case .scalar(let key) = pair.key.content else { return }
    if let value = reader.word(pair.value, "'\(key.text)'", words) { set(value) }
  }

  private mutating func readAccessControl(_ entries: [String: YAMLPair]) -> AccessControl {
    var accessibility = Accessibility.whenUnlocked
    read(entries["accessibility"], PolicyWords.accessibility) { accessibility = $0 }
    guard let pair = entries["flags"], let flags = reader.words(pair.value, "'flags'", PolicyWords.flags) else {
      return .unconstrained(accessibility)
    }
    do throws(AccessControlError) {
      return try AccessControl(accessibility: accessibility, flags: AccessControlFlags(flags))
    } catch {
      reader.log.add(pair.value.mark, "'flags' cannot be so: \(error.explanation)")
      return .unconstrained(accessibility)
    }
  }

  private mutating func readEvidence(_ node: YAMLNode) -> PolicyTestEvidence? {
    let known = ["method", "since", "from"]
    guard let entries = reader.entries(of: node, "a proof", known: known) else { return nil }
    guard let pair = entries["method"] else {
      reader.log.add(node.mark, "a proof has no 'method'.")
      return nil
    }
    var evidence = PolicyTestEvidence(method: .passcode, seconds: 0, from: .process)
    read(pair, AuthenticationMethod.allCases.map { ($0.name, $0) }) { evidence.method = $0 }
    read(entries["from"], PolicyWords.kinship) { evidence.from = $0 }
    if let pair = entries["since"] { evidence.seconds = reader.duration(pair.value, "'since'", .since) ?? 0 }
    return evidence
  }

  private mutating func readExpectation(_ node: YAMLNode) -> PolicyTestExpectation? {
    if case .scalar = node.content {
      return reader.word(node, "'expect'", [("allow", .allow)])
    }
    guard let entries = reader.entries(of: node, "'expect'", known: ["authenticate", "deny"]) else { return nil }
    guard entries.count < 2 else {
      reader.log.add(node.mark, "'expect' is one decision, not two.")
      return nil
    }
    if let pair = entries["deny"] {
      return reader.word(pair.value, "'deny'", Reason.allCases.map { ($0.rawValue, $0) }).map { .deny($0) }
    }
    guard let pair = entries["authenticate"] else { return nil }
    guard let sets = reader.words(pair.value, "'authenticate'", PolicyWords.alternatives) else { return nil }
    if sets.isEmpty { reader.log.add(pair.value.mark, "'authenticate' names no method.") }
    return .authenticate(Set(sets))
  }
}
