internal import DialogueWire
internal import KeychainModel
internal import LinuxSystem

/// A running PAM helper. It never outlives this object, nor the thread that made it.
final class HelperProcess {
  private let channel: DialogueChannel
  private let process: SpawnedProcess

  /// How long a helper that hung up may take to leave: nanoseconds.
  private static let patience: UInt64 = 100_000_000

  /// Starts it with its request.
  ///
  /// - Parameter prompter: The helper's end of its channel to the prompter; `nil` for none.
  /// - Throws: ``Refusal``: `helperFailed`.
  init(
    _ programs: AuthenticationPrograms, _ request: HelperRequest, prompter: DialogueChannel?
  ) throws(Refusal) {
    let program = programs.helper
    do throws(DialogueError) {
      let (near, far) = try DialogueChannel.pair()
      var descriptors = [SpawnPlan.Descriptor(far.descriptor, as: 3)]
      if let prompter { descriptors.append(.init(prompter.descriptor, as: 4)) }
      var plan = SpawnPlan(
        arguments: ["latchkey-pam-helper"], environment: programs.helperEnvironment, descriptors: descriptors)
      plan.parentDeathSignal = 9
      do throws(Errno) {
        process = try Spawn.start(program, plan)
      } catch { throw .socket(error) }
      channel = near
      try channel.send(request)
    } catch { throw Refusal(.helperFailed, detail: "\(program): \(error)") }
  }

  deinit { process.killAndWait() }

  /// Readable when it says something or is gone.
  var descriptor: OwnedDescriptor { channel.descriptor }

  /// What it says, which is there already.
  ///
  /// - Throws: ``Refusal``: `helperFailed`: it is gone or breaks the protocol.
  func event() throws(Refusal) -> HelperEvent { try event(until: Clock.boottime) }

  /// What it says, waited for until a moment.
  ///
  /// - Throws: ``Refusal``: `helperFailed`: it is gone, breaks the protocol, or says nothing.
  func event(until moment: UInt64) throws(Refusal) -> HelperEvent {
    do throws(DialogueError) {
      return try channel.receive(until: moment)
    } catch .ended { throw Refusal(.helperFailed, detail: "it ended without an answer, \(exit())") } catch {
      throw Refusal(.helperFailed, detail: "it broke the protocol: \(error)")
    }
  }

  /// Asks for something more after a proof.
  ///
  /// - Throws: ``Refusal``: `helperFailed`: it is gone.
  func tell(_ followUp: HelperFollowUp) throws(Refusal) {
    do { try channel.send(followUp) } catch {
      throw Refusal(.helperFailed, detail: "it does not listen: \(error)")
    }
  }

  /// Says whether it derives now.
  ///
  /// - Throws: ``Refusal``: `helperFailed`: it is gone.
  func tell(_ turn: DerivationTurn) throws(Refusal) {
    do { try channel.send(turn) } catch {
      throw Refusal(.helperFailed, detail: "it does not listen: \(error)")
    }
  }

  /// Asks it to end what its module does. One that waits for a finger gives the reader back and says how it ended.
  func interrupt() { try? process.kill(Signals.interrupt) }

  /// Ends it now; it is gone when this returns.
  func kill() { process.killAndWait() }

  /// Lets it leave by itself until a moment, then ends it.
  func end(by moment: UInt64) {
    _ = try? Poll.wait([PollEntry(process.pidfd)], until: moment)
    process.killAndWait()
  }

  private func exit() -> String {
    end(by: Clock.boottime + Self.patience)
    switch try? process.tryWait() {
    case .exited(let status): return "exit status \(status)"
    case .signalled(let signal): return "signal \(signal)"
    case nil: return "how is not known"
    }
  }
}
