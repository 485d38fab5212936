internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import PAMModel

/// Whether the PAM stacks can be used.
struct StackCheckup: MachineCheck {
  let places: DaemonPlaces

  func findings() -> [DoctorFinding] {
    [check(.passcode, level: .broken), checker].compactMap { $0 }
  }

  private func check(_ name: StackName, level: DoctorLevel) -> DoctorFinding {
    do throws(Refusal) {
      let stack = try StackFinder(places: places).find(name)
      return DoctorFinding(level: .fine, check: "pam-stack", text: "\(stack.directory)/\(name.text)")
    } catch {
      return DoctorFinding(
        level: level, check: "pam-stack", text: "\(error.reason.rawValue): \(error.detail)", command: mend(name, error))
    }
  }

  /// What was shipped is right: a stack of the administrator's that is not gives way to it.
  private func mend(_ name: StackName, _ refusal: Refusal) -> String {
    guard let first = places.pamFolders.first, let shipped = places.pamFolders.dropFirst().last else {
      return "latchkey policy check --pam \(ShellWord(places.pamFolders.first ?? ""))"
    }
    let own = "\(first)/\(name.text)"
    if refusal.reason != .stackMissing, (try? Files.factsNoFollow(own)) != nil { return "rm \(ShellWord(own))" }
    return (try? Files.facts(shipped)) == nil ? "make install" : "latchkey policy check --pam \(ShellWord(shipped))"
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
