internal import PolicyFiles
internal import TerminalIO

/// What a command has to say, for people or for programs.
struct Report {
  let format: Invocation.Format
  /// What goes to standard output.
  private(set) var output = ""
  /// What goes to standard error.
  private(set) var errors = ""

  init(format: Invocation.Format) { self.format = format }

  /// Says a line to people.
  mutating func say(_ line: String) {
    if format == .text { output += line + "\n" }
  }

  /// Says where something is wrong, to people, in one line or several. Names of files and words of the command line may be others' choice.
  mutating func complain(_ line: String) {
    guard format == .text else { return }
    for part in line.split(separator: "\n", omittingEmptySubsequences: false) {
      errors += UntrustedText(String(part)).whole + "\n"
    }
  }

  /// Says something to programs: one value, one line.
  mutating func answer(_ value: JSONText) {
    if format == .json { output += value.text + "\n" }
  }
}

/// How a command ends: the exit status.
enum Ending: UInt8 {
  /// Nothing is wrong.
  case good = 0
  /// Something was found, or refused.
  case findings = 1
  /// The command line asks for nothing that there is.
  case usage = 2
}

/// A value in JSON, RFC 8259.
struct JSONText {
  let text: String

  private init(_ text: String) { self.text = text }

  static func string(_ string: String) -> JSONText {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      default: text += scalar.value < 0x20 || scalar.value == 0x7F ? escape(scalar) : String(scalar)
      }
    }
    return JSONText(text + "\"")
  }

  static func number(_ number: Int) -> JSONText { JSONText(String(number)) }

  static func truth(_ truth: Bool) -> JSONText { JSONText(truth ? "true" : "false") }

  static func list(_ items: [JSONText]) -> JSONText { JSONText("[" + items.map(\.text).joined(separator: ",") + "]") }

  static func object(_ entries: KeyValuePairs<String, JSONText>) -> JSONText {
    JSONText("{" + entries.map { "\(string($0.key).text):\($0.value.text)" }.joined(separator: ",") + "}")
  }

  static func fault(_ fault: PolicyFault) -> JSONText {
    object([
      "file": string(fault.file), "line": number(fault.line), "column": number(fault.column),
      "message": string(fault.message),
    ])
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
