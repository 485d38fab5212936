internal import KeychainModel
internal import KeychainWire
internal import LinuxSystem
internal import Synchronization

/// Tells clients for whom there is no room why, on one thread of its own and with little patience; where too many come they are
/// only hung up on.
final class RefusalDesk: Sendable {
  /// Most clients that wait here.
  static let queueLength = 32
  /// How long a client may take to say which request it wants refused, in nanoseconds: 200 ms.
  static let patience: UInt64 = 200_000_000

  /// Whether a client waits for its refusal.
  enum Intake: Hashable { case queued, hungUp }

  private let queue = Mutex<[OwnedDescriptor]>([])

  /// Takes a connection over.
  @discardableResult
  func take(_ socket: OwnedDescriptor) -> Intake {
    let place = queue.withLock { queue -> Int? in
      guard queue.count < Self.queueLength else { return nil }
      queue.append(socket)
      return queue.count
    }
    guard let place else { return .hungUp }
    // The first one opens the desk.
    if place == 1, (try? Threads.start { self.work() }) == nil {
      queue.withLock { $0.removeAll() }
      return .hungUp
    }
    return .queued
  }

  /// Serves until nobody waits. The first of the queue leaves it last, so that a newcomer never opens a second desk.
  private func work() {
    while let socket = queue.withLock({ $0.first }) {
      refuse(socket)
      queue.withLock { _ = $0.removeFirst() }
    }
  }

  private func refuse(_ descriptor: OwnedDescriptor) {
    guard let socket = try? FrameSocket(descriptor, side: .daemon, blockMilliseconds: 100) else { return }
    if let message = try? socket.receive(until: Clock.boottime + Self.patience) {
      let refusal = Refusal(.tooManyRequests, detail: "all connections of this user are busy")
      _ = socket.sendIfFree(Message(requestID: message.requestID, body: .reply(.refused(refusal))))
    }
    socket.shutDown()
  }
}
