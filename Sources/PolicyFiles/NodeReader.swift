/// Reads typed values out of a tree; whatever does not fit goes into the log, and `nil` stands for it.
struct NodeReader {
  var log: FaultLog

  /// The entries of a mapping by name. Unknown and unreadable keys are told; of a key that stands twice the first counts.
  mutating func entries(of node: YAMLNode, _ what: String, known: [String]) -> [String: YAMLPair]? {
    guard case .mapping(let pairs) = node.content else {
      wrongKind(node, what, wanted: "a mapping with the keys \(known.joined(separator: ", "))")
      return nil
    }
    if pairs.isEmpty { log.add(node.mark, "\(what) is empty; leave it out.") }
    var found: [String: YAMLPair] = [:]
    for pair in pairs {
      guard let name = keyName(pair.key) else { continue }
      guard known.contains(name) else {
        log.add(pair.key.mark, "\(shown(name)) is no key of \(what).\(Suggestion.question(name, among: known))")
        continue
      }
      if found[name] == nil { found[name] = pair }
    }
    return found
  }

  private mutating func keyName(_ node: YAMLNode) -> String? {
    switch node.content {
    case .scalar(let scalar): return scalar.text
    case .refused: return nil
    case .sequence, .mapping:
      log.add(node.mark, "a key is a word, not \(node.kindName).")
      return nil
    }
  }

  /// The items of a list, at most `most`.
  mutating func items(of node: YAMLNode, _ what: String, most: Int) -> [YAMLNode]? {
    guard case .sequence(let items) = node.content else {
      wrongKind(node, what, wanted: "a list: [one, two]")
      return nil
    }
    guard items.count <= most else {
      log.add(node.mark, "\(what) has \(items.count) entries; at most \(most) are allowed.")
      return nil
    }
    return items
  }

  /// A scalar that stands in one line.
  mutating func scalar(_ node: YAMLNode, _ what: String) -> YAMLScalar? {
    guard case .scalar(let scalar) = node.content else {
      wrongKind(node, what, wanted: "a single value")
      return nil
    }
    if scalar.style == .plain, scalar.text.isEmpty {
      log.add(node.mark, "\(what) is empty; write a value or leave the key out.")
      return nil
    }
    guard scalar.style != .block, !scalar.spansLines else {
      log.add(node.mark, "\(what) goes over several lines; write it in one.")
      return nil
    }
    return scalar
  }

  /// A text: quoted, or unquoted where no YAML reader takes it for something else.
  mutating func text(_ node: YAMLNode, _ what: String, bytes: ClosedRange<Int>) -> String? {
    guard let scalar = scalar(node, what) else { return nil }
    if scalar.style == .plain, let refusal = PlainScalar(scalar.text).refusalAsText {
      log.add(node.mark, "\(what) is \(shown(scalar.text)), which \(refusal).")
      return nil
    }
    if scalar.text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      log.add(node.mark, "\(what) holds a control character.")
      return nil
    }
    guard bytes.contains(scalar.text.utf8.count) else {
      log.add(
        node.mark,
        "\(what) has \(scalar.text.utf8.count) bytes; \(bytes.lowerBound) to \(bytes.upperBound) are allowed.")
      return nil
    }
    return scalar.text
  }

  /// One of a few words.
  mutating func word<Value>(_ node: YAMLNode, _ what: String, _ words: [(String, Value)]) -> Value? {
    guard let scalar = scalar(node, what) else { return nil }
    if let found = words.first(where: { $0.0 == scalar.text }) { return found.1 }
    let names = words.map(\.0)
    log.add(
      node.mark,
      "\(what) is \(shown(scalar.text)); it is one of \(names.joined(separator: ", "))."
        + Suggestion.question(scalar.text, among: names))
    return nil
  }

  /// A list of different words.
  mutating func words<Value>(_ node: YAMLNode, _ what: String, _ words: [(String, Value)]) -> [Value]? {
    guard let items = items(of: node, what, most: PolicyLimits.words) else { return nil }
    var seen: Set<String> = []
    var values: [Value] = []
    var isGood = true
    for item in items {
      guard let value = word(item, "an entry of \(what)", words) else {
        isGood = false
        continue
      }
      if case .scalar(let scalar) = item.content, !seen.insert(scalar.text).inserted {
        log.add(item.mark, "\(shown(scalar.text)) stands twice in \(what).")
        isGood = false
      }
      values.append(value)
    }
    return isGood ? values : nil
  }

  /// A whole number, written in digits alone.
  mutating func whole(_ node: YAMLNode, _ what: String, _ range: ClosedRange<UInt32>) -> UInt32? {
    guard let scalar = scalar(node, what) else { return nil }
    let bounds = "it must be a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard scalar.style == .plain, case .whole = PlainScalar(scalar.text) else {
      log.add(
        node.mark, "\(what) is \(shown(scalar.text)); \(bounds), in digits alone: no quotes, sign or leading zero.")
      return nil
    }
    guard let value = UInt32(scalar.text), range.contains(value) else {
      log.add(node.mark, "\(what) is \(shown(scalar.text)); \(bounds).")
      return nil
    }
    return value
  }

  /// A span of time, in seconds.
  mutating func duration(_ node: YAMLNode, _ what: String, _ rule: DurationText) -> UInt32? {
    guard let scalar = scalar(node, what) else { return nil }
    switch rule.read(scalar.text, isPlain: scalar.style == .plain) {
    case .seconds(let seconds): return seconds
    case .refused(let why):
      log.add(node.mark, "\(what) is \(shown(scalar.text)), which \(why)")
      return nil
    }
  }

  private mutating func wrongKind(_ node: YAMLNode, _ what: String, wanted: String) {
    if case .refused = node.content { return }
    if case .scalar(let scalar) = node.content, scalar.style == .plain, scalar.text.isEmpty {
      log.add(node.mark, "\(what) is empty; write a value or leave the key out.")
    } else {
      log.add(node.mark, "\(what) is \(node.kindName); it must be \(wanted).")
    }
  }
}
