internal import KeychainModel
internal import KeychainService
internal import LinuxSystem

/// Whether a finger could be shown. A machine without a reader is none the worse for it.
struct ReaderCheck: MachineCheck {
  let report: ReaderReport
  /// The set that items are bound to.
  let set: EnrolmentState
  let account: UserAccountName

  func findings() -> [DoctorFinding] {
    [finding, lid, templates].compactMap { $0 }
  }

  /// Whether what fprintd says and what it stores agree.
  private var templates: DoctorFinding? {
    guard case .success = report.fingers else { return nil }
    let text: String
    switch set {
    case .enrolled: return nil
    case .named(_, let refusal), .unavailable(let refusal):
      text = "\(refusal.reason.rawValue): \(refusal.detail); biometryCurrentSet is refused"
    case .nothingEnrolled:
      text = "fprintd knows fingers and the folder of --fingerprints holds none of \(account.name)"
    }
    return DoctorFinding(level: .warning, check: "fingerprints", text: text)
  }

  private var finding: DoctorFinding {
    switch report.fingers {
    case .success(let names):
      return DoctorFinding(
        level: .fine, check: "reader",
        text: "\(report.reader ?? "a reader") knows \(names.joined(separator: ", ")) of \(account.name)")
    case .failure(let refusal):
      let detail = refusal.detail.isEmpty ? "" : ": \(refusal.detail)"
      let text = "\(refusal.reason.rawValue)\(detail)"
      switch refusal.reason {
      case .biometryNotEnrolled:
        return DoctorFinding(
          level: .fine, check: "reader", text: text, command: "fprintd-enroll \(ShellWord(account.name))")
      case .biometryNotAvailable: return DoctorFinding(level: .fine, check: "reader", text: text)
      default:
        return DoctorFinding(
          level: .warning, check: "reader", text: text, command: "fprintd-verify \(ShellWord(account.name))")
      }
    }
  }

  private var lid: DoctorFinding? {
    guard report.lid == .closed else { return nil }
    return DoctorFinding(level: .warning, check: "lid", text: "the lid is shut: no finger is asked for")
  }
}
