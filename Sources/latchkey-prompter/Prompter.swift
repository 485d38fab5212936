internal import DialogueWire
internal import LinuxSystem

/// The program from start to end.
enum Prompter {
  /// How long the daemon may take to say what is to be asked: nanoseconds.
  private static let setupTime: UInt64 = 10_000_000_000

  /// Exit statuses: 0 after a dialogue, however it ended; 3 where the daemon sent no order; from 10 on the number of a
  /// ``PrompterStart/Refusal``.
  static func run() -> UInt8 {
    let start: PrompterStart
    do { start = try PrompterStart.take() } catch { return error.rawValue }
    let setup: PromptSetup
    do { setup = try start.daemon.receive(until: Clock.boottime + setupTime) } catch { return 3 }
    let end = ask(start, setup)
    // The terminal is restored by now; whoever hears this may use it.
    try? start.daemon.send(PrompterReport.ended(end))
    return 0
  }

  private static func ask(_ start: PrompterStart, _ setup: PromptSetup) -> PrompterEnd {
    // Without a helper only a finger can be asked for, and with one there is a passcode too.
    guard (start.helper == nil) == (setup.finger == .alone) else { return .surfaceUnusable }
    let watch = PromptWatch(start, deadline: setup.deadline)
    switch setup.surface {
    case .terminal:
      guard let terminal = start.terminal else { return .surfaceUnusable }
      return TerminalPrompt.run(on: terminal, setup, watch: watch)
    case .pinentry(let plan):
      return PinentryPrompt.run(plan, setup, watch: watch)
    }
  }
}
