internal import KeychainModel
internal import LinuxSystem

/// Whether helper and prompter are there, and whose they are.
struct ProgramCheck: MachineCheck {
  let places: DaemonPlaces

  func findings() -> [DoctorFinding] {
    [check("pam-helper", places.helperProgram), check("prompter", places.prompterProgram)]
  }

  private func check(_ name: String, _ path: String) -> DoctorFinding {
    guard let facts = try? Files.facts(path), facts.kind == .regular else {
      return DoctorFinding(
        level: .broken, check: name, text: "\(path) is missing: nothing can be proved", command: "make install")
    }
    guard places.trustedOwners.contains(facts.owner) else {
      return DoctorFinding(
        level: .broken, check: name, text: "\(path) belongs to user \(facts.owner)",
        command: "chown root:root \(ShellWord(path))")
    }
    guard !facts.isWritableByOthers, facts.mode & 0o100 != 0 else {
      return DoctorFinding(
        level: .broken, check: name, text: "\(path) has mode \(Octal(facts.mode))",
        command: "chmod 0711 \(ShellWord(path))")
    }
    return DoctorFinding(level: .fine, check: name, text: path)
  }
}

/// Whether the installation is root's alone.
struct InstallationCheck: MachineCheck {
  let program: String
  let places: DaemonPlaces

  func findings() -> [DoctorFinding] {
    let programs = [program, places.helperProgram, places.prompterProgram]
    switch Installation(programs: programs) {
    case .protected: return [DoctorFinding(level: .fine, check: "installation", text: "protected")]
    case .unprotected(let why):
      return [
        DoctorFinding(level: .warning, check: "installation", text: "unprotected: \(why)", command: mend(programs))
      ]
    }
  }

  /// Readable programs of root are shut; anything else is installed anew.
  private func mend(_ programs: [String]) -> String {
    let areRoots = programs.allSatisfy { program in
      if case .trusted = TrustedPath.check(program) { true } else { false }
    }
    return areRoots ? "chmod 0711 " + programs.map { ShellWord($0).description }.joined(separator: " ") : "make install"
  }
}

/// Whether the store's folder and files are shut to others.
struct StoreCheck: MachineCheck {
  let folder: String

  func findings() -> [DoctorFinding] {
    guard let names = try? Files.names(in: folder) else {
      return [
        DoctorFinding(
          level: .broken, check: "store", text: "\(folder) cannot be read", command: "ls -ld \(ShellWord(folder))")
      ]
    }
    let faults = [check(folder, within: 0o700)] + names.map { check("\(folder)/\($0)", within: 0o600) }
    let found = faults.compactMap { $0 }
    return found.isEmpty ? [DoctorFinding(level: .fine, check: "store", text: folder)] : found
  }

  private func check(_ path: String, within mode: UInt16) -> DoctorFinding? {
    guard let facts = try? Files.factsNoFollow(path) else { return nil }
    let own = Users.effectiveUserID
    guard facts.owner == own else {
      return DoctorFinding(
        level: .broken, check: "store", text: "\(path) belongs to user \(facts.owner)",
        command: "chown \(own) \(ShellWord(path))")
    }
    guard facts.kind != .directory || path == folder, facts.mode & ~mode & 0o077 != 0 else { return nil }
    return DoctorFinding(
      level: .warning, check: "store", text: "\(path) has mode \(Octal(facts.mode)): others may look at it",
      command: "chmod \(Octal(mode)) \(ShellWord(path))")
  }
}
