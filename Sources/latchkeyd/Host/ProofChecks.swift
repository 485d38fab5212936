internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import PAMModel

/// Whether the PAM stacks can be used.
struct StackCheckup: MachineCheck {
  let places: DaemonPlaces
  /// What is known of the fingerprint reader: without one nobody misses the stack for fingers.
  let reader: ReaderReport

  func findings() -> [DoctorFinding] {
    [check(.passcode, level: .broken), check(.biometry, level: .warning), checker].compactMap { $0 }
  }

  private func check(_ name: StackName, level: DoctorLevel) -> DoctorFinding {
    do throws(StackFault) {
      let stack = try StackFinder(places: places).search(name)
      return DoctorFinding(level: .fine, check: "pam-stack", text: "\(stack.directory)/\(name.text)")
    } catch {
      let refusal = error.refusal
      return DoctorFinding(
        level: isMissed(error) ? level : .fine, check: "pam-stack",
        text: "\(refusal.reason.rawValue): \(refusal.detail)", command: mend(name, error))
    }
  }

  /// A machine without a reader need not have the module for it.
  private func isMissed(_ fault: StackFault) -> Bool {
    guard case .flawed(_, let flaw, _) = fault, flaw.reason == .missingModule,
      case .failure(let refusal) = reader.fingers, refusal.reason == .biometryNotAvailable
    else { return true }
    return flaw.module.flatMap(ModulePackage.name) != "libpam-fprintd"
  }

  private func mend(_ name: StackName, _ fault: StackFault) -> String {
    switch fault {
    case .untrusted(let path, let component):
      component.reason.command(for: component.path) ?? giveWay(name, path)
    case .flawed(_, _, let component?):
      component.reason.command(for: component.path) ?? checking
    case .flawed(let path, let flaw, nil) where flaw.reason == .missingModule:
      flaw.module.flatMap(ModulePackage.name).map { "apt-get install --reinstall \($0)" } ?? giveWay(name, path)
    case .flawed(let path, _, nil), .notFile(let path), .unreadable(let path, _): giveWay(name, path)
    case .missing: "make install"
    }
  }

  /// What was shipped is right: a stack of the administrator's that is not gives way to it.
  private func giveWay(_ name: StackName, _ path: String) -> String {
    guard let shipped, let first = places.pamFolders.first, path.hasPrefix(first + "/") else { return checking }
    return (try? Files.facts("\(shipped)/\(name.text)")) == nil ? "make install" : "rm \(ShellWord(path))"
  }

  private var shipped: String? { places.pamFolders.dropFirst().last }

  private var checking: String {
    "latchkey policy check --pam \(ShellWord(places.pamFolders.last ?? ""))"
  }

  /// Without root's rights pam_unix asks this program, which must get the shadow group's.
  private var checker: DoctorFinding? {
    guard places.mode == .user, Users.effectiveUserID != 0 else { return nil }
    let path = "/usr/sbin/unix_chkpwd"
    guard let facts = try? Files.facts(path), facts.owner == 0 else {
      return DoctorFinding(
        level: .warning, check: "unix-chkpwd", text: "\(path) is missing: pam_unix cannot verify this user's passcode",
        command: "apt-get install --reinstall libpam-modules-bin")
    }
    guard facts.mode & 0o6000 != 0 else {
      return DoctorFinding(
        level: .broken, check: "unix-chkpwd", text: "\(path) is not set-group-id: every passcode is refused",
        command: "chmod g+s \(path)")
    }
    return DoctorFinding(level: .fine, check: "unix-chkpwd", text: path)
  }
}

/// Whether the account has a passcode that can be proved.
struct PasscodeCheck: MachineCheck {
  let account: UserAccountName

  func findings() -> [DoctorFinding] {
    do throws(Refusal) {
      try AccountFacts(account).requirePasscode()
      return [DoctorFinding(level: .fine, check: "passcode", text: "\(account.name) can prove a passcode")]
    } catch {
      return [
        DoctorFinding(
          level: .broken, check: "passcode", text: "\(account.name): \(error.reason.rawValue)",
          command: mend(error.reason))
      ]
    }
  }

  private func mend(_ reason: Reason) -> String {
    switch reason {
    case .accountLocked: "passwd -u \(ShellWord(account.name))"
    case .accountExpired: "chage -E -1 \(ShellWord(account.name))"
    case .cannotVerifyPasscodes: "getent passwd \(account.uid)"
    default: "passwd \(ShellWord(account.name))"
    }
  }
}
