internal import KeychainClient
internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory
internal import TerminalIO

/// Why a command did not do what it was to do.
struct Failure: Error, Equatable {
  /// The stable code: one of docs/reasons.md, or `usage`.
  let code: String
  let status: KeychainStatus
  let exit: ExitStatus
  /// What happened, one sentence.
  let message: String
  /// What it is about; shown escaped, since others may have chosen it.
  let detail: String
  /// What to do next, one sentence.
  let nextStep: String

  /// The daemon, or the way to it, refused.
  init(_ refusal: Refusal) {
    let nextStep =
      refusal.detail == ServicePlaces.relativeSocket
      ? "Set LATCHKEY_SOCKET to a path that begins with '/', or unset it."
      : FingerAlone.nextStep(refusal) ?? refusal.reason.nextStep
    self.init(refusal.reason, refusal.reason.explanation, detail: refusal.detail, nextStep: nextStep)
  }

  /// As a refusal of this reason, told in words of this program's own.
  init(_ reason: Reason, _ message: String, detail: String = "", nextStep: String) {
    code = reason.rawValue
    status = reason.status
    exit = ExitStatus(reason.status)
    self.message = message
    self.detail = detail
    self.nextStep = nextStep
  }

  /// The command line asks for nothing that there is.
  init(_ usage: UsageError) {
    code = "usage"
    status = .param
    exit = .usage
    message = usage.message
    detail = ""
    nextStep = usage.hint ?? usage.command.map { "Try 'latchkey \($0) --help'." } ?? "Try 'latchkey --help'."
  }

  /// A file, or one of the standard streams, failed.
  init(_ what: String, _ action: FileAction, _ errno: Errno) {
    self.init(
      errno.isFullDisk ? .diskFull : .ioFailed, "\(what) cannot be \(action.rawValue).", detail: errno.words,
      nextStep: errno.mend)
  }

  /// What was done to a file.
  enum FileAction: String { case read, written }

  /// The same with more to say.
  func adding(_ more: String) -> Failure {
    Failure(code, status, exit, message, detail: detail.isEmpty ? more : "\(detail); \(more)", nextStep: nextStep)
  }

  private init(
    _ code: String, _ status: KeychainStatus, _ exit: ExitStatus, _ message: String, detail: String, nextStep: String
  ) {
    self.code = code
    self.status = status
    self.exit = exit
    self.message = message
    self.detail = detail
    self.nextStep = nextStep
  }

  /// One line for people.
  var line: String {
    let detail = detail.isEmpty ? "" : " (\(UntrustedText(detail).sentence))"
    // A message may hold a word of the command line or a file's name.
    let message = UntrustedText(message.hasSuffix(".") ? String(message.dropLast()) : message).whole
    return "latchkey: \(message)\(detail). \(nextStep)"
  }

  /// One object for programs.
  var json: JSONText {
    .object([
      "reason": .string(code), "detail": .string(detail), "message": .string(message), "nextStep": .string(nextStep),
      "status": .number(Int64(status.rawValue)),
    ])
  }
}

/// A command line that asks for nothing that there is.
struct UsageError: Error, Equatable {
  let message: String
  /// The command it is about, or `nil`.
  var command: String?
  /// What to do instead, one sentence; `nil` for a look at the help.
  var hint: String?

  init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }

  /// No command has this name; the one that was meant, where it can be told.
  init(noCommand name: String) {
    let meant = NearestName(to: name, among: Program.commands.map { $0.manual.name }).name
    self.init(
      "there is no command '\(name)'.",
      hint: meant.map { "Did you mean '\($0)'? 'latchkey --help' lists all." } ?? "Try 'latchkey --help'.")
  }
}

extension Errno {
  /// ENOSPC, EDQUOT.
  var isFullDisk: Bool { self == .noSpace || self == .quotaExceeded }

  /// What to do about a file, one sentence.
  fileprivate var mend: String {
    switch self {
    case .noSpace, .quotaExceeded: "Free some space and try again."
    case .noSuchFile, .notDirectory: "Check the name and that its folder is there."
    case .accessDenied, .notPermitted: "Check its permissions and those of its folder."
    default: "Check it and try again."
    }
  }
}

extension Failure {
  /// Does something that throws a refusal.
  static func translating<Result: ~Copyable>(_ body: () throws(Refusal) -> Result) throws(Failure) -> Result {
    do throws(Refusal) { return try body() } catch { throw Failure(error) }
  }

  /// Does something that needs locked memory.
  static func locking<Result: ~Copyable>(_ body: () throws(SecretMemoryError) -> Result) throws(Failure) -> Result {
    do throws(SecretMemoryError) { return try body() } catch { throw Failure(Refusal(.outOfMemory)) }
  }
}
