/// What YAML readers take an unquoted scalar for. YAML 1.1 and 1.2 differ here, so whatever either takes for something else
/// than text is not text to us: it must be quoted.
enum PlainScalar {
  case nothing
  case truth
  /// Digits without a leading zero, as both versions read them.
  case whole
  /// A number, a date or base 60, or something that looks like one.
  case numberLike
  case merge
  case text

  init(_ text: String) {
    switch text {
    case "", "~", "null", "Null", "NULL": self = .nothing
    case "<<", "=": self = .merge
    default:
      if Self.truths.contains(text.lowercased()) {
        self = .truth
      } else if Self.isWhole(text) {
        self = .whole
      } else {
        self = Self.looksLikeNumber(text) ? .numberLike : .text
      }
    }
  }

  private static let truths: Set<String> = ["y", "yes", "n", "no", "true", "false", "on", "off"]

  private static func isWhole(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
    return first != UInt8(ascii: "0") || text.utf8.count == 1
  }

  /// Begins like a number and holds only what numbers, dates and base 60 are written with.
  private static func looksLikeNumber(_ text: String) -> Bool {
    let lower = text.lowercased()
    let unsigned = lower.drop { $0 == "+" || $0 == "-" }
    if [".inf", ".nan"].contains(unsigned) { return true }
    guard unsigned.drop(while: { $0 == "." }).first.map({ ("0"..."9").contains($0) }) == true else { return false }
    let allowed = Set("0123456789abcdefxotz_:.,+- ")
    return lower.allSatisfy { allowed.contains($0) }
  }

  /// Why an unquoted scalar is not taken for text, or `nil` where it is.
  var refusalAsText: String? {
    switch self {
    case .nothing: "is empty"
    case .truth: "is a truth value to some YAML readers; write it in quotes"
    case .whole, .numberLike: "looks like a number or a date; write it in quotes"
    case .merge: "is a merge sign to some YAML readers; write it in quotes"
    case .text: nil
    }
  }
}
