internal import TerminalIO

/// What the command line asks for.
struct Invocation: Equatable {
  var command: Command
  var format: Format = .text
  var prompt = PromptOptions()

  enum Command: Equatable {
    /// Of one command, or of all.
    case help(String?)
    case version
    case check(paths: [String], stacks: [String])
    case test(files: [String])
    case explain(service: String)
    case diff(file: String)
    case apply(file: String)
    case remove(service: String)
    case list
  }

  /// How the answer is written.
  enum Format: Equatable { case text, json }

  /// Reads the words behind the program's name.
  init(_ arguments: [String]) throws(UsageError) {
    let words = Words(arguments)
    if let fault = words.fault { throw fault }
    format = words.wantsJSON ? .json : .text
    prompt = words.prompt
    if words.wantsHelp {
      command = .help(words.positional.first.flatMap { Self.verbs.contains($0) ? $0 : nil })
      return
    }
    if words.wantsVersion {
      command = .version
      return
    }
    guard let verb = words.positional.first else { throw UsageError("name a command.") }
    if !words.stacks.isEmpty, verb != "check" { throw UsageError("--pam belongs to 'check'.") }
    command = try Self.command(verb, Array(words.positional.dropFirst()), stacks: words.stacks)
  }

  init(command: Command, format: Format = .text, prompt: PromptOptions = PromptOptions()) {
    self.command = command
    self.format = format
    self.prompt = prompt
  }

  static let verbs = ["check", "test", "explain", "diff", "apply", "remove", "list"]

  private static func command(_ verb: String, _ operands: [String], stacks: [String]) throws(UsageError) -> Command {
    switch verb {
    case "help" where operands.count <= 1:
      guard let topic = operands.first else { return .help(nil) }
      guard verbs.contains(topic) else { throw unknown(topic) }
      return .help(topic)
    case "help": throw UsageError("'help' wants one command, or none.")
    case "check" where !operands.isEmpty || !stacks.isEmpty: return .check(paths: operands, stacks: stacks)
    case "check": throw UsageError("'check' wants files or folders.")
    case "test" where !operands.isEmpty: return .test(files: operands)
    case "test": throw UsageError("'test' wants files.")
    case "list" where operands.isEmpty: return .list
    case "list": throw UsageError("'list' wants nothing more.")
    case "explain": return .explain(service: try only(operands, of: verb, "one service"))
    case "remove": return .remove(service: try only(operands, of: verb, "one service"))
    case "diff": return .diff(file: try only(operands, of: verb, "one file"))
    case "apply": return .apply(file: try only(operands, of: verb, "one file"))
    default: throw unknown(verb)
    }
  }

  private static func unknown(_ verb: String) -> UsageError {
    let meant = NearestName(to: verb, among: verbs).name.map { " Did you mean '\($0)'?" }
    return UsageError("there is no command '\(verb)'.\(meant ?? " There are \(verbs.joined(separator: ", ")).")")
  }

  private static func only(_ operands: [String], of verb: String, _ what: String) throws(UsageError) -> String {
    guard operands.count == 1 else { throw UsageError("'\(verb)' wants \(what).") }
    return operands[0]
  }
}

/// How a proof may be asked for.
struct PromptOptions: Equatable {
  /// Whether a prompt is welcome; `--no-prompt`.
  var isAllowed = true
  /// The descriptor that the passcode is read from; `--passcode-fd`.
  var passcodeDescriptor: Int32?
}

/// A command line that asks for nothing that there is.
struct UsageError: Error, Equatable {
  var message: String
  init(_ message: String) { self.message = message }
}

/// The command line sorted into options and the rest; behind `--` everything is the rest.
private struct Words {
  var positional: [String] = []
  var stacks: [String] = []
  var wantsHelp = false
  var wantsJSON = false
  var wantsVersion = false
  var prompt = PromptOptions()
  var fault: UsageError?

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--":
        positional += rest
        return
      case "--help", "-h": wantsHelp = true
      case "--version": wantsVersion = true
      case "--json": wantsJSON = true
      case "--no-prompt": prompt.isAllowed = false
      case "--pam": if let folder = value(of: word, &rest, "a folder") { stacks.append(folder) }
      case "--passcode-fd": readDescriptor(value(of: word, &rest, "a descriptor"))
      default:
        if word.hasPrefix("-"), word != "-" { fault = fault ?? UsageError("there is no option '\(word)'.") }
        positional.append(word)
      }
    }
  }

  private mutating func value(of option: String, _ rest: inout ArraySlice<String>, _ what: String) -> String? {
    let value = rest.popFirst()
    if value == nil { fault = fault ?? UsageError("\(option) wants \(what).") }
    return value
  }

  private mutating func readDescriptor(_ text: String?) {
    guard let text else { return }
    guard let number = Int32(text), number >= 0 else {
      fault = fault ?? UsageError("'\(text)' is no descriptor.")
      return
    }
    prompt.passcodeDescriptor = number
  }
}
