/// Reads one document of the subset into a tree: no anchors, aliases, tags, directives or second documents, no key twice,
/// and at most ``mostDepth`` containers inside each other.
struct YAMLTree {
  /// The document, or as much of it as could be read; `nil` where there is none.
  private(set) var root: YAMLNode?
  /// Whether the whole document was read.
  private(set) var isWhole = true
  /// What is wrong so far.
  private(set) var log: FaultLog

  /// Most containers inside each other: 8. A policy needs 4.
  static let mostDepth = 8

  private var open: [OpenContainer] = []
  private var documents = 0

  /// Reads the bytes; every fault goes into ``log``.
  init(reading bytes: [UInt8], file: String) {
    log = FaultLog(file: file)
    if let fault = PolicyText.fault(in: bytes, file: file) {
      log.add(fault)
      isWhole = false
      return
    }
    do throws(YAMLSyntaxError) {
      try YAMLEventReader.read(bytes) { take($0) }
    } catch {
      // libyaml counts one line more than there is where a text ends too early.
      log.add(min(error.place, PolicyText.end(of: bytes)), error.message)
      isWhole = false
    }
    while !open.isEmpty { close() }
    if documents == 0, isWhole { log.add(.start, "the file holds nothing.") }
  }

  private mutating func take(_ event: YAMLEvent) -> YAMLEventReader.Next {
    switch event.kind {
    case .documentStart(let hasDirectives): return startDocument(event, hasDirectives)
    case .documentEnd, .streamEnd: break
    case .alias:
      log.add(event.start, "aliases (*name) are not allowed; write the value out, in quotes where it begins with *.")
      place(YAMLNode(content: .refused, mark: event.start))
    case .scalar(let text, let style):
      refuseMarks(of: event)
      let scalar = YAMLScalar(text: text, style: style, spansLines: event.start.line != event.end.line)
      place(YAMLNode(content: .scalar(scalar), mark: event.start))
    case .sequenceStart: return start(event, .sequence)
    case .mappingStart: return start(event, .mapping)
    case .sequenceEnd, .mappingEnd: close()
    }
    return .goOn
  }

  private mutating func startDocument(_ event: YAMLEvent, _ hasDirectives: Bool) -> YAMLEventReader.Next {
    documents += 1
    if hasDirectives { log.add(event.start, "directives (%YAML, %TAG) are not allowed.") }
    guard documents > 1 else { return .goOn }
    log.add(event.start, "a second document begins here; a file holds one.")
    return .stop
  }

  private mutating func start(_ event: YAMLEvent, _ kind: OpenContainer.Kind) -> YAMLEventReader.Next {
    refuseMarks(of: event)
    guard open.count < Self.mostDepth else {
      log.add(event.start, "this is nested deeper than \(Self.mostDepth) levels.")
      isWhole = false
      return .stop
    }
    open.append(OpenContainer(kind: kind, mark: event.start))
    return .goOn
  }

  private mutating func refuseMarks(of event: YAMLEvent) {
    if event.isAnchored { log.add(event.start, "anchors (&name) are not allowed.") }
    if event.isTagged { log.add(event.start, "tags (!name) are not allowed; the key says what its value is.") }
  }

  private mutating func close() {
    guard let container = open.popLast() else { return }
    place(container.node)
  }

  private mutating func place(_ node: YAMLNode) {
    guard !open.isEmpty else {
      root = root ?? node
      return
    }
    if let first = open[open.count - 1].take(node) {
      log.add(node.mark, "the key stands here a second time; the first is in line \(first.line).")
    }
  }
}

/// A list or mapping whose end was not read yet.
private struct OpenContainer {
  enum Kind { case sequence, mapping }

  let kind: Kind
  let mark: YAMLMark
  private var items: [YAMLNode] = []
  private var pairs: [YAMLPair] = []
  private var key: YAMLNode?
  private var seen: [String: YAMLMark] = [:]

  init(kind: Kind, mark: YAMLMark) {
    self.kind = kind
    self.mark = mark
  }

  /// Takes the next node; answers the place of an earlier key of the same name.
  mutating func take(_ node: YAMLNode) -> YAMLMark? {
    switch (kind, key) {
    case (.sequence, _): items.append(node)
    case (.mapping, let name?):
      pairs.append(YAMLPair(key: name, value: node))
      key = nil
    case (.mapping, nil):
      key = node
      return remember(node)
    }
    return nil
  }

  private mutating func remember(_ node: YAMLNode) -> YAMLMark? {
    guard case .scalar(let scalar) = node.content else { return nil }
    if let first = seen[scalar.text] { return first }
    seen[scalar.text] = node.mark
    return nil
  }

  var node: YAMLNode {
    switch kind {
    case .sequence: YAMLNode(content: .sequence(items), mark: mark)
    case .mapping: YAMLNode(content: .mapping(pairs), mark: mark)
    }
  }
}
