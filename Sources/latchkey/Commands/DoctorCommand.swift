internal import KeychainClient
internal import KeychainModel
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
    return DoctorFinding(
      level: .broken, check: "daemon", text: refusal.reason.explanation + detail, command: command(refusal, places))
  }

  private static func command(_ refusal: Refusal, _ places: ServicePlaces) -> String {
    switch refusal.reason {
    case .serviceUnavailable where places.chosenSocket != nil: "unset LATCHKEY_SOCKET"
    case .serverNotTrusted where places.chosenSocket != nil: "unset LATCHKEY_SOCKET"
    case .serviceUnavailable where refusal.detail.contains(places.systemSocket): "systemctl start latchkeyd"
    case .serviceUnavailable where refusal.detail.contains("not installed"): "make install"
    case .protocolMismatch: "systemctl restart latchkeyd"
    default: ""
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
      return [row] + (finding.command.isEmpty ? [] : [["", "", "run: \(UntrustedText(finding.command).whole)"]])
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
