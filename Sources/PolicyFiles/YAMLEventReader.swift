internal import CYAML

/// The only door to libyaml: its event parser over bytes in memory. Source: yaml.h, "Parser Definitions".
///
/// The event interface expands nothing: an alias is one event, whatever it points to.
enum YAMLEventReader {
  /// Whether to go on after an event.
  enum Next { case goOn, stop }

  /// Reads events until the stream ends or `take` says stop.
  ///
  /// - Parameter bytes: UTF-8; the encoding is set, so that libyaml never guesses another from the first bytes.
  /// - Throws: ``YAMLSyntaxError`` at the first place that is no YAML.
  static func read(_ bytes: [UInt8], _ take: (YAMLEvent) -> Next) throws(YAMLSyntaxError) {
    let failure: YAMLSyntaxError? = unsafe bytes.withUnsafeBufferPointer { input in
      // SAFETY: libyaml keeps a pointer to the parser inside the parser, so it needs an address that does not move: it
      // is allocated here and freed on every way out. The input outlives it because both end with this closure.
      let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
      defer { unsafe parser.deallocate() }
      guard unsafe yaml_parser_initialize(parser) == 1 else { return outOfMemory }
      defer { unsafe yaml_parser_delete(parser) }
      unsafe yaml_parser_set_input_string(parser, input.baseAddress, input.count)
      unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      return unsafe drain(parser, take)
    }
    if let failure { throw failure }
  }

  private static let outOfMemory = YAMLSyntaxError(place: .start, message: "no memory is left to read it.")

  private static func drain(
    _ parser: UnsafeMutablePointer<yaml_parser_t>, _ take: (YAMLEvent) -> Next
  ) -> YAMLSyntaxError? {
    while true {
      var raw = unsafe yaml_event_t()
      guard unsafe yaml_parser_parse(parser, &raw) == 1 else { return unsafe syntaxError(of: parser.pointee) }
      defer { unsafe yaml_event_delete(&raw) }
      guard let event = unsafe event(of: raw) else { continue }
      if case .stop = take(event) { return nil }
      if case .streamEnd = event.kind { return nil }
    }
  }

  /// The event in our own terms; `nil` for the start of the stream.
  private static func event(of raw: yaml_event_t) -> YAMLEvent? {
    guard let kind = unsafe kind(of: raw) else { return nil }
    var event = unsafe YAMLEvent(kind: kind, start: mark(raw.start_mark), end: mark(raw.end_mark))
    switch unsafe raw.type {
    case YAML_SCALAR_EVENT:
      event.isAnchored = unsafe raw.data.scalar.anchor != nil
      event.isTagged = unsafe raw.data.scalar.tag != nil
    case YAML_SEQUENCE_START_EVENT:
      event.isAnchored = unsafe raw.data.sequence_start.anchor != nil
      event.isTagged = unsafe raw.data.sequence_start.tag != nil
    case YAML_MAPPING_START_EVENT:
      event.isAnchored = unsafe raw.data.mapping_start.anchor != nil
      event.isTagged = unsafe raw.data.mapping_start.tag != nil
    default: break
    }
    return event
  }

  private static func kind(of raw: yaml_event_t) -> YAMLEvent.Kind? {
    switch unsafe raw.type {
    case YAML_DOCUMENT_START_EVENT: unsafe .documentStart(hasDirectives: hasDirectives(raw))
    case YAML_DOCUMENT_END_EVENT: .documentEnd
    case YAML_ALIAS_EVENT: .alias
    case YAML_SCALAR_EVENT: unsafe scalar(of: raw)
    case YAML_SEQUENCE_START_EVENT: .sequenceStart
    case YAML_SEQUENCE_END_EVENT: .sequenceEnd
    case YAML_MAPPING_START_EVENT: .mappingStart
    case YAML_MAPPING_END_EVENT: .mappingEnd
    case YAML_STREAM_END_EVENT: .streamEnd
    default: nil
    }
  }

  private static func hasDirectives(_ raw: yaml_event_t) -> Bool {
    let start = unsafe raw.data.document_start
    return unsafe start.version_directive != nil || start.tag_directives.start != start.tag_directives.end
  }

  private static func scalar(of raw: yaml_event_t) -> YAMLEvent.Kind {
    let scalar = unsafe raw.data.scalar
    // SAFETY: libyaml gives `length` bytes at `value` that live until the event is deleted; they are copied here.
    let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
    let text = unsafe String(decoding: bytes, as: UTF8.self)
    switch unsafe scalar.style {
    case YAML_PLAIN_SCALAR_STYLE: return .scalar(text, .plain)
    case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: return .scalar(text, .block)
    default: return .scalar(text, .quoted)
    }
  }

  private static func syntaxError(of parser: yaml_parser_t) -> YAMLSyntaxError {
    let problem = unsafe parser.problem.map { unsafe String(cString: $0) } ?? "the text cannot be read"
    guard let context = unsafe parser.context else {
      return unsafe YAMLSyntaxError(place: mark(parser.problem_mark), message: "not YAML: \(problem).")
    }
    let text = unsafe String(cString: context)
    let line = unsafe mark(parser.context_mark).line
    return unsafe YAMLSyntaxError(
      place: mark(parser.problem_mark), message: "not YAML: \(problem), \(text) that begins in line \(line).")
  }

  private static func mark(_ raw: yaml_mark_t) -> YAMLMark {
    YAMLMark(line: Int(clamping: raw.line) + 1, column: Int(clamping: raw.column) + 1)
  }
}
