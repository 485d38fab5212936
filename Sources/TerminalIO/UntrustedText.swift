/// Bytes that somebody else chose, made fit to be shown on a terminal or in a window.
///
/// What could move the cursor, reverse the reading order, hide or imitate other text is written out: scalars as
/// `\u{..}`, bytes that are not UTF-8 as `\xNN`. Everything visible stays as it is.
public struct UntrustedText: Sendable {
  private let bytes: [UInt8]

  /// The most characters (Unicode scalars, or bytes that are none) of one text that are shown.
  public static let quotedLimit = 80
  /// As ``quotedLimit``, for a whole sentence of our own programs.
  public static let sentenceLimit = 240
  /// Combining marks on one character; more pile up over the neighbouring lines.
  private static let marksPerCharacter = 2

  /// Wraps bytes, UTF-8 or not.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }
  /// Wraps a text.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// Whether there is nothing to show.
  public var isEmpty: Bool { bytes.isEmpty }

  /// The text in quotes, cut after ``quotedLimit`` characters; a cut shows as `…` behind the closing quote, where the
  /// text itself cannot put it.
  public var quoted: String {
    let (text, isCut) = escaped(limit: Self.quotedLimit, escapingQuotes: true)
    return "\"" + text + "\"" + (isCut ? "…" : "")
  }

  /// The text without quotes, cut after ``sentenceLimit`` characters.
  public var sentence: String { cut(after: Self.sentenceLimit) }

  /// The text without quotes, cut after so many characters.
  public func cut(after limit: Int) -> String {
    let (text, isCut) = escaped(limit: limit, escapingQuotes: false)
    return text + (isCut ? "…" : "")
  }

  /// The text without quotes, whole.
  public var whole: String { escaped(limit: .max, escapingQuotes: false).text }

  private func escaped(limit: Int, escapingQuotes: Bool) -> (text: String, isCut: Bool) {
    var shown = ""
    var marks = Self.marksPerCharacter
    var rest = bytes[...]
    for _ in 0..<limit {
      guard let piece = UTF8Piece(taking: &rest) else { return (shown, false) }
      marks = piece.isMark ? marks + 1 : 0
      if case .scalar(let scalar) = piece, marks <= Self.marksPerCharacter, Self.isPlain(scalar) {
        if escapingQuotes, scalar == "\"" || scalar == "\\" { shown += "\\" }
        shown.unicodeScalars.append(scalar)
      } else {
        shown += piece.writtenOut
      }
    }
    return (shown, !rest.isEmpty)
  }

  /// Letters, marks, digits, punctuation, symbols and the plain space; not what is invisible by definition.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x80 { return (0x20...0x7E).contains(scalar.value) }
    if scalar.properties.isDefaultIgnorableCodePoint { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned: return false
    case .lineSeparator, .paragraphSeparator, .spaceSeparator, .enclosingMark: return false
    default: return true
    }
  }
}
