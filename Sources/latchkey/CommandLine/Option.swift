/// One option of a command.
struct Option: Sendable {
  /// The name behind the two dashes.
  let long: String
  /// The letter behind one dash, or `nil`.
  let short: Character?
  /// What its value is called in the help; `nil` for an option without one.
  let value: String?
  /// What it does, for the help.
  let summary: String

  init(_ long: String, short: Character? = nil, value: String? = nil, _ summary: String) {
    self.long = long
    self.short = short
    self.value = value
    self.summary = summary
  }

  /// As it is written: "-s, --service SERVICE".
  var spelling: String {
    (short.map { "-\($0), " } ?? "    ") + "--\(long)" + (value.map { " \($0)" } ?? "")
  }
}

extension Option {
  static let json = Option("json", "answer with JSON on standard output")
  static let noPrompt = Option("no-prompt", "never ask anything; refuse where a proof is needed (36)")
  static let passcodeFD = Option(
    "passcode-fd", value: "N", "hand in the passcode: read it from descriptor N instead of prompting")
  static let help = Option("help", short: "h", "say what the command does")
  static let version = Option("version", "say which version this is")

  /// Those that every command takes.
  static let global = [json, noPrompt, passcodeFD, help, version]

  static let service = Option("service", short: "s", value: "SERVICE", "the item's service")
  static let account = Option("account", short: "a", value: "ACCOUNT", "the item's account")
}
