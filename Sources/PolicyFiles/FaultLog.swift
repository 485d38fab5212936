/// Gathers the faults of one file up to ``PolicyFileError/most``.
struct FaultLog {
  let file: String
  private(set) var faults: [PolicyFault] = []

  init(file: String) { self.file = file }

  mutating func add(_ mark: YAMLMark, _ message: String) {
    add(PolicyFault(file: file, line: mark.line, column: mark.column, message: message))
  }

  mutating func add(_ fault: PolicyFault) {
    guard faults.count < PolicyFileError.most else { return }
    faults.append(fault)
  }

  var isEmpty: Bool { faults.isEmpty }

  /// The faults by place; those of one place stay in the order they were found.
  var sorted: [PolicyFault] {
    faults.enumerated()
      .sorted { ($0.element.line, $0.element.column, $0.offset) < ($1.element.line, $1.element.column, $1.offset) }
      .map(\.element)
  }
}

/// Text of a file as it may stand in a sentence: in quotes, cut after 40 characters, controls escaped.
func shown(_ text: String) -> String {
  let cut = text.unicodeScalars.prefix(40)
  let body = cut.map { $0.isASCII ? $0.escaped(asASCII: true) : String($0) }.joined()
  return "'\(body)\(cut.count < text.unicodeScalars.count ? "..." : "")'"
}
