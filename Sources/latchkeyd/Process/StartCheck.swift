internal import KeychainModel
internal import LinuxSystem

/// What is looked at before the daemon takes its socket. Everything here would make it fail later, or be watched.
struct StartCheck {
  /// Which of the two ways to run.
  var mode: DaemonMode
  /// The real user.
  var realUser: UInt32
  /// The effective user.
  var effectiveUser: UInt32
  /// What surrounds the process.
  var surroundings: ProcessSurroundings
  /// Bytes it may lock.
  var lockedMemory: UInt64
  /// Files it may open.
  var descriptors: UInt64

  /// 4 MiB: the largest value, once as it came and once as it is sealed, beside the buffers of a user's connections.
  static let leastLockedMemory: UInt64 = 4 * 1024 * 1024

  /// Three for each connection, and those of the stores, the dialogues and the daemon itself.
  var leastDescriptors: UInt64 { mode == .system ? 2048 : 512 }

  /// The first thing that is wrong.
  ///
  /// - Throws: ``StartFailure``.
  func run() throws(StartFailure) {
    if surroundings.tracer != nil { throw .unavailable("the daemon is being traced") }
    guard realUser == effectiveUser else { throw .unavailable("the daemon was started with another user's rights") }
    if mode == .system, effectiveUser != 0 { throw .unavailable("--system wants to be started by root") }
    try checkPasscodes()
    guard lockedMemory >= Self.leastLockedMemory else {
      throw .refused(
        Refusal(.outOfMemory, detail: "RLIMIT_MEMLOCK is \(lockedMemory) bytes, \(Self.leastLockedMemory) are needed"))
    }
    guard descriptors >= leastDescriptors else {
      throw .unavailable("RLIMIT_NOFILE is \(descriptors), \(leastDescriptors) are needed")
    }
  }

  /// A PAM helper born here would inherit these, and every passcode would be refused as if it were wrong.
  private func checkPasscodes() throws(StartFailure) {
    let cause: String? =
      if surroundings.noNewPrivileges {
        "no_new_privs is set"
      } else if surroundings.seccomp == .filter || surroundings.seccomp == .strict {
        "a seccomp filter is set"
      } else if surroundings.userNamespace == .foreign {
        "the daemon is in a user namespace of its own"
      } else if surroundings.mountNamespace == .foreign {
        "the daemon is in a mount namespace of its own"
      } else {
        nil
      }
    if let cause { throw .refused(Refusal(.cannotVerifyPasscodes, detail: cause)) }
  }
}

extension StartCheck {
  /// Looks at this process.
  ///
  /// - Throws: ``StartFailure`` where it cannot be looked at.
  static func ofThisProcess(_ mode: DaemonMode) throws(StartFailure) -> StartCheck {
    do throws(Errno) {
      return StartCheck(
        mode: mode, realUser: Users.realUserID, effectiveUser: Users.effectiveUserID,
        surroundings: try ProcessSurroundings.current(),
        lockedMemory: try ResourceLimit.current(.lockedMemory).soft,
        descriptors: try ResourceLimit.current(.descriptors).soft)
    } catch { throw .unavailable("the daemon cannot look at itself: \(error)") }
  }
}
