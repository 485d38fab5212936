import Foundation
import KeychainClient
import KeychainModel
import LocalAuthentication
import Synchronization

enum EndingRows {
  /// Invalidates a context while its prompt is up, and uses it afterwards.
  static func invalidate() async throws {
    let context = LAContext()
    let begun = Mutex(0.0)
    let asked = Task.detached { await ask(context) }
    try await awaitGo()
    begun.withLock { $0 = milliseconds() }
    context.invalidate()
    say("outcome", await asked.value)
    say("milliseconds", milliseconds() - begun.withLock { $0 })
    context.invalidate()
    say("later", await ask(context))
    var error: NSError?
    say("can", context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
    say("why", describe(error))
    say("credential", context.setCredential(Data("x".utf8), type: .applicationPassword))
  }

  /// Cancels the task that waits for a prompt.
  static func cancel() async throws {
    let task = Task.detached {
      try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "see you")
    }
    try await awaitGo()
    let begun = milliseconds()
    task.cancel()
    let result = await task.result
    say("milliseconds", milliseconds() - begun)
    do { say("outcome", try result.get()) } catch { say("outcome", describe(error)) }
  }

  /// Waits for more prompts than the cooperative pool has threads; all else goes on.
  @MainActor static func ticking() async throws {
    let tasks = (0..<8).map { _ in
      Task.detached { try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "see you") }
    }
    try await awaitGo()
    var ticks = 0
    let end = milliseconds() + 500
    while milliseconds() < end {
      await Task.detached { await Task.yield() }.value
      try await Task.sleep(nanoseconds: 5_000_000)
      ticks += 1
    }
    say("ticks", ticks)
    let begun = milliseconds()
    for task in tasks { task.cancel() }
    var outcomes: Set<String> = []
    for task in tasks {
      do { outcomes.insert("\(try await task.value)") } catch { outcomes.insert(describe(error)) }
    }
    say("milliseconds", milliseconds() - begun)
    say("outcomes", outcomes.sorted().joined(separator: ","))
  }

  /// A read that nobody answers ends at the policy's deadline.
  static func synchronous() async throws {
    try add("a")
    let begun = milliseconds()
    say("outcome", read("a", nil))
    say("milliseconds", milliseconds() - begun)
    let asked = milliseconds()
    say("evaluation", await ask(LAContext()))
    say("evaluating", milliseconds() - asked)
  }
}
