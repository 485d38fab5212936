public import AccessPolicy
public import KeychainModel

/// Prints policies in the one canonical form: a line for each key, always in the same order.
public enum PolicyPrinter {
  /// The text of a file; it parses to an equal file.
  public static func text(of file: PolicyFile) -> String {
    line("service", quotedIfNeeded(file.pattern.text)) + body(file.policy, file.stated)
  }

  /// The text of an effective policy for one service. Every key stands in it; `callers` only where there are any.
  ///
  /// The meet of layers can hold what no single file may say (`methods: []`, `requireAlso`), so this is for people and digests.
  public static func text(of policy: ServicePolicy, for service: ExactText) -> String {
    line("service", quoted(service.string)) + body(policy, Set(PolicyKey.allCases))
  }

  private static func body(_ policy: ServicePolicy, _ stated: Set<PolicyKey>) -> String {
    var text = ""
    if stated.contains(.require) { text += require(policy.require) + requireAlso(policy.requireAlso) }
    if stated.contains(.methods) { text += line("methods", list(PolicyWords.methods, policy.methods)) }
    if stated.contains(.tries) { text += line("tries", String(policy.tries)) }
    if stated.contains(.deadline) { text += line("deadline", DurationText.text(policy.deadlineSeconds)) }
    if stated.contains(.remote) { text += line("remote", word(PolicyWords.remote, policy.remote)) }
    text += pairs(
      "reuse",
      stated.contains(.window) ? ("window", DurationText.text(policy.reuse.windowSeconds)) : nil,
      stated.contains(.scope) ? ("scope", word(PolicyWords.scope, policy.reuse.scope)) : nil)
    text += pairs(
      "cache",
      stated.contains(.timeout) ? ("timeout", DurationText.text(policy.cacheTimeoutSeconds)) : nil,
      stated.contains(.dropOn) ? ("dropOn", list(PolicyWords.dropOn, policy.dropOn)) : nil)
    if stated.contains(.callers), let callers = policy.callers { text += self.callers(callers) }
    return text
  }

  private static func line(_ key: String, _ value: String) -> String { "\(key): \(value)\n" }

  private static func pairs(_ key: String, _ first: (String, String)?, _ second: (String, String)?) -> String {
    let entries = [first, second].compactMap { $0 }.map { "\($0.0): \($0.1)" }
    return entries.isEmpty ? "" : line(key, "{\(entries.joined(separator: ", "))}")
  }

  private static func require(_ flags: AccessControlFlags) -> String {
    let joiner = PolicyWords.join.filter { flags.contains($0.1) }.map { line("join", $0.0) }.joined()
    let others = flags.subtracting([.or, .and]).names
    return line("require", "[\(others.joined(separator: ", "))]") + joiner
  }

  /// Floors that meet without going into one set; only effective policies have them.
  private static func requireAlso(_ floors: [AccessControlFlags]) -> String {
    if floors.isEmpty { return "" }
    return line("requireAlso", "[\(floors.map { "[\($0.names.joined(separator: ", "))]" }.joined(separator: ", "))]")
  }

  private static func list<Value: OptionSet>(_ words: [(String, Value)], _ set: Value) -> String
  where Value.Element == Value {
    "[\(words.filter { set.contains($0.1) }.map(\.0).joined(separator: ", "))]"
  }

  private static func word<Value: Equatable>(_ words: [(String, Value)], _ value: Value) -> String {
    words.first { $0.1 == value }?.0 ?? ""
  }

  private static func callers(_ rules: [CallerRule]) -> String {
    if rules.isEmpty { return line("callers", "[]") }
    return "callers:\n"
      + rules.map { rule in
        let groups = rule.groups.map { quotedIfNeeded($0.string) }.joined(separator: ", ")
        return "  - {executable: \(quotedIfNeeded(rule.executable)), groups: [\(groups)]}\n"
      }.joined()
  }

  /// Plain where every YAML reader takes it for this very text, else in double quotes.
  private static func quotedIfNeeded(_ text: String) -> String {
    let safe = text.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "_"): true
      case UInt8(ascii: "-"): true
      default: false
      }
    }
    if safe, text.utf8.first.map({ $0 != UInt8(ascii: "-") }) == true, case .text = PlainScalar(text) { return text }
    return quoted(text)
  }

  /// In double quotes; whatever ``PolicyText`` refuses raw is escaped.
  private static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      default: out += PolicyText.stands(scalar) ? String(scalar) : escape(scalar)
      }
    }
    return out + "\""
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let width = scalar.value > 0xFFFF ? 8 : 4
    return (width == 8 ? "\\U" : "\\u") + String(repeating: "0", count: width - digits.count) + digits
  }
}
