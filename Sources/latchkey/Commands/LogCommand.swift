internal import KeychainClient
internal import KeychainModel
internal import TerminalIO

/// `log`: the decisions on protected items.
struct LogCommand: Command {
  static let count = Option("count", short: "n", value: "COUNT", "show the newest COUNT decisions (50)")
  static let manual = Manual(
    "log", "[-n COUNT]", "show the decisions on protected items", options: [count],
    details: "Oldest first. With --json each decision is a line of its own. Never asks for a proof.")

  /// Bounds of `--count`.
  static let counts: ClosedRange<Int> = 1...1_000_000
  /// Most lines of one page (docs/formats/protocol.md).
  private static let page = 200

  let wanted: Int

  init(_ arguments: Arguments) throws(UsageError) {
    try arguments.requireNoOperands()
    wanted = try arguments.number(Self.count, in: Self.counts) ?? 50
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let lines = try read(session)
    switch session.output.format {
    case .json: try session.output.text(lines.map { $0 + "\n" }.joined())
    case .text: try session.output.text(DecisionTable(lines).text)
    }
    return .good
  }

  /// The newest lines, oldest first. Pages come newest first.
  private func read(_ session: Session) throws(Failure) -> [String] {
    var pages: [[String]] = []
    var left = wanted
    var before: UInt64?
    while left > 0 {
      let limit = UInt32(min(left, Self.page))
      let start = before
      let page = try Failure.translating { () throws(Refusal) in
        try session.keychain.log(limit: limit, before: start, options: session.quiet)
      }
      pages.append(page.lines.suffix(left))
      left -= page.lines.count
      guard let next = page.next, next != before, !page.lines.isEmpty else { break }
      before = next
    }
    return pages.reversed().flatMap { $0 }
  }
}

/// Lines of the decision log for people.
struct DecisionTable {
  let text: String

  init(_ lines: [String]) {
    if lines.isEmpty {
      text = ""
      return
    }
    let heading = ["TIME", "SERVICE", "ACTION", "OUTCOME", "METHOD", "PROGRAM"]
    text = Table(rows: [heading] + lines.map(Self.row)).text
  }

  private static func row(_ line: String) -> [String] {
    guard let record = FlatJSON(line) else { return [UntrustedText(line).whole] }
    let cells = [
      record["time"].map(time), record["service"], record["action"], outcome(record), record["method"],
      program(record),
    ]
    return cells.map { cell in cell.map { $0.isEmpty ? "-" : UntrustedText($0).whole } ?? "-" }
  }

  private static func time(_ text: String) -> String { Double(text).map(DateText.text) ?? text }

  private static func outcome(_ record: FlatJSON) -> String? {
    record["reason"].flatMap { $0.isEmpty ? nil : $0 } ?? record["outcome"] ?? "allowed"
  }

  private static func program(_ record: FlatJSON) -> String? {
    // Empty where the daemon could not see which program it was.
    let program = record["program"].flatMap { $0.isEmpty ? nil : $0 } ?? "unknown program"
    return record["pid"].map { "\(program) (\($0))" } ?? program
  }
}
