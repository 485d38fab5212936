internal import KeychainModel
internal import LinuxSystem
internal import Synchronization

/// Bounds the requests of one process that run side by side, so that a program with many threads leaves room for the
/// user's other programs. Who waits is let in in the order of arrival.
final class ConnectionGate: Sendable {
  private struct State {
    var pid: Int32
    var free: Int
    var waiting: [WakeUp] = []
  }

  /// How soon a wait notices that it was taken back.
  static let sliceMilliseconds: Int32 = 50

  private let limit: Int
  private let state: Mutex<State>

  init(limit: Int, pid: Int32) {
    self.limit = limit
    state = Mutex(State(pid: pid, free: limit))
  }

  /// Waits for a place.
  ///
  /// - Throws: `Refusal`: `appCancelled`, or `tooManyRequests` where the process has no descriptor left to wait with.
  func enter(pid: Int32, _ cancellations: CancellationSet) throws(Refusal) {
    if takePlace(pid) == .entered { return }
    let call: WakeUp
    do throws(Errno) { call = try WakeUp() } catch {
      throw Refusal(.tooManyRequests, detail: "no descriptor is left to wait with")
    }
    guard queue(call, pid) == .waiting else { return }
    while true {
      let result = try? Poll.wait([PollEntry(call.descriptor)], timeoutMilliseconds: Self.sliceMilliseconds)
      if result?.first?.isReadable == true { return }
      do throws(Refusal) { try cancellations.check() } catch {
        giveUp(call, pid)
        throw error
      }
    }
  }

  /// Gives the place to whoever waits longest.
  func leave(pid: Int32) {
    state.withLock { state in
      // The places of a parent process are not this one's to give.
      guard state.pid == pid else { return }
      guard !state.waiting.isEmpty else {
        state.free = min(state.free + 1, limit)
        return
      }
      state.waiting.removeFirst().raise()
    }
  }

  /// Whether a newcomer is inside.
  private enum Entry { case entered, waiting }

  private func takePlace(_ pid: Int32) -> Entry {
    state.withLock { state in
      // A child process begins with all places free: the threads that held them stayed behind.
      if state.pid != pid { state = State(pid: pid, free: limit) }
      guard state.free > 0 else { return .waiting }
      state.free -= 1
      return .entered
    }
  }

  private func queue(_ call: WakeUp, _ pid: Int32) -> Entry {
    state.withLock { state in
      guard state.free == 0 else {
        state.free -= 1
        return .entered
      }
      state.waiting.append(call)
      return .waiting
    }
  }

  /// Leaves the queue; a place that was given meanwhile goes on to the next.
  private func giveUp(_ call: WakeUp, _ pid: Int32) {
    let wasGiven = state.withLock { state in
      guard let place = state.waiting.firstIndex(where: { $0 === call }) else { return true }
      state.waiting.remove(at: place)
      return false
    }
    if wasGiven { leave(pid: pid) }
  }
}
