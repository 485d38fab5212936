import Foundation
import KeychainClient
import KeychainModel
import LocalAuthentication

enum ContextRows {
  /// An evaluated context opens what it names; without it each read asks.
  static func reads() async throws {
    for account in ["a", "b", "c"] { try add(account) }
    let context = LAContext()
    say("evaluation", await ask(context))
    for account in ["a", "b", "c"] { say("with", read(account, context)) }
    for account in ["a", "b", "c"] { say("without", read(account, nil)) }
    let other = LAContext()
    other.interactionNotAllowed = true
    say("other", read("a", other))
    context.invalidate()
    say("invalidated", read("a", context))
  }

  /// A fresh context asks at its first read and not at its second.
  static func fresh() async throws {
    try add("a")
    let context = LAContext()
    context.localizedReason = "read it"
    say("first", read("a", context))
    say("second", read("a", context))
  }

  /// A hundred tasks at once.
  static func hundred() async throws {
    try add("plain", [])
    try add("a")
    let shared = LAContext()
    shared.interactionNotAllowed = true
    let outcomes = await withTaskGroup(of: String.self) { group in
      for number in 0..<100 {
        group.addTask {
          let own = LAContext()
          own.interactionNotAllowed = true
          let context = number % 2 == 0 ? shared : own
          let can = context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)
          let asked = await ask(context)
          return "\(can) \(asked) \(read("plain", context)) \(read("a", context))"
        }
      }
      return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    }
    for (outcome, count) in outcomes { say("\(count)", outcome) }
  }

  /// A child has neither its parent's proof nor its connection.
  static func fork() async throws {
    try add("a")
    let context = LAContext()
    say("evaluation", await ask(context))
    say("before", read("a", context))
    context.interactionNotAllowed = true
    typealias Fork = @convention(c) () -> pid_t
    let fork = unsafeBitCast(dlsym(nil, "fork")!, to: Fork.self)
    let child = fork()
    if child == 0 {
      say("child", read("a", context))
      say("child again", read("a", context))
      _exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    say("status", status)
    say("parent", read("a", context))
  }

  /// A context outlives the daemon, its proof does not.
  static func restart() async throws {
    try add("a")
    let context = LAContext()
    say("evaluation", await ask(context))
    say("before", read("a", context))
    try await awaitGo()
    context.interactionNotAllowed = true
    say("silent", read("a", context))
    context.interactionNotAllowed = false
    say("again", await ask(context))
    say("after", read("a", context))
  }
}
