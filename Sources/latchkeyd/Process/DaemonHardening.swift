internal import LinuxSystem

/// What the daemon does to itself, first of all.
enum DaemonHardening {
  /// What the arena of secrets may hold at most is three quarters of this: 64 MiB.
  static let lockedMemory: UInt64 = 64 * 1024 * 1024 / 3 * 4 + 65_536
  /// Three for each of 512 connections, and those of stores and dialogues.
  static let descriptors: UInt64 = 4096

  /// Shuts the process to others of its user and to core files, and takes the limits it needs where it may.
  ///
  /// - Throws: ``StartFailure``.
  static func apply() throws(StartFailure) {
    do throws(Errno) {
      try ProcessHardening.leaveCrashesToKernel()
      try ProcessHardening.makeUndumpable()
      try ProcessHardening.disableCoreFiles()
      try Signals.ignore(Signals.pipe)
      // A limit on files that came with the shell refuses a write; it ends no daemon.
      try Signals.ignore(Signals.fileTooLarge)
    } catch { throw .unavailable("the daemon cannot shield itself: \(error)") }
    ProcessHardening.setUmask(0o077)
    raise(.lockedMemory, to: lockedMemory)
    raise(.descriptors, to: descriptors)
  }

  /// What cannot be raised is judged by ``StartCheck``.
  private static func raise(_ resource: ResourceLimit.Resource, to value: UInt64) {
    if (try? ProcessHardening.raise(resource, toAtLeast: value)) == nil { try? ProcessHardening.raise(resource) }
  }
}
