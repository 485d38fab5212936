internal import AccessPolicy
internal import KeychainModel

/// Turns a tree into a policy. One method for each key; every fault is gathered before anything is refused.
struct PolicyFileParser {
  private let tree: YAMLTree
  private var reader: NodeReader
  private var policy = ServicePolicy.builtIn
  private var stated: Set<PolicyKey> = []
  private var locations: PolicyLocations

  static let keys = [
    "service", "require", "join", "methods", "tries", "deadline", "remote", "reuse", "cache", "callers",
  ]

  init(tree: YAMLTree) {
    self.tree = tree
    reader = NodeReader(log: tree.log)
    locations = PolicyLocations(file: tree.log.file)
  }

  mutating func parse() throws(PolicyFileError) -> PolicyFile {
    guard let root = tree.root, tree.isWhole else {
      throw PolicyFileError(faults: reader.log.sorted, pattern: salvagedPattern())
    }
    guard let entries = reader.entries(of: root, "a policy", known: Self.keys) else {
      throw PolicyFileError(faults: reader.log.sorted)
    }
    let pattern = readService(entries["service"], in: root)
    readProof(entries)
    readLimits(entries)
    readReuse(entries["reuse"])
    readCache(entries["cache"])
    readCallers(entries["callers"])
    guard reader.log.isEmpty, let pattern else {
      throw PolicyFileError(faults: reader.log.sorted, pattern: pattern)
    }
    return PolicyFile(pattern: pattern, policy: policy, stated: stated, locations: locations)
  }

  /// The service of a text that broke off behind it.
  private func salvagedPattern() -> ServicePattern? {
    guard case .mapping(let pairs)? = tree.root?.content else { return nil }
    for pair in pairs {
      guard case .scalar(let key) = pair.key.content, key.text == "service" else { continue }
      guard case .scalar(let value) = pair.value.content else { return nil }
      return try? ServicePattern(value.text)
    }
    return nil
  }

  private mutating func readService(_ pair: YAMLPair?, in root: YAMLNode) -> ServicePattern? {
    guard let pair else {
      reader.log.add(root.mark, "the key 'service' is missing; it names what the policy is for.")
      return nil
    }
    locations.service = pair.value.mark
    guard let text = reader.text(pair.value, "'service'", bytes: 0...PolicyText.mostBytes) else { return nil }
    do throws(ServicePatternError) {
      return try ServicePattern(text)
    } catch {
      reader.log.add(pair.value.mark, error.explanation)
      return nil
    }
  }

  private mutating func readProof(_ entries: [String: YAMLPair]) {
    let require = entries["require"].flatMap { reader.words($0.value, "'require'", PolicyWords.require) }
    if let pair = entries["require"], let flags = require {
      let joined = AccessControlFlags(flags).union(readJoin(entries["join"], proofs: flags.count))
      checkCombination(joined, at: pair.value.mark)
      state(.require, pair) { $0.require = joined }
    } else if entries["require"] == nil, let join = entries["join"] {
      reader.log.add(join.key.mark, "'join' stands without 'require'.")
    }
    if let pair = entries["methods"], let methods = reader.words(pair.value, "'methods'", PolicyWords.methods) {
      if methods.isEmpty {
        reader.log.add(pair.value.mark, "'methods' is empty, so that no item could ever be opened; name at least one.")
      }
      state(.methods, pair) { $0.methods = MethodSet(methods) }
    }
  }

  private mutating func readJoin(_ pair: YAMLPair?, proofs: Int) -> AccessControlFlags {
    guard let pair, let joiner = reader.word(pair.value, "'join'", PolicyWords.join) else { return [] }
    if proofs < 2 { reader.log.add(pair.value.mark, "'join' wants two or more proofs under 'require'.") }
    return joiner
  }

  private mutating func checkCombination(_ flags: AccessControlFlags, at mark: YAMLMark) {
    do throws(AccessControlError) {
      _ = try AccessControl(accessibility: .whenUnlocked, flags: flags.subtracting([.or, .and]))
    } catch {
      reader.log.add(mark, "'require' cannot be so: \(error.explanation)")
    }
  }

  private mutating func readLimits(_ entries: [String: YAMLPair]) {
    if let pair = entries["tries"], let tries = reader.whole(pair.value, "'tries'", 1...10) {
      state(.tries, pair) { $0.tries = UInt8(tries) }
    }
    if let pair = entries["deadline"], let seconds = reader.duration(pair.value, "'deadline'", .deadline) {
      state(.deadline, pair) { $0.deadlineSeconds = seconds }
    }
    if let pair = entries["remote"], let rule = reader.word(pair.value, "'remote'", PolicyWords.remote) {
      state(.remote, pair) { $0.remote = rule }
    }
  }

  private mutating func readReuse(_ pair: YAMLPair?) {
    guard let pair, let entries = reader.entries(of: pair.value, "'reuse'", known: ["window", "scope"]) else { return }
    if let pair = entries["window"], let seconds = reader.duration(pair.value, "'window'", .window) {
      state(.window, pair) { $0.reuse.windowSeconds = seconds }
    }
    if let pair = entries["scope"], let scope = reader.word(pair.value, "'scope'", PolicyWords.scope) {
      state(.scope, pair) { $0.reuse.scope = scope }
    }
    guard stated.isSuperset(of: [.window, .scope]) else { return }
    if (policy.reuse.windowSeconds == 0) != (policy.reuse.scope == .never) {
      reader.log.add(pair.value.mark, "'window' and 'scope' contradict each other: one is never and the other is not.")
    }
  }

  private mutating func readCache(_ pair: YAMLPair?) {
    guard let pair, let entries = reader.entries(of: pair.value, "'cache'", known: ["timeout", "dropOn"]) else {
      return
    }
    if let pair = entries["timeout"], let seconds = reader.duration(pair.value, "'timeout'", .timeout) {
      state(.timeout, pair) { $0.cacheTimeoutSeconds = seconds }
    }
    if let pair = entries["dropOn"], let triggers = reader.words(pair.value, "'dropOn'", PolicyWords.dropOn) {
      state(.dropOn, pair) { $0.dropOn = DropTriggers(triggers) }
    }
  }

  private mutating func readCallers(_ pair: YAMLPair?) {
    guard let pair, let rules = CallerRuleReader.read(pair.value, &reader) else { return }
    state(.callers, pair) { $0.callers = rules }
  }

  private mutating func state(_ key: PolicyKey, _ pair: YAMLPair, _ set: (inout ServicePolicy) -> Void) {
    set(&policy)
    stated.insert(key)
    locations.keys[key] = pair.value.mark
  }
}
