internal import KeychainModel

/// `--require`, `--join` and `--accessible`: when and on which proof an item opens.
struct AccessOptions: Equatable, Sendable {
  static let require = Option("require", value: "FLAG[,FLAG]", "the proof a read demands; see below")
  static let join = Option("join", value: "or|and", "whether one of the flags is enough or all are needed (and)")
  static let accessible = Option("accessible", value: "CLASS", "when the item may be opened; see below")
  static let options = [require, join, accessible]

  /// What the help says of the words.
  static let details = """
    Flags: \(flags.map(\.name).joined(separator: ", ")).
    Classes: \(Accessibility.allCases.map(\.name).joined(separator: ", "));
    whenUnlocked where nothing is said.
    """

  private static let flags = AccessControlFlags.named.filter { $0.flag != .or && $0.flag != .and }

  /// What was asked for, or `nil` where nothing was.
  let accessControl: AccessControl?

  init(_ arguments: Arguments) throws(UsageError) {
    var flags: AccessControlFlags = []
    for name in try arguments.text(Self.require)?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
      guard let flag = Self.flags.first(where: { $0.name == name })?.flag else {
        throw UsageError("there is no flag '\(name)'; there are \(Self.flags.map(\.name).joined(separator: ", ")).")
      }
      flags.insert(flag)
    }
    switch try arguments.text(Self.join) {
    case nil: break
    case "or": flags.insert(.or)
    case "and": flags.insert(.and)
    default: throw UsageError("--join wants 'or' or 'and'.")
    }
    let accessibility = try Self.accessibility(try arguments.text(Self.accessible))
    let isGiven = Self.options.contains { arguments.has($0) }
    do throws(AccessControlError) {
      accessControl = isGiven ? try AccessControl(accessibility: accessibility, flags: flags) : nil
    } catch { throw UsageError(error.explanation) }
  }

  private static func accessibility(_ name: String?) throws(UsageError) -> Accessibility {
    guard let name else { return .whenUnlocked }
    guard let found = Accessibility(name: name) else {
      throw UsageError(
        "there is no class '\(name)'; there are \(Accessibility.allCases.map(\.name).joined(separator: ", ")).")
    }
    return found
  }
}
