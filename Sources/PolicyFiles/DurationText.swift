/// A span of time as policies write it: `30s`, `5m`, `1h`, or `never` (also `0`) where that makes sense.
struct DurationText {
  /// Whether `never` makes sense.
  let allowsNever: Bool
  /// Seconds that may be written.
  let range: ClosedRange<UInt32>

  /// `reuse.window`: 0 to 24 hours.
  static let window = DurationText(allowsNever: true, range: 0...86_400)
  /// `cache.timeout`: 0 to 24 hours.
  static let timeout = DurationText(allowsNever: true, range: 0...86_400)
  /// `deadline`: 5 seconds to 10 minutes.
  static let deadline = DurationText(allowsNever: false, range: 5...600)

  /// The age of a proof in a test: 1 second to 48 hours.
  static let since = DurationText(allowsNever: false, range: 1...172_800)

  enum Outcome {
    case seconds(UInt32)
    case refused(String)
  }

  /// Reads a scalar's text.
  func read(_ text: String, isPlain: Bool) -> Outcome {
    if text == "never" || (text == "0" && isPlain) {
      return allowsNever ? .seconds(0) : .refused("cannot be never; \(expectation)")
    }
    if let complaint = Self.complaint(about: text) { return .refused("\(complaint); \(expectation)") }
    let digits = text.dropLast()
    guard let unit = Self.units[text.last ?? " "], case .whole = PlainScalar(String(digits)) else {
      return .refused("is no span of time; \(expectation)")
    }
    guard let count = UInt32(digits), case let (seconds, overflow) = count.multipliedReportingOverflow(by: unit),
      !overflow, range.contains(seconds), seconds > 0
    else { return .refused("is outside the bounds; \(expectation)") }
    return .seconds(seconds)
  }

  private static let units: [Character: UInt32] = ["s": 1, "m": 60, "h": 3600]

  /// What is wrong in particular with what people and other tools write.
  private static func complaint(about text: String) -> String? {
    if text.hasPrefix("-") { return "is negative" }
    if text.contains(":") { return "is written with a colon, which some YAML readers take for base 60" }
    if case .whole = PlainScalar(text) { return "has no unit" }
    if let last = text.last, last.isLetter, units[last] == nil { return "has a unit that is not s, m or h" }
    return nil
  }

  private var expectation: String {
    let bounds = "\(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
    return allowsNever
      ? "write 30s, 5m or 1h, up to \(Self.text(range.upperBound)), or never."
      : "write 30s, 5m or 1h, from \(bounds)."
  }

  /// The shortest text for so many seconds.
  static func text(_ seconds: UInt32) -> String {
    if seconds == 0 { return "never" }
    if seconds % 3600 == 0 { return "\(seconds / 3600)h" }
    if seconds % 60 == 0 { return "\(seconds / 60)m" }
    return "\(seconds)s"
  }
}
