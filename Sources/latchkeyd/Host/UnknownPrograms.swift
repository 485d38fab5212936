internal import KeychainModel
internal import LinuxSystem

/// What a user's own daemon cannot see: which program a process runs whose file that user may not read. The kernel shows it
/// neither path nor inode (proc(5), PTRACE_MODE_READ), and an installation that holds off tracers is made of such programs.
struct UnknownPrograms {
  /// Whether Latchkey's own command line is such a program.
  let isOwnClientUnknown: Bool

  init(mode: DaemonMode, installation: Installation) {
    isOwnClientUnknown = mode == .user && installation == .protected
  }

  static let what = """
    programs that this user may not read, 'latchkey' among them, are unknown to this daemon: prompts call them an unknown \
    program, and a 'callers' rule that names them refuses them
    """

  /// The line of `status`.
  var note: String? { isOwnClientUnknown ? Self.what : nil }
}

/// Whether the daemon sees which program asks.
struct CallerSightCheck: MachineCheck {
  let program: String
  let places: DaemonPlaces

  func findings() -> [DoctorFinding] {
    let installation = Installation(programs: [program, places.helperProgram, places.prompterProgram])
    guard UnknownPrograms(mode: places.mode, installation: installation).isOwnClientUnknown else { return [] }
    return [
      DoctorFinding(
        level: .warning, check: "callers",
        text: UnknownPrograms.what + ". The system's daemon, which root starts, sees every program",
        command: "\(ShellWord(program)) --system")
    ]
  }
}
