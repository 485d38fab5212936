internal import AccessPolicy
internal import KernelKeyring
internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import SecretMemory

/// What the daemon knows of itself and of the machine: the lines of `status`, and the checks of `doctor`.
struct HostDescription: HostDescribing {
  let places: DaemonPlaces
  /// Whether the kernel keeps this user's keys, asked at each look.
  let keyring: @Sendable () -> KeyringAvailability
  /// Whose store it is described for.
  let account: UserAccountName
  /// The daemon's own program.
  let program: String
  /// Who sits where.
  let sessions: LoginSessions

  /// What can end a proof before its time here.
  static let triggers = ["latchkey lock", "suspend (told by logind, or seen by the clocks)", "the end of the daemon"]

  func describe(_ status: inout StatusReply) {
    let installation = Installation(programs: [program, places.helperProgram, places.prompterProgram])
    status.version = DaemonText.version
    status.mode = places.mode.rawValue
    status.pid = ThisProcess.pid
    status.socket = places.socket
    status.store = places.store(of: account)
    status.triggers = Self.triggers
    status.installation = installation.line
    status.threats = ThreatTable.lines(places.mode, installation)
    status.notes = notes + [UnknownPrograms(mode: places.mode, installation: installation).note].compactMap { $0 }
  }

  private var reader: FingerprintReader { FingerprintReader(places: places) }

  private var notes: [String] {
    var notes = ["screen lock and logout are not watched: neither ends a proof"]
    notes.append(reader.report(for: account).line)
    if case .off(let why) = keyring() {
      notes.append("cache off: \(why); every protected read asks again")
    }
    notes.append("locked memory: \(SecretMemory.lockedBytes) of \(SecretMemory.limit) bytes")
    return notes
  }

  func hasEnded(_ process: ProcessIdentity) -> Bool {
    do throws(Errno) {
      let status = try ProcessStatus.read(process.pid)
      return status.startTime != process.startTime
    } catch { return error == .noSuchFile || error == .noSuchProcess }
  }

  func origin(of peer: PeerFacts) -> PeerFacts.Origin { sessions.origin(of: peer) }

  func findings(account: UserAccountName) -> [DoctorFinding] {
    let report = reader.report(for: account)
    let checks: [any MachineCheck] = [
      ProgramCheck(places: places), StackCheckup(places: places, reader: report), PasscodeCheck(account: account),
      LoginTallyCheck(places: places, account: account),
      ReaderCheck(
        report: report, set: places.enrolment.currentSet(of: account), account: account),
      KeyringCheck(availability: keyring()), MemoryCheck(), PolicyCheck(places: places),
      StoreCheck(folder: places.store(of: account)), SocketCheck(places: places),
      InstallationCheck(program: program, places: places), CallerSightCheck(program: program, places: places),
    ]
    return checks.flatMap { $0.findings() }
  }
}

extension DaemonPlaces {
  /// The folder of a user's store.
  func store(of account: UserAccountName) -> String {
    switch mode {
    case .system: state + "/\(account.uid)"
    case .user: state
    }
  }

  /// The file of a user's device key.
  func deviceKey(of account: UserAccountName) -> String { store(of: account) + "/device.key" }
}
