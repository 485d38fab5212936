internal import KeychainClient
internal import KeychainModel
internal import LinuxSystem
internal import TerminalIO

/// `doctor`: says what is wrong and the one command that mends it. Changes nothing.
struct DoctorCommand: Command {
  static let manual = Manual(
    "doctor", "", "say what is wrong and what mends it",
    details: "Changes nothing and asks for no proof. Ends with 53 where something is broken.")

  init(_ arguments: Arguments) throws(UsageError) { try arguments.requireNoOperands() }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let findings = examine(session)
    try session.output.answer(FindingsText(findings).json, orText: FindingsText(findings).lines)
    return findings.contains { $0.level == .broken } ? ExitStatus(.notAvailable) : .good
  }

  /// A daemon that cannot be asked is a finding too.
  private func examine(_ session: Session) -> [DoctorFinding] {
    do throws(Refusal) {
      let findings = try session.keychain.doctor(options: session.quiet)
      return [DoctorFinding(level: .fine, check: "daemon", text: "the daemon answers")] + findings
    } catch { return [DaemonDiagnosis.finding(error, places: .ofThisProcess())] }
  }
}

/// Why the daemon cannot be asked, and what mends it.
enum DaemonDiagnosis {
  static func finding(_ refusal: Refusal, places: ServicePlaces) -> DoctorFinding {
    let detail = refusal.detail.isEmpty ? "" : " (\(refusal.detail))"
    let command = command(refusal, places)
    // To a doctor that was asked already, its own name is no advice.
    let nextStep =
      command.isEmpty && !refusal.reason.nextStep.contains("latchkey doctor") ? refusal.reason.nextStep : ""
    return DoctorFinding(
      level: .broken, check: "daemon",
      text: refusal.reason.explanation + detail + (nextStep.isEmpty ? "" : ". \(nextStep)"), command: command)
  }

  private static func command(_ refusal: Refusal, _ places: ServicePlaces) -> String {
    switch refusal.reason {
    case .serviceUnavailable where places.chosenSocket != nil: "unset LATCHKEY_SOCKET"
    case .serverNotTrusted where places.chosenSocket != nil: "unset LATCHKEY_SOCKET"
    case .serviceUnavailable where refusal.detail.contains(places.systemSocket): systemDaemon(places)
    case .serviceUnavailable where refusal.detail.contains("not installed"): "make install"
    default: ""
    }
  }

  /// The system's daemon, where it is installed.
  private static func systemDaemon(_ places: ServicePlaces) -> String {
    let program = places.daemonPrograms.first { (try? Files.facts($0))?.kind == .regular }
    return program.map { "\(ShellWord($0)) --system" } ?? "make install"
  }
}

/// Whether a command that mends something is for root.
enum RootCommand {
  private static let programs: Set<String> = [
    "apt-get", "chage", "chown", "faillock", "fprintd-enroll", "passwd", "prlimit", "usermod",
  ]

  /// An ordinary user mends what is that user's own.
  static func isNeeded(for command: String, user: UInt32 = Users.effectiveUserID) -> Bool {
    let words = command.split(separator: " ").map(String.init)
    guard user != 0, let program = words.first else { return false }
    switch program {
    case "passwd", "fprintd-enroll": return words.contains { $0.hasPrefix("-") }
    case "chmod", "rm": return (try? Files.factsNoFollow(words.last ?? ""))?.owner != user
    default: return programs.contains(program) || program.hasSuffix("/latchkeyd")
    }
  }
}

/// How findings are shown.
struct FindingsText {
  let findings: [DoctorFinding]

  init(_ findings: [DoctorFinding]) { self.findings = findings }

  /// For programs.
  var json: JSONText {
    .object([
      "findings": .list(
        findings.map {
          .object([
            "level": .string(Self.word($0.level)), "check": .string($0.check), "text": .string($0.text),
            "command": $0.command.isEmpty ? .null : .string($0.command),
          ])
        }),
      "broken": .number(Int64(findings.count { $0.level == .broken })),
      "warnings": .number(Int64(findings.count { $0.level == .warning })),
    ])
  }

  /// For people: the worst first, each with its command under it.
  var lines: String {
    let sorted = findings.sorted { $0.level.rawValue > $1.level.rawValue }
    let rows = sorted.flatMap { finding in
      let row = [Self.word(finding.level), UntrustedText(finding.check).whole, UntrustedText(finding.text).whole]
      let run = RootCommand.isNeeded(for: finding.command) ? "run as root" : "run"
      return [row] + (finding.command.isEmpty ? [] : [["", "", "\(run): \(UntrustedText(finding.command).whole)"]])
    }
    return Table(rows: rows).text
  }

  private static func word(_ level: DoctorLevel) -> String {
    switch level {
    case .fine: "fine"
    case .warning: "warning"
    case .broken: "broken"
    }
  }
}
