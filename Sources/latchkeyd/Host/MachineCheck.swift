internal import KernelKeyring
internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory

/// One of the things `doctor` looks at. It changes nothing.
protocol MachineCheck {
  /// What it found: a finding for each thing wrong, with the one command that mends it, or one that says it is fine.
  func findings() -> [DoctorFinding]
}

/// Whether the kernel keeps keys.
struct KeyringCheck: MachineCheck {
  let availability: KeyringAvailability

  func findings() -> [DoctorFinding] {
    switch availability {
    case .on: [DoctorFinding(level: .fine, check: "keyring", text: "the kernel keeps keys for this daemon")]
    case .off(.call(_, .quotaExceeded)):
      [
        DoctorFinding(
          level: .warning, check: "keyring",
          text: "this user's quota of keys is used up; every protected read asks again",
          command: "keyctl clear @u")
      ]
    case .off(let why):
      [
        DoctorFinding(
          level: .warning, check: "keyring",
          text: "\(why); every protected read asks again. The sandbox that blocks keyctl(2) must let it through")
      ]
    }
  }
}

/// Whether enough memory can be locked.
struct MemoryCheck: MachineCheck {
  /// What there should be: room for a few of the largest values at once.
  static let comfortable = 6 * 1024 * 1024

  func findings() -> [DoctorFinding] {
    let limit = SecretMemory.limit
    let text = "\(SecretMemory.lockedBytes) of \(limit) bytes of locked memory are used"
    guard limit < Self.comfortable else { return [DoctorFinding(level: .fine, check: "memlock", text: text)] }
    return [
      DoctorFinding(
        level: .warning, check: "memlock", text: text + "; several of the largest values at once find no room",
        command: "prlimit --pid \(ThisProcess.pid) --memlock=\(DaemonHardening.lockedMemory)")
    ]
  }
}

/// Whether the socket is where clients look for it, with the right permissions.
struct SocketCheck: MachineCheck {
  let places: DaemonPlaces

  func findings() -> [DoctorFinding] {
    let binding = SocketBinding(places, owner: Users.effectiveUserID)
    guard let facts = try? Files.factsNoFollow(places.socket), facts.kind == .socket else {
      return [
        DoctorFinding(
          level: .broken, check: "socket", text: "\(places.socket) was removed; no new client finds this daemon",
          command: "kill \(ThisProcess.pid)")
      ]
    }
    guard facts.owner == binding.owner, facts.mode == binding.mode else {
      return [
        DoctorFinding(
          level: .broken, check: "socket",
          text: "\(places.socket) has mode \(Octal(facts.mode)), not \(Octal(binding.mode))",
          command: "chmod \(Octal(binding.mode)) \(ShellWord(places.socket))")
      ]
    }
    return [DoctorFinding(level: .fine, check: "socket", text: places.socket)]
  }
}

/// Permission bits as chmod(1) reads them.
struct Octal: CustomStringConvertible {
  let description: String
  init(_ mode: UInt16) {
    let digits = String(mode, radix: 8)
    description = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
