internal import KeychainModel
internal import LinuxSystem

/// Every open connection. Where there are too many the one that has been idle longest goes, so that idle connections lock nobody
/// out: neither another user nor their own. A bounded number of a user's may be on their way out: a flood finds the door shut, and
/// takes no more threads and descriptors than that.
final class ConnectionTable: Sendable {
  /// What one connection does.
  private enum Work {
    case idle
    case busy(RunningRequest)
  }

  private struct Entry {
    var uid: UInt32
    var socket: OwnedDescriptor
    var work: Work
    /// The moment it fell idle, as a count of events.
    var since: UInt64

    mutating func fallIdle(at moment: UInt64) {
      work = .idle
      since = moment
    }
  }

  private struct State {
    var entries: [ConnectionNumber: Entry] = [:]
    var counts: [UInt32: Int] = [:]
    /// Those that had to go and whose threads have not ended yet, with their users.
    var leaving: [ConnectionNumber: UInt32] = [:]
    var clock: UInt64 = 0

    mutating func tick() -> UInt64 {
      clock += 1
      return clock
    }
  }

  private let caps: ConnectionCaps
  private let state = BriefLock(State())

  init(caps: ConnectionCaps) { self.caps = caps }

  /// Open connections.
  var count: Int { state.withLock { $0.entries.count } }

  /// Takes a new connection in, and closes another for it where there are too many.
  func admit(_ socket: OwnedDescriptor, of uid: UInt32) -> Admission {
    state.withLock { state in
      guard state.leaving.values.count(where: { $0 == uid }) < caps.leavingPerUser else { return .full }
      if state.counts[uid, default: 0] >= caps.perUser {
        guard evictIdlest(&state, where: { $0 == uid }) else { return .full }
      } else if state.entries.count >= caps.total {
        // The user with the most gives way; the one who comes may be that user.
        guard let greedy = state.counts.max(by: { $0.value < $1.value })?.key else { return .full }
        guard evictIdlest(&state, where: { $0 == greedy }) || evictIdlest(&state, where: { _ in true }) else {
          return .full
        }
      }
      let number = ConnectionNumber(value: state.tick())
      state.entries[number] = Entry(uid: uid, socket: socket, work: .idle, since: number.value)
      state.counts[uid, default: 0] += 1
      return .admitted(number)
    }
  }

  /// Closes the connection that has been idle longest, where any is: the daemon is out of descriptors.
  func makeRoom() { state.withLock { state in _ = evictIdlest(&state, where: { _ in true }) } }

  /// A request has come in on a connection.
  func begin(_ number: ConnectionNumber, _ request: RunningRequest) -> RequestStart {
    state.withLock { state in
      guard state.entries[number] != nil else { return .evicted }
      state.entries[number]?.work = .busy(request)
      return .begun
    }
  }

  /// Its answer has gone out.
  func end(_ number: ConnectionNumber) {
    state.withLock { state in
      let now = state.tick()
      state.entries[number]?.fallIdle(at: now)
    }
  }

  /// The connection has ended, and its thread with it.
  func remove(_ number: ConnectionNumber) {
    state.withLock { state in
      Self.forget(number, &state)
      state.leaving[number] = nil
    }
  }

  /// Connections of a user that had to go and whose threads have not ended yet.
  func leaving(of uid: UInt32) -> Int { state.withLock { $0.leaving.values.count { $0 == uid } } }

  /// All requests that are being worked on.
  var running: [RunningRequest] {
    state.withLock { state in
      state.entries.values.compactMap { if case .busy(let request) = $0.work { request } else { nil } }
    }
  }

  private func evictIdlest(_ state: inout State, where matches: (UInt32) -> Bool) -> Bool {
    var oldest: (number: ConnectionNumber, entry: Entry)?
    for (number, entry) in state.entries where matches(entry.uid) {
      guard case .idle = entry.work else { continue }
      if let found = oldest, found.entry.since <= entry.since { continue }
      oldest = (number, entry)
    }
    guard let oldest else { return false }
    Self.forget(oldest.number, &state)
    state.leaving[oldest.number] = oldest.entry.uid
    // Its thread, which waits for a request, sees the end and lets go.
    UnixSocket.shutDown(oldest.entry.socket)
    return true
  }

  private static func forget(_ number: ConnectionNumber, _ state: inout State) {
    guard let entry = state.entries.removeValue(forKey: number) else { return }
    let left = state.counts[entry.uid, default: 1] - 1
    state.counts[entry.uid] = left == 0 ? nil : left
  }
}
