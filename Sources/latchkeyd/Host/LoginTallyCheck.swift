internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import PAMModel

/// Whether pam_faillock counts failures of the account, which may close a stack that asks it (pam_faillock(8)).
///
/// Latchkey's own stacks do not use it; an administrator's may.
struct LoginTallyCheck: MachineCheck {
  let places: DaemonPlaces
  let account: UserAccountName

  /// Where the module counts unless it is told otherwise.
  static let standardFolder = "/var/run/faillock"
  /// The most bytes of a file of counts that are read: 64 failures.
  static let limit = 4096

  func findings() -> [DoctorFinding] { folders.compactMap(finding) }

  private func finding(in folder: String) -> DoctorFinding? {
    guard !account.name.contains("/"), let bytes = try? Files.readAll("\(folder)/\(account.name)", limit: Self.limit)
    else { return nil }
    let count = Self.failures(bytes)
    guard count > 0 else { return nil }
    let place = folder == Self.standardFolder ? "" : " --dir \(ShellWord(folder))"
    return DoctorFinding(
      level: .warning, check: "login-tally",
      text:
        "pam_faillock counts \(count) failed logins of \(account.name) in \(folder); a stack that asks it may refuse",
      command: "faillock --user \(ShellWord(account.name))\(place) --reset")
  }

  /// Records of 64 bytes: source (52), reserved (2), status (2, little-endian here), time (8). The lowest bit of the status
  /// marks a failure that counts.
  static func failures(_ bytes: [UInt8]) -> Int {
    stride(from: 0, to: bytes.count - bytes.count % 64, by: 64).filter { bytes[$0 + 54] & 1 != 0 }.count
  }

  /// The standard folder, and those that the passcode's stack names.
  private var folders: [String] {
    var folders = [Self.standardFolder]
    for folder in places.pamFolders {
      guard let text = try? Files.readAll("\(folder)/\(StackName.passcode.text)", limit: StackCheck.maximumFileBytes)
      else { continue }
      for named in Self.folders(namedIn: String(decoding: text, as: UTF8.self)) where !folders.contains(named) {
        folders.append(named)
      }
      break
    }
    return folders
  }

  /// What stands behind `dir=` on the lines of pam_faillock.
  static func folders(namedIn stack: String) -> [String] {
    stack.split(separator: "\n").flatMap { line -> [String] in
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
      guard words.contains(where: { $0.hasSuffix("pam_faillock.so") }) else { return [] }
      return words.filter { $0.hasPrefix("dir=/") }.map { String($0.dropFirst(4)) }
    }
  }
}
