/// One line of a stack file, with comments and continuations resolved.
struct StackLine: Hashable, Sendable {
  /// Where it starts in its file, from 1.
  var number: Int
  /// What it says.
  var directive: StackDirective
}

/// What a line says.
enum StackDirective: Hashable, Sendable {
  /// Runs a module.
  case module(StackFacility, StackModule)
  /// `include` or `substack`: takes the lines of one facility from another file.
  case include(StackFacility, path: String, asSubstack: Bool)
  /// `@include`: takes every line of another file.
  case includeAll(path: String)
}

/// The four groups of pam.conf(5).
enum StackFacility: String, Hashable, Sendable {
  case auth, account, password, session
}

/// A module and its arguments.
struct StackModule: Hashable, Sendable {
  var control: StackControl
  /// The file's name without its folder and `.so`.
  var name: String
  /// Where its file is, if the line says so by an absolute path; else libpam looks in its own folder.
  var path: String?
  var arguments: [String]
  /// Whether a missing module is passed over silently (`-auth`).
  var mayBeMissing: Bool
}

extension StackLine {
  /// Parses a whole file; the first line that makes no sense is the flaw.
  static func parse(_ contents: [UInt8]) throws(StackFlaw) -> [StackLine] {
    guard contents.count <= StackCheck.maximumFileBytes else { throw StackFlaw(line: 1, reason: .tooLarge) }
    guard !contents.contains(0), let text = String(validating: contents, as: UTF8.self) else {
      throw StackFlaw(line: 1, reason: .syntax)
    }
    var lines: [StackLine] = []
    for (number, logical) in logicalLines(text) {
      guard let tokens = tokens(logical) else { throw StackFlaw(line: number, reason: .syntax) }
      guard !tokens.isEmpty else { continue }
      guard let directive = StackDirective(tokens) else { throw StackFlaw(line: number, reason: .syntax) }
      lines.append(StackLine(number: number, directive: directive))
    }
    return lines
  }

  /// Joins continued lines and cuts comments.
  private static func logicalLines(_ text: String) -> [(Int, String)] {
    var result: [(Int, String)] = []
    var pending: (start: Int, text: String)?
    let physical = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, raw) in physical.enumerated() {
      let start = pending?.start ?? index + 1
      var line = (pending?.text ?? "") + raw.prefix { $0 != "#" }
      pending = nil
      if line.last == "\\" {
        line.removeLast()
        pending = (start, line + " ")
      } else {
        result.append((start, line))
      }
    }
    if let pending { result.append((pending.start, pending.text)) }
    return result
  }

  /// Splits at blanks; `[...]` is one token. Nil for an open bracket.
  private static func tokens(_ line: String) -> [String]? {
    var tokens: [String] = []
    var rest = Substring(line)
    while let first = rest.firstIndex(where: { !isBlank($0) }) {
      rest = rest[first...]
      if rest.first == "[" {
        guard let close = rest.firstIndex(of: "]") else { return nil }
        tokens.append(String(rest[...close]))
        rest = rest[rest.index(after: close)...]
      } else {
        let end = rest.firstIndex(where: isBlank) ?? rest.endIndex
        tokens.append(String(rest[..<end]))
        rest = rest[end...]
      }
    }
    return tokens
  }

  private static func isBlank(_ character: Character) -> Bool {
    character == " " || character == "\t" || character == "\r"
  }
}

extension StackDirective {
  fileprivate init?(_ tokens: [String]) {
    if tokens[0] == "@include" {
      guard tokens.count == 2 else { return nil }
      self = .includeAll(path: tokens[1])
      return
    }
    let mayBeMissing = tokens[0].first == "-"
    let word = mayBeMissing ? String(tokens[0].dropFirst()) : tokens[0]
    guard tokens.count >= 3, let facility = StackFacility(rawValue: word.lowercased()) else { return nil }
    switch tokens[1].lowercased() {
    case "include": self = .include(facility, path: tokens[2], asSubstack: false)
    case "substack": self = .include(facility, path: tokens[2], asSubstack: true)
    default:
      // libpam takes the brackets off any word. Nobody needs them for a module, whose name must be known here.
      guard let control = StackControl(tokens[1]), tokens[2].first != "[" else { return nil }
      let file = tokens[2].split(separator: "/").last.map(String.init) ?? tokens[2]
      let name = file.hasSuffix(".so") ? String(file.dropLast(3)) : file
      self = .module(
        facility,
        StackModule(
          control: control, name: name, path: tokens[2].first == "/" ? tokens[2] : nil,
          arguments: tokens.dropFirst(3).map(Self.bare), mayBeMissing: mayBeMissing))
    }
  }

  /// An argument as the module gets it: without the brackets that keep its blanks together.
  private static func bare(_ token: String) -> String {
    token.first == "[" ? String(token.dropFirst().dropLast()) : token
  }
}
