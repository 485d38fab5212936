import Foundation
import KeychainClient
import KeychainModel
import LocalAuthentication
import SecretMemory

/// One row of the tests of LocalAuthentication, in a process of its own that runs as the account under test. It says what
/// it saw in lines of "name=value"; the test at the other end of the terminal answers prompts and judges.
@main
struct AuthenticationRows {
  static let rows: [String: @Sendable () async throws -> Void] = [
    "evaluate": EvaluationRows.evaluate, "await": EvaluationRows.awaited, "local": EvaluationRows.local,
    "silent": EvaluationRows.silent, "policies": EvaluationRows.policies, "control": EvaluationRows.control,
    "settings": EvaluationRows.settings, "fallback": EvaluationRows.fallback, "fingers": EvaluationRows.fingers,
    "invalidate": EndingRows.invalidate, "cancel": EndingRows.cancel, "ticking": EndingRows.ticking,
    "sync": EndingRows.synchronous,
    "reads": ContextRows.reads, "fresh": ContextRows.fresh, "hundred": ContextRows.hundred, "fork": ContextRows.fork,
    "restart": ContextRows.restart,
    "right": RightRows.right, "stored": RightRows.stored,
  ]

  static func main() async {
    guard let row = Swift.CommandLine.arguments.dropFirst().first.flatMap({ rows[$0] }) else {
      say("fault", "no such row")
      exit(2)
    }
    do {
      try await row()
      say("done", "yes")
    } catch {
      say("fault", describe(error))
      exit(1)
    }
  }
}

/// Tells the test something.
func say(_ name: String, _ value: Any) {
  let line = Array("\(name)=\(value)\n".utf8)
  _ = line.withUnsafeBytes { write(1, $0.baseAddress!, $0.count) }
}

/// An error as code, domain's last word and Latchkey's reason.
func describe(_ error: (any Error)?) -> String {
  guard let error else { return "none" }
  if let refusal = error as? Refusal { return "refused \(refusal.reason.rawValue)" }
  let object = error as NSError
  let domain = object.domain.split(separator: ".").last ?? ""
  return "\(object.code) \(domain) \(object.userInfo[LatchkeyReasonErrorKey] as? String ?? "-")"
}

/// Waits until the test says so: it makes a file in the home.
func awaitGo(_ name: String = "go") async throws {
  let path = "\(NSHomeDirectory())/\(name)"
  for _ in 0..<3000 {
    if access(path, F_OK) == 0 { return }
    try await Task.sleep(nanoseconds: 5_000_000)
  }
  throw Refusal(.deadlinePassed, detail: "the test never said \(name)")
}

/// Milliseconds since some moment.
func milliseconds() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e6 }

/// Evaluates with a callback.
func ask(_ context: LAContext, _ policy: LAPolicy = .deviceOwnerAuthentication, reason: String = "see you") async
  -> String
{
  await withCheckedContinuation { continuation in
    context.evaluatePolicy(policy, localizedReason: reason) { success, error in
      continuation.resume(returning: success && error == nil ? "success" : describe(error))
    }
  }
}

/// The item of an account, under the service "rows".
func query(_ account: String) -> ItemQuery { .genericPassword(service: "rows", account: ExactText(account)) }

/// Stores an item that wants its owner.
func add(_ account: String, _ flags: AccessControlFlags = .userPresence) throws {
  let value = try SecretBytes(copying: Array("value of \(account)".utf8))
  let control = try AccessControl(accessibility: .whenUnlocked, flags: flags)
  try Keychain().set(
    NewItem(service: "rows", account: ExactText(account), value: value, accessControl: control))
}

/// What a read with a context answers.
func read(_ account: String, _ context: LAContext?) -> String {
  var options = CallOptions()
  options.handle = context?.handle
  if context?.forbidsPrompts == true { options.interaction = .fail }
  do {
    let value = try SharedKeychain.keychain.value(query(account), options: options)
    return value.withSpan { span in String(decoding: span.indices.map { span[$0] }, as: UTF8.self) }
  } catch { return "refused \(error.reason.rawValue)" }
}
