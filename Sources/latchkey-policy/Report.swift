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

extension JSONText {
  static func fault(_ fault: PolicyFault) -> JSONText {
    object([
      "file": string(fault.file), "line": number(Int64(fault.line)), "column": number(Int64(fault.column)),
      "message": string(fault.message),
    ])
  }
}
