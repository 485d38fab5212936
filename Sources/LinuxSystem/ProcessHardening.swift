internal import CLinux

/// What a program does to itself, first of all.
public enum ProcessHardening {
  /// Lets no process of the same user trace this one or read its memory, and no core file be made (PR_SET_DUMPABLE).
  ///
  /// - Throws: ``Errno``: the kernel refused, or did not do it (EBADMSG).
  public static func makeUndumpable() throws(Errno) {
    try SystemCall.run { clinux_prctl(clinux_pr_set_dumpable, 0) }
    guard try SystemCall.run({ clinux_prctl(clinux_pr_get_dumpable, 0) }) == 0 else { throw .malformed }
  }

  /// Whether other processes of the same user may look at this one.
  public static var isDumpable: Bool { clinux_prctl(clinux_pr_get_dumpable, 0) != 0 }

  /// Has the kernel kill this process when the THREAD that started it ends (PR_SET_PDEATHSIG).
  ///
  /// - Throws: ``Errno``.
  public static func dieWithStarter() throws(Errno) {
    try SystemCall.run { clinux_prctl(clinux_pr_set_pdeathsig, UInt(SIGKILL)) }
  }

  /// No core files (RLIMIT_CORE 0). A core that the system pipes to a program is stopped by ``makeUndumpable()`` only
  /// (core(5)).
  ///
  /// - Throws: ``Errno``.
  public static func disableCoreFiles() throws(Errno) {
    try SystemCall.run { clinux_set_limit(Int32(CLINUX_LIMIT_CORE.rawValue), 0, 0) }
  }

  /// Gives the signals of a crash their default effect back: the process ends at once and nobody looks into it.
  ///
  /// Swift's runtime takes them over before `main` and then starts swift-backtrace, an ordinary program of the same user
  /// that is given all memory of this process to read, past PR_SET_DUMPABLE, and prints what the registers point at.
  /// Whoever may send SIGSEGV and trace swift-backtrace would have every secret. A program that is started with
  /// ``noBacktrace`` never has it, not even before its first instruction.
  ///
  /// - Throws: ``Errno``.
  public static func leaveCrashesToKernel() throws(Errno) {
    try SystemCall.run { clinux_leave_crashes() }
  }

  /// The variable that keeps Swift's runtime from taking over the signals of a crash.
  public static let noBacktrace = (name: "SWIFT_BACKTRACE", value: "enable=no")

  /// Sets the bits that new files do not get (umask(2)); for the whole process.
  public static func setUmask(_ mask: UInt32) { _ = umask(mask) }

  /// Raises a limit to what the hard limit allows.
  ///
  /// - Throws: ``Errno``: EPERM.
  public static func raise(_ resource: ResourceLimit.Resource) throws(Errno) {
    let limit = try ResourceLimit.current(resource)
    try SystemCall.run { clinux_set_limit(resource.number, limit.hard, limit.hard) }
  }

  /// Raises a limit to at least `value`, the hard limit with it where that is lower, which only root may.
  ///
  /// - Throws: ``Errno``: EPERM.
  public static func raise(_ resource: ResourceLimit.Resource, toAtLeast value: UInt64) throws(Errno) {
    let limit = try ResourceLimit.current(resource)
    guard limit.soft < value else { return }
    try SystemCall.run { clinux_set_limit(resource.number, value, max(limit.hard, value)) }
  }
}

/// A bound that the kernel keeps for this process (getrlimit(2)).
public struct ResourceLimit: Hashable, Sendable {
  /// What is bounded.
  public enum Resource: Sendable {
    /// Bytes of locked memory (RLIMIT_MEMLOCK).
    case lockedMemory
    /// Open descriptors (RLIMIT_NOFILE).
    case descriptors
    /// Bytes of a core file (RLIMIT_CORE).
    case coreFile

    var number: Int32 {
      switch self {
      case .lockedMemory: Int32(CLINUX_LIMIT_MEMLOCK.rawValue)
      case .descriptors: Int32(CLINUX_LIMIT_NOFILE.rawValue)
      case .coreFile: Int32(CLINUX_LIMIT_CORE.rawValue)
      }
    }
  }

  /// The bound that counts; `UInt64.max` for none.
  public let soft: UInt64
  /// What the soft one may be raised to; `UInt64.max` for no bound.
  public let hard: UInt64

  /// The bounds in force.
  ///
  /// - Throws: ``Errno``.
  public static func current(_ resource: Resource) throws(Errno) -> ResourceLimit {
    var soft: UInt64 = 0
    var hard: UInt64 = 0
    try SystemCall.run { unsafe clinux_limit(resource.number, &soft, &hard) }
    return ResourceLimit(soft: soft, hard: hard)
  }
}
