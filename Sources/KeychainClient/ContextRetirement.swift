internal import KeychainModel
internal import LinuxSystem
internal import Synchronization

/// Tells the daemon of contexts that have ended, on a thread of its own: whoever ends one does not wait.
final class ContextRetirement: Sendable {
  private struct State {
    var pid: Int32 = 0
    var numbers: [UInt64] = []
    var isWorking = false
  }

  private let state = Mutex(State())

  /// Tells the daemon, now or soon. Where no thread can be started the context ends with the process.
  func retire(_ number: UInt64, over connection: KeychainConnection) {
    let pid = ThisProcess.pid
    let isFirst = state.withLock { state in
      // The parent's thread and the parent's contexts are not this process's.
      if state.pid != pid { state = State(pid: pid) }
      state.numbers.append(number)
      defer { state.isWorking = true }
      return !state.isWorking
    }
    guard isFirst else { return }
    do throws(Errno) { try Threads.start { [self] in work(over: connection) } } catch {
      state.withLock { $0 = State(pid: pid) }
    }
  }

  private func work(over connection: KeychainConnection) {
    while let number = next() {
      _ = try? connection.perform(.context(.invalidate), RequestOptions(context: number))
    }
  }

  private func next() -> UInt64? {
    state.withLock { state in
      guard !state.numbers.isEmpty else {
        state.isWorking = false
        return nil
      }
      return state.numbers.removeFirst()
    }
  }
}
