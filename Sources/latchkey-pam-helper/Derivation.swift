internal import LinuxSystem
internal import SecretMemory
internal import Synchronization

/// A key being derived on a thread of its own, beside PAM. At most one runs at a time in this process.
final class Derivation: Sendable {
  private enum State {
    case waiting
    /// Nobody wants it any more.
    case dropped
    case finished(SecretBytes?)
  }

  private let state = Mutex<State>(.waiting)
  private let finished: WakeUp?

  /// Starts once `previous`, whose answer was wrong, has left the processor; one that has not begun never does.
  init(of passcode: SecretBytes, _ parameters: StretchingParameters, after previous: Derivation?) {
    finished = try? WakeUp()
    previous?.drop()
    do throws(Errno) {
      try Threads.start { [self] in
        _ = previous?.key()
        run(passcode, parameters)
      }
    } catch { finish(nil) }
  }

  /// Waits for the key; nil where it could not be derived or is not wanted any more.
  func key() -> SecretBytes? {
    guard let finished else { return nil }
    _ = try? Poll.wait([PollEntry(finished.descriptor)], timeoutMilliseconds: nil)
    return state.withLock { state in
      guard case .finished(let key) = state else { return nil }
      return key
    }
  }

  private func drop() {
    state.withLock { state in
      if case .waiting = state { state = .dropped }
    }
  }

  private func run(_ passcode: SecretBytes, _ parameters: StretchingParameters) {
    let isWanted = state.withLock { state in
      guard case .dropped = state else { return true }
      return false
    }
    finish(isWanted ? try? PasscodeStretching.stretch(passcode, parameters: parameters) : nil)
  }

  private func finish(_ key: SecretBytes?) {
    state.withLock { $0 = .finished(key) }
    finished?.raise()
  }
}
