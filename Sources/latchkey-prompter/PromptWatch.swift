internal import DialogueWire
internal import LinuxSystem
internal import TerminalIO

/// Everything beside the surface that a prompt must notice: the helper's words, and what ends the prompt at once.
struct PromptWatch {
  /// The daemon.
  let daemon: DialogueChannel
  /// The helper; `nil` where nobody asks questions.
  let helper: DialogueChannel?
  private let signals: Signals
  private let deadline: UInt64

  init(_ start: PrompterStart, deadline: UInt64) {
    daemon = start.daemon
    helper = start.helper
    signals = start.signals
    self.deadline = deadline
  }

  /// What happened.
  struct Happening {
    /// The helper says something, or is gone.
    var helper = false
    /// The daemon says something, or is gone.
    var daemon = false
    /// The surface has something, or is gone.
    var surface = false
    /// The prompt is over.
    var end: PrompterEnd?
  }

  /// Whether the helper's words are wanted now.
  enum Attention {
    /// They are.
    case helperToo
    /// They wait; only that it has left is noticed.
    case surfaceFirst
  }

  /// Waits until something happens, at most to a moment. The surface may be missing.
  func next(_ surface: OwnedDescriptor?, _ attention: Attention, until moment: UInt64 = .max) -> Happening {
    var entries = [PollEntry(daemon.descriptor), PollEntry(signals.descriptor)]
    let (helperPlace, surfacePlace) = (entries.count, entries.count + (helper == nil ? 0 : 1))
    if let helper { entries.append(PollEntry(helper.descriptor)) }
    if helper != nil, attention == .surfaceFirst { entries[helperPlace].events = [] }
    if let surface { entries.append(PollEntry(surface)) }
    guard let results = try? Poll.wait(entries, until: min(deadline, moment)) else {
      return Happening(end: .surfaceUnusable)
    }
    let happened = results.map { $0.isReadable || $0.isGone }
    var happening = Happening(daemon: happened[0])
    happening.helper = helper != nil && happened[helperPlace]
    happening.surface = surface != nil && happened[surfacePlace]
    if happened[1] {
      happening.end = .terminalGone
    } else if !happened.contains(true), deadline <= moment {
      happening.end = .deadlinePassed
    }
    return happening
  }

  /// The next message of the helper, which is there already; `nil` where the helper is gone or speaks wrongly.
  func message() -> PromptMessage? { try? helper?.receive(until: Clock.boottime) }

  /// The next cue of the daemon, which is there already; `nil` where the daemon is gone or has let go of this prompt.
  func cue() -> PrompterCue? { try? daemon.receive(until: Clock.boottime) }

  /// Tells the daemon that the surface is open.
  func reportReady() -> PrompterEnd? {
    do { try daemon.send(PrompterReport.ready) } catch { return .terminalGone }
    return nil
  }

  /// Tells the daemon that the person chose the passcode.
  func reportPasscodeChosen() -> PrompterEnd? {
    do { try daemon.send(PrompterReport.passcodeChosen) } catch { return .terminalGone }
    return nil
  }

  /// Sends an answer to the helper.
  func answer(_ question: PromptQuestion, _ line: TypedLine) -> PrompterEnd? {
    do {
      switch line {
      case .line(let bytes): try helper?.send(PromptAnswer.answer(id: question.id, bytes))
      case .overlong: try helper?.send(PromptAnswer.cancelled(.answerTooLong))
      }
    } catch { return .helperGone }
    return nil
  }

  /// Tells the helper that there will be no answer; it may be gone already.
  func cancel(because end: PrompterEnd) {
    switch end {
    case .userCancelled: try? helper?.send(PromptAnswer.cancelled(.userCancelled))
    case .deadlinePassed: try? helper?.send(PromptAnswer.cancelled(.deadlinePassed))
    case .terminalGone, .surfaceUnusable: try? helper?.send(PromptAnswer.cancelled(.terminalGone))
    case .done, .helperGone: break
    }
  }
}
