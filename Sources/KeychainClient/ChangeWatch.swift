public import KeychainModel
internal import KeychainWire
internal import LinuxSystem
internal import Synchronization

extension Keychain {
  /// Tells of changes to this user's keychain, whichever program makes them, until the watch ends.
  ///
  /// The daemon tells; nothing is polled. One report may stand for many changes. The first one comes as soon as the daemon
  /// listens, and one whenever the connection was made anew: what happened before that is not known.
  /// - Parameter report: called on the watch's own thread, at most 20 times a second; says only that something may have
  ///   changed: an item, or whether the keybag is open.
  /// - Returns: the watch; it ends with its last reference.
  /// - Throws: `Refusal`: `outOfMemory` where no thread could be started.
  public func watchChanges(_ report: @escaping @Sendable () -> Void) throws(Refusal) -> ChangeWatch {
    try ChangeWatch(connection.configuration, report)
  }
}

/// A thread that waits for the daemon to tell of changes. Made by ``Keychain/watchChanges(_:)``.
///
/// It stays with its process: a child that fork(2) made has no such thread, and whatever it does ends no watch of its parent.
public final class ChangeWatch: Sendable {
  private let follower: ChangeFollower
  private let pid = ThisProcess.pid

  init(_ configuration: KeychainConfiguration, _ report: @escaping @Sendable () -> Void) throws(Refusal) {
    guard let end = try? WakeUp() else { throw Refusal(.outOfMemory, detail: "out of descriptors") }
    let follower = ChangeFollower(configuration: configuration, end: end, report: report)
    self.follower = follower
    guard (try? Threads.start({ follower.run() })) != nil else {
      throw Refusal(.outOfMemory, detail: "no thread could be started")
    }
  }

  deinit { end() }

  /// Ends the reports; one that has begun may still come to its end.
  public func end() {
    if pid == ThisProcess.pid { follower.stop() }
  }
}

/// Follows the count of changes over any number of connections.
private final class ChangeFollower: Sendable {
  /// How a look for changes ended.
  private enum Step {
    /// Ask again at once.
    case next
    /// The connection is of no more use.
    case lost
    /// The watch has ended.
    case over
  }

  /// The shortest and the longest pause before a further try to connect, in milliseconds.
  private static let pauses: ClosedRange<Int32> = 50...5000
  /// The pause between a report and the next request, in milliseconds: what happens in it makes one report.
  private static let gatheringMilliseconds: Int32 = 50

  private let configuration: KeychainConfiguration
  private let end: WakeUp
  private let report: @Sendable () -> Void
  private let cancellation = Cancellation()
  /// Where the count stood when it was told last.
  private let last = Mutex<UInt64?>(nil)

  init(configuration: KeychainConfiguration, end: WakeUp, report: @escaping @Sendable () -> Void) {
    self.configuration = configuration
    self.end = end
    self.report = report
  }

  func stop() {
    cancellation.cancel()
    end.raise()
  }

  func run() {
    var pause = Self.pauses.lowerBound
    while !cancellation.isCancelled {
      if let socket = try? open() {
        var step = Step.next
        while step == .next {
          step = look(socket)
          if step == .next { pause = Self.pauses.lowerBound }
        }
        socket.shutDown()
      }
      if rest(pause) == .over { return }
      pause = min(pause * 2, Self.pauses.upperBound)
    }
  }

  private func open() throws(Refusal) -> FrameSocket {
    let places = configuration.places ?? ServicePlaces.ofThisProcess()
    return try ServiceDoor(places: places, timeouts: configuration.timeouts).open(CancellationSet([cancellation]))
  }

  /// Asks for the next change and waits for it, however long that takes.
  private func look(_ socket: FrameSocket) -> Step {
    let request = KeychainRequest.watch(since: last.withLock { $0 })
    do throws(FrameSocketError) {
      try socket.send(Message(requestID: 1, body: .request(request, RequestOptions())))
    } catch { return .lost }
    _ = try? Poll.wait(
      [PollEntry(end.descriptor), PollEntry(socket.descriptor, [.readable, .writerGone])], timeoutMilliseconds: nil)
    if cancellation.isCancelled { return .over }
    guard let message = try? socket.receive(until: Clock.boottime + configuration.timeouts.reply * 1_000_000),
      case .reply(.changed(let count)) = message.body
    else { return .lost }
    let isNew = last.withLock { last in
      defer { last = count }
      return last != count
    }
    if isNew { report() }
    return rest(Self.gatheringMilliseconds)
  }

  /// Waits, but not longer than the watch lives.
  private func rest(_ milliseconds: Int32) -> Step {
    _ = try? Poll.wait([PollEntry(end.descriptor)], timeoutMilliseconds: milliseconds)
    return cancellation.isCancelled ? .over : .next
  }
}
