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
  /// The file as the line names it; without an absolute path libpam looks in its own folder.
  var file: String
  var arguments: [String]
  /// Whether a missing module is passed over silently (`-auth`).
  var mayBeMissing: Bool
}

extension StackLine {
  /// The most bytes of a line, with what it is continued by: libpam reads 1023 at once, the newline counted, and takes what
  /// is left for a line of its own, be it the end of a comment.
  static let maximumBytes = 1022

  /// Parses a whole file; the first line that makes no sense is the flaw.
  static func parse(_ contents: [UInt8]) throws(StackFlaw) -> [StackLine] {
    guard contents.count <= StackCheck.maximumFileBytes else { throw StackFlaw(line: 1, reason: .tooLarge) }
    guard !contents.contains(0), String(validating: contents, as: UTF8.self) != nil else {
      throw StackFlaw(line: 1, reason: .syntax)
    }
    var lines: [StackLine] = []
    for (number, logical) in try logicalLines(contents) {
      guard let tokens = tokens(logical) else { throw StackFlaw(line: number, reason: .syntax) }
      guard !tokens.isEmpty else { continue }
      guard let directive = StackDirective(tokens) else { throw StackFlaw(line: number, reason: .syntax) }
      lines.append(StackLine(number: number, directive: directive))
    }
    return lines
  }

  /// Joins continued lines and cuts comments, byte by byte as libpam does: of characters, CR LF would be one.
  private static func logicalLines(_ contents: [UInt8]) throws(StackFlaw) -> [(Int, [UInt8])] {
    var result: [(Int, [UInt8])] = []
    var pending: (start: Int, text: [UInt8], bytes: Int)?
    let physical = contents.split(separator: Ascii.newline, omittingEmptySubsequences: false)
    for (index, raw) in physical.enumerated() {
      let (start, head, bytes) = pending ?? (index + 1, [], 0)
      guard bytes + raw.count <= maximumBytes else { throw StackFlaw(line: start, reason: .lineTooLong) }
      let said = raw.prefix { $0 != Ascii.hash }
      let isSilent = said.allSatisfy { $0 <= Ascii.space }
      // libpam passes over such a line and joins the one behind it.
      if pending != nil, isSilent { throw StackFlaw(line: start, reason: .brokenContinuation) }
      pending = nil
      let ending = said.last { $0 > Ascii.space }
      if ending == Ascii.backslash, said.count == raw.count {
        guard said.last == Ascii.backslash else { throw StackFlaw(line: start, reason: .brokenContinuation) }
        pending = (start, head + said.dropLast() + [Ascii.space], bytes + raw.count)
      } else {
        result.append((start, head + said))
      }
    }
    if let pending { throw StackFlaw(line: pending.start, reason: .brokenContinuation) }
    return result
  }

  /// Splits at blanks; `[...]` is one token. Nil for an open bracket, or one with a backslash, which would escape its end.
  private static func tokens(_ line: [UInt8]) -> [String]? {
    var tokens: [String] = []
    var rest = line[...]
    while let first = rest.firstIndex(where: { !isBlank($0) }) {
      rest = rest[first...]
      let end: Int
      if rest.first == Ascii.openBracket {
        guard let close = rest.firstIndex(of: Ascii.closeBracket) else { return nil }
        guard !rest[..<close].contains(Ascii.backslash) else { return nil }
        end = close + 1
      } else {
        end = rest.firstIndex(where: isBlank) ?? rest.endIndex
      }
      tokens.append(String(decoding: rest[..<end], as: UTF8.self))
      rest = rest[end...]
    }
    return tokens
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == Ascii.space || byte == Ascii.tab || byte == Ascii.return
  }
}

/// The bytes that mean something to libpam's reader.
private enum Ascii {
  static let tab: UInt8 = 0x09
  static let newline: UInt8 = 0x0A
  static let `return`: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let hash: UInt8 = 0x23
  static let openBracket: UInt8 = 0x5B
  static let backslash: UInt8 = 0x5C
  static let closeBracket: UInt8 = 0x5D
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
          control: control, name: name, file: tokens[2],
          arguments: tokens.dropFirst(3).map(Self.bare), mayBeMissing: mayBeMissing))
    }
  }

  /// An argument as the module gets it: without the brackets that keep its blanks together.
  private static func bare(_ token: String) -> String {
    token.first == "[" ? String(token.dropFirst().dropLast()) : token
  }
}
