public import KeychainModel
internal import LinuxSystem

/// Threads for calls that wait: a prompt may be up for minutes, and neither the caller's thread nor one of the cooperative
/// pool shall wait so long.
public enum CallThread {
  /// Bytes of its stack: 1 MiB, because a program's own reply runs on it too.
  static let stackBytes = 1_048_576

  /// Runs something on a thread of its own.
  ///
  /// - Throws: `Refusal`: `tooManyRequests` where the process can have no more threads.
  public static func start(_ body: @escaping @Sendable () -> Void) throws(Refusal) {
    do throws(Errno) { try Threads.start(stackBytes: stackBytes, body) } catch {
      throw Refusal(.tooManyRequests, detail: "no thread can be started: \(error)")
    }
  }
}

extension Keychain {
  /// Runs calls on a thread of their own and awaits them; no thread of the cooperative pool waits meanwhile. Cancelling the
  /// task takes back the call that waits, with `appCancelled`.
  ///
  /// - Parameters:
  ///   - options: what the calls shall be made with.
  ///   - calls: makes the calls; it gets the options, completed by what the task's cancellation needs.
  /// - Throws: `Refusal`: that of the calls, or `tooManyRequests` where no thread can be started.
  public func asynchronously<Result: Sendable>(
    _ options: CallOptions = CallOptions(),
    _ calls: @escaping @Sendable (Keychain, CallOptions) throws(Refusal) -> Result
  ) async throws(Refusal) -> Result {
    let cancellation = Cancellation()
    var completed = options
    completed.further.append(cancellation)
    let prepared = completed
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Swift.Result<Result, Refusal>, Never>) in
        do throws(Refusal) {
          try CallThread.start {
            continuation.resume(
              returning: Swift.Result { () throws(Refusal) in try calls(self, prepared) })
          }
        } catch { continuation.resume(returning: .failure(error)) }
      }
    } onCancel: {
      cancellation.cancel()
    }.get()
  }
}
