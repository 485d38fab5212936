internal import AccessPolicy
internal import KeychainModel
internal import LinuxSystem

/// Whether a program is in front on its own terminal. From the background it would have the keys taken that are meant for the
/// program in front, and so would a prompt that stays up after its program was stopped.
///
/// The kernel tells a process's terminal by its number alone (proc(5), tty_nr), which a terminal of another devpts may have as
/// well. A prompt on such a terminal is then held to the same rule, as its shell in a container wants it; that the terminal is
/// the program's own is not known by that.
struct ForegroundCheck {
  /// The device number of the terminal that the prompt is on.
  let device: UInt64
  /// The program that asks.
  let process: ProcessIdentity

  /// - Returns: whether the terminal has the number of the program's own; on any other it is neither in front nor behind.
  /// - Throws: ``Refusal``: `noWayToPrompt` where it is the program's own and another program has it; `clientGone`.
  @discardableResult
  func require() throws(Refusal) -> Ownership {
    guard let status = try? ProcessStatus.read(process.pid), !status.isZombie, status.startTime == process.startTime
    else { throw Refusal(.clientGone) }
    guard status.terminalDevice == device else {
      // A job may give its terminal up (ioctl_tty(2), TIOCNOTTY): it is as far from the keys as any in the background.
      guard status.terminalDevice == nil, (try? ProcessStatus.read(status.session))?.terminalDevice == device else {
        return .foreign
      }
      throw Refusal(.noWayToPrompt, detail: "the program has given up the terminal of its session")
    }
    guard status.foregroundGroup == status.group else {
      throw Refusal(.noWayToPrompt, detail: "the program runs in the background of its terminal")
    }
    return .own
  }

  /// Whose terminal it is.
  enum Ownership { case own, foreign }
}
