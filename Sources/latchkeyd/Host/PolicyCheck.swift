internal import KeychainModel
internal import LinuxSystem
internal import PolicyFiles

/// Whether every policy file can be used. One that cannot refuses the reads of its service.
struct PolicyCheck: MachineCheck {
  let places: DaemonPlaces

  /// Most faults that are told of one folder.
  static let most = 20

  func findings() -> [DoctorFinding] {
    check(places.systemPolicies, .system) + check(places.shippedPolicies, .shipped)
  }

  private func check(_ path: String, _ origin: PolicyOrigin) -> [DoctorFinding] {
    let folder = PolicyFolder(origin: origin, reading: PolicyDiskFolder(path: path))
    guard folder.faults.isEmpty else { return folder.faults.prefix(Self.most).map { finding($0, in: path) } }
    let count = folder.files.count
    return [DoctorFinding(level: .fine, check: "policies", text: "\(path): \(count) \(count == 1 ? "file" : "files")")]
  }

  /// A fault of the folder itself names it by its path; one of a file stands in it.
  private func finding(_ fault: PolicyFault, in folder: String) -> DoctorFinding {
    let isFolder = fault.file.hasPrefix("/")
    let path = isFolder ? fault.file : "\(folder)/\(fault.file)"
    let place = isFolder ? path : "\(path):\(fault.line):\(fault.column)"
    let edit = "sensible-editor +\(fault.line) \(ShellWord(path))"
    return DoctorFinding(
      level: .broken, check: "policies", text: "\(place): \(fault.message)",
      command: isFolder ? "chmod go-w \(ShellWord(path))" : edit)
  }
}
