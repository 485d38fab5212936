/// A place in a text; both numbers count from 1, the column in characters.
public struct YAMLMark: Hashable, Sendable, Comparable {
  /// The line.
  public let line: Int
  /// The column.
  public let column: Int

  /// The first character of a text.
  public static let start = YAMLMark(line: 1, column: 1)

  init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Earlier in the text.
  public static func < (left: Self, right: Self) -> Bool { (left.line, left.column) < (right.line, right.column) }
}

/// What libyaml reads, one step at a time.
struct YAMLEvent {
  var kind: Kind
  /// Where it begins.
  var start: YAMLMark
  /// The first place behind it.
  var end: YAMLMark
  /// Whether an anchor (`&name`) stands before it.
  var isAnchored = false
  /// Whether a tag (`!name`) stands before it.
  var isTagged = false

  enum Kind {
    case documentStart(hasDirectives: Bool)
    case documentEnd
    case alias
    case scalar(String, YAMLScalarStyle)
    case sequenceStart
    case sequenceEnd
    case mappingStart
    case mappingEnd
    case streamEnd
  }
}

/// How a scalar is written.
enum YAMLScalarStyle: Sendable {
  /// Without quotes: readers may take it for a number, a truth value or nothing.
  case plain
  /// In quotes of either kind: always text.
  case quoted
  /// As a block (`|` or `>`).
  case block
}

/// Why libyaml stopped.
struct YAMLSyntaxError: Error {
  var place: YAMLMark
  var message: String
}
