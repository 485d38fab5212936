internal import KeychainModel
internal import LinuxSystem

/// `policy`: becomes latchkey-policy, so that this program does not link the parser of policy files.
struct PolicyCommand: Command {
  static let manual = Manual(
    "policy", "COMMAND ...", "check, explain, test, diff and apply policy files",
    details:
      "'latchkey policy --help' lists its commands, 'latchkey policy COMMAND --help' says more; see latchkey-policy(1).",
    passesOn: true)

  let words: [[UInt8]]

  init(_ arguments: Arguments) throws(UsageError) { words = arguments.operands }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let places = ProgramPlaces.places(of: "latchkey-policy", own: try? ThisProcess.executablePath())
    for place in places where (try? Files.facts(place))?.kind == .regular {
      let errno = ThisProcess.become(
        place, arguments: [Array("latchkey-policy".utf8)] + globals(session.globals) + words)
      throw Failure(
        .internalFailure, "\(place) cannot be run.", detail: errno.words, nextStep: "Install Latchkey again.")
    }
    throw Failure(
      .internalFailure, "latchkey-policy is not installed.", detail: places.joined(separator: ", "),
      nextStep: "Install Latchkey again.")
  }

  /// What was said before the command's name.
  private func globals(_ globals: GlobalOptions) -> [[UInt8]] {
    var words: [String] = globals.format == .json ? ["--json"] : []
    if globals.prompting == .refused { words.append("--no-prompt") }
    if let number = globals.passcodeDescriptor { words += ["--passcode-fd", String(number)] }
    return words.map { Array($0.utf8) }
  }
}

/// Where a program of Latchkey's own is looked for; never PATH, never an environment variable.
enum ProgramPlaces {
  /// Where packages install them.
  static let installed = ["/usr/libexec/latchkey", "/usr/local/libexec/latchkey"]

  /// This program's own folder (a build), `../libexec/latchkey` as seen from it, then the installed places.
  static func places(of program: String, own: String?) -> [String] {
    var folders: [String] = []
    if let own, let slash = own.lastIndex(of: "/") {
      let folder = own[..<slash]
      folders.append(String(folder))
      if let above = folder.lastIndex(of: "/") { folders.append("\(folder[..<above])/libexec/latchkey") }
    }
    return (folders + installed).map { "\($0)/\(program)" }
  }
}
