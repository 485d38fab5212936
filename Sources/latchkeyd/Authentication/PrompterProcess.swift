internal import DialogueWire
internal import KeychainModel
internal import KeychainService
internal import LinuxSystem

/// A running prompter. It never outlives this object, and the terminal is as it was before when it has ended.
final class PrompterProcess {
  private let channel: DialogueChannel
  private let process: SpawnedProcess
  private var saved: SavedTerminal?
  /// Whether it will say anything more.
  private(set) var standing = Standing.running
  /// How far the person has come.
  private(set) var progress = Progress.starting

  /// What a prompter has told while it runs.
  enum Progress {
    /// Nothing is shown yet.
    case starting
    /// The prompt is up.
    case up
    /// The person wants to give the passcode.
    case passcodeChosen
  }

  /// Whether a prompter still has the surface.
  enum Standing: Equatable {
    /// It may.
    case running
    /// It has given the surface back, and why.
    case ended(PrompterEnd)
    /// It is gone without having said so.
    case vanished
  }

  /// What a prompter is started with.
  struct Order {
    /// The program's path.
    var program: String
    /// Whom it runs as; `nil` for ourselves.
    var user: UserAccount?
    /// The terminal; `nil` where pinentry asks.
    var terminal: OwnedDescriptor?
    /// What it shows, where, and to when.
    var setup: PromptSetup
    /// Its end of the channel to the helper; `nil` where no questions are asked.
    var helper: DialogueChannel?
  }

  /// Starts it.
  ///
  /// - Throws: ``Refusal``: `helperFailed`, `noWayToPrompt` (the terminal hung up).
  init(_ order: Order) throws(Refusal) {
    do throws(Errno) {
      saved = try order.terminal.map { terminal throws(Errno) in try SavedTerminal(terminal) }
    } catch { throw Refusal(.noWayToPrompt, detail: "the terminal: \(error)") }
    do throws(DialogueError) {
      let (near, far) = try DialogueChannel.pair()
      var descriptors = [SpawnPlan.Descriptor(far.descriptor, as: 3)]
      if let helper = order.helper { descriptors.append(.init(helper.descriptor, as: 4)) }
      if let terminal = order.terminal { descriptors.append(.init(terminal, as: 5)) }
      do throws(Errno) {
        process = try Spawn.start(
          order.program,
          SpawnPlan(
            arguments: ["latchkey-prompter"],
            environment: [ProcessHardening.noBacktrace.name: ProcessHardening.noBacktrace.value],
            descriptors: descriptors, asUser: order.user))
      } catch { throw .socket(error) }
      channel = near
      try channel.send(order.setup)
    } catch { throw Refusal(.helperFailed, detail: "\(order.program): \(error)") }
  }

  deinit { if process.isRunning { end(by: Clock.boottime) } }

  /// Readable when it says something or is gone.
  var descriptor: OwnedDescriptor { channel.descriptor }

  /// Takes its next word, which is there already.
  func heed() {
    do throws(DialogueError) {
      switch try channel.receive(PrompterReport.self, until: Clock.boottime) {
      case .ready: progress = .up
      case .passcodeChosen: progress = .passcodeChosen
      case .ended(let end): standing = .ended(end)
      }
    } catch { standing = .vanished }
  }

  /// Tells it something about the finger. That it is gone is noticed elsewhere.
  func tell(_ cue: PrompterCue) { try? channel.send(cue) }

  /// Lets it give the surface back and leave until a moment, then ends it, gives the surface back in its place and says there
  /// that the prompt is over.
  func end(by moment: UInt64) {
    while standing == .running {
      let results = try? Poll.wait([PollEntry(descriptor)], until: moment)
      guard results?[0].isReadable == true else { break }
      heed()
    }
    if standing != .vanished { _ = try? Poll.wait([PollEntry(process.pidfd)], until: moment) }
    process.killAndWait()
    if case .ended = standing { return }
    saved?.restore()
    saved?.tellEnd()
    // Once: it may be ended by more than one, and the surface is nobody's of ours from here on.
    saved = nil
  }
}

extension SpawnedProcess {
  /// Whether it has not been collected and still runs.
  fileprivate var isRunning: Bool { (try? tryWait()) == .some(nil) }
}
