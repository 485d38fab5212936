internal import DialogueWire
internal import LinuxSystem
internal import Synchronization

/// The channel to the daemon. The daemon's end, or the deadline, ends this process whatever PAM is doing.
final class DaemonLink: Sendable {
  private let channel: DialogueChannel
  private let deadline: UInt64
  /// Whether the result was sent: it goes out once, from whichever thread has it first.
  private let ended = Mutex(false)

  init(_ channel: DialogueChannel, deadline: UInt64) {
    self.channel = channel
    self.deadline = deadline
  }

  /// Starts the thread that watches for the daemon's end and the deadline; the kernel's alarm stands behind it.
  func watch() throws(Errno) {
    let now = Clock.boottime
    let left = deadline > now ? (deadline - now) / 1_000_000_000 : 0
    ThisProcess.endAfter(seconds: UInt32(clamping: left.addingReportingOverflow(5).partialValue))
    try Threads.start { [self] in
      let result = try? Poll.wait([PollEntry(channel.descriptor, .writerGone)], until: deadline)
      guard let result, !result[0].isGone else { ThisProcess.exitNow(1) }
      end(.failed(HelperFailure(stage: .authenticate, cause: .deadlinePassed)))
      ThisProcess.exitNow(0)
    }
  }

  /// Tells the daemon; a daemon that is gone or does not read ends this process.
  func tell(_ event: HelperEvent) {
    do { try channel.send(event) } catch { ThisProcess.exitNow(1) }
  }

  /// Asks whether to derive now; a daemon that is gone or says something else ends this process.
  func askTurn() -> DerivationTurn {
    tell(.answered)
    guard let turn = try? channel.receive(DerivationTurn.self, until: deadline) else { ThisProcess.exitNow(1) }
    return turn
  }

  /// Sends the result, unless one was sent.
  func end(_ outcome: HelperOutcome) {
    ended.withLock { ended in
      guard !ended else { return }
      ended = true
      tell(.result(outcome))
    }
  }

  /// Waits for the daemon's next word; nil when there is none that can be understood.
  func next() -> HelperFollowUp? { try? channel.receive(until: deadline) }
}
