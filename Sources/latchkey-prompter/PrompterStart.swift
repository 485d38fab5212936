internal import DialogueWire
internal import LinuxSystem

/// What the daemon starts a prompter with, taken over and checked; the first thing the program does.
struct PrompterStart {
  /// Descriptor 3: orders from the daemon, reports to it.
  let daemon: DialogueChannel
  /// Descriptor 4: questions from the PAM helper, answers to it and to nobody else; `nil` where nothing but a finger is asked for.
  let helper: DialogueChannel?
  /// Descriptor 5: the terminal; `nil` where pinentry asks.
  let terminal: OwnedDescriptor?
  /// The signals that would end the program: it ends in order instead, with the terminal restored.
  let signals: Signals

  /// Why the program refuses to run; the number is its exit status.
  enum Refusal: UInt8, Error {
    /// It could not be hidden from other processes of its user.
    case exposed = 10
    /// It is being traced.
    case traced = 11
    /// It was given arguments.
    case arguments = 12
    /// It does not lead a session of its own, or has a controlling terminal.
    case session = 13
    /// Descriptors 3, 4 and 5 are not what they should be.
    case descriptors = 14

    init(_ refusal: PrivateStart.Refusal) {
      self =
        switch refusal {
        case .exposed: .exposed
        case .traced: .traced
        case .arguments: .arguments
        }
    }
  }

  /// Hides the process first of all, then looks at how it was started.
  ///
  /// - Throws: ``Refusal``.
  static func take() throws(Refusal) -> PrompterStart {
    do throws(PrivateStart.Refusal) { try PrivateStart.enter() } catch { throw Refusal(error) }
    guard let status = try? ProcessStatus.read(ThisProcess.pid), status.session == status.pid,
      status.terminalDevice == nil
    else { throw .session }
    return try takeDescriptors()
  }

  private static func takeDescriptors() throws(Refusal) -> PrompterStart {
    guard case .open(let daemon) = PrivateStart.channel(3) else { throw .descriptors }
    let helper: DialogueChannel?
    switch PrivateStart.channel(4) {
    case .open(let channel): helper = channel
    case .absent: helper = nil
    case .other: throw .descriptors
    }
    let terminal = try? OwnedDescriptor.inherited(5)
    guard terminal.map(Terminal.isTerminal) != false else { throw .descriptors }
    do throws(Errno) {
      return PrompterStart(
        daemon: daemon, helper: helper, terminal: terminal,
        signals: try Signals(collecting: [
          Signals.terminate, Signals.interrupt, Signals.hangUp, Signals.quit, Signals.stop, Signals.pipe,
        ]))
    } catch { throw .descriptors }
  }
}
