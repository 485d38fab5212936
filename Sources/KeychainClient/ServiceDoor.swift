internal import KeychainModel
internal import KeychainWire
internal import LinuxSystem

/// Opens connections to the daemon, and starts the user's own where none runs.
struct ServiceDoor: Sendable {
  let places: ServicePlaces
  let timeouts: KeychainTimeouts

  /// How an attempt to connect ended.
  private enum Attempt {
    case connected(OwnedDescriptor)
    case nobody
  }

  /// A new connection whose server is one of the trusted users; nothing was sent yet.
  ///
  /// - Throws: `Refusal`: `serviceUnavailable`, `serviceTimedOut`, `serverNotTrusted`, `outOfMemory`, `appCancelled`, or
  ///   the reason with which a daemon refused to start.
  func open(_ cancellations: CancellationSet) throws(Refusal) -> FrameSocket {
    let address = try places.address()
    if case .connected(let socket) = try attempt(address, cancellations) { return try check(socket, address) }
    guard address.isStartable else {
      throw Refusal(.serviceUnavailable, detail: "nobody serves \(address.path)")
    }
    let deadline = Clock.boottime + timeouts.start * 1_000_000
    try DaemonLauncher(programs: places.daemonPrograms).start(until: deadline, cancellations)
    return try awaitService(address, until: deadline, cancellations)
  }

  /// Tries until the daemon that is starting, ours or another client's, serves.
  private func awaitService(
    _ address: ServiceAddress, until deadline: UInt64, _ cancellations: CancellationSet
  ) throws(Refusal) -> FrameSocket {
    while true {
      if case .connected(let socket) = try attempt(address, cancellations) { return try check(socket, address) }
      try cancellations.check()
      guard Clock.boottime < deadline else {
        throw Refusal(.serviceUnavailable, detail: "latchkeyd was started and nobody serves \(address.path)")
      }
      _ = try? Poll.wait([], timeoutMilliseconds: 5)
    }
  }

  /// Tries in slices, so that a wait for room in the backlog can be taken back.
  private func attempt(
    _ address: ServiceAddress, _ cancellations: CancellationSet
  ) throws(Refusal) -> Attempt {
    let deadline = Clock.boottime + UInt64(KeychainTimeouts.blockMilliseconds) * 1_000_000
    while true {
      try cancellations.check()
      do throws(Errno) {
        return .connected(try UnixSocket.connect(path: address.path, timeoutMilliseconds: Self.sliceMilliseconds))
      } catch .noSuchFile { return .nobody } catch .connectionRefused { return .nobody } catch .wouldBlock {
        if Clock.boottime < deadline { continue }
        throw Refusal(.serviceTimedOut, detail: "\(address.path) takes no connection")
      } catch {
        throw Refusal(.serviceUnavailable, detail: "\(address.path): \(error)")
      }
    }
  }

  /// How soon an attempt to connect notices that it was taken back.
  private static let sliceMilliseconds: UInt32 = 50

  /// Holds the server's user against the trusted ones before a byte is sent.
  private func check(_ socket: OwnedDescriptor, _ address: ServiceAddress) throws(Refusal) -> FrameSocket {
    guard let server = try? UnixSocket.peerCredentials(socket) else {
      throw Refusal(.serverNotTrusted, detail: "the server of \(address.path) cannot be told")
    }
    guard address.owners.contains(server.uid) else {
      throw Refusal(.serverNotTrusted, detail: "\(address.path) is served by user \(server.uid)")
    }
    do throws(FrameSocketError) {
      return try FrameSocket(socket, side: .client, blockMilliseconds: KeychainTimeouts.blockMilliseconds)
    } catch .outOfMemory { throw Refusal(.outOfMemory) } catch { throw Refusal(.serviceUnavailable) }
  }
}
