internal import KeychainModel
internal import KeychainService
internal import KeychainWire
internal import LinuxSystem

/// Holds a watch until there is something new. It waits on the connection's own thread, for the change and for its client
/// alike; its connection counts as idle meanwhile and gives way to others like any idle one.
struct ChangeWatch {
  /// How a wait ended.
  enum Outcome: Hashable {
    /// There is something new.
    case changed
    /// The client took the request back.
    case cancelled
    /// The client is gone, or its connection gave way.
    case ended
    /// The client sent what has no place here.
    case broken
  }

  let requestID: UInt32
  let socket: FrameSocket
  let peer: ConnectedPeer

  /// How long a frame that has begun may take, in nanoseconds.
  private static let frameNanoseconds: UInt64 = 1_000_000_000

  /// Waits until the counter no longer stands where it stood.
  ///
  /// - Throws: ``Refusal``: `tooManyRequests`, `serviceUnavailable` where the daemon is out of descriptors.
  func wait(for changes: ChangeCounter, since count: UInt64) throws(Refusal) -> Outcome {
    guard let wake = try? WakeUp() else { throw Refusal(.serviceUnavailable, detail: "out of descriptors") }
    let ticket = try changes.attach { wake.raise() }
    defer { changes.detach(ticket) }
    while changes.current == count {
      if let end = look() { return end }
      _ = try? Poll.wait(
        [
          PollEntry(wake.descriptor), PollEntry(socket.descriptor, [.readable, .writerGone]),
          PollEntry(peer.processDescriptor),
        ], timeoutMilliseconds: nil)
    }
    return .changed
  }

  /// What the client did meanwhile; `nil` for nothing.
  private func look() -> Outcome? {
    guard peer.isAlive else { return .ended }
    switch socket.look() {
    case .nothing: return nil
    case .gone: return .ended
    case .frame: return readInterruption()
    }
  }

  /// A frame in the middle of a watch can only take it back.
  private func readInterruption() -> Outcome {
    do throws(FrameSocketError) {
      let message = try socket.receive(until: Clock.boottime + Self.frameNanoseconds)
      return message.requestID == requestID && message.body == .cancel ? .cancelled : .broken
    } catch .closed { return .ended } catch { return .broken }
  }
}
