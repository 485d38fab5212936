import Foundation
import LocalAuthentication

enum EvaluationRows {
  /// Asks once with a callback.
  static func evaluate() async throws { say("outcome", await ask(LAContext(), reason: "prove the row")) }

  /// Asks once and awaits it, and takes the error apart in each way that programs do.
  static func awaited() async throws {
    do {
      say("outcome", try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "see you"))
    } catch {
      say("outcome", describe(error))
      say("cast", (error as? LAError)?.code.rawValue ?? 0)
      if case LAError.userCancel = error { say("pattern", "userCancel") }
      say("object", (error as NSError).domain)
    }
    do {
      try await LAContext().evaluatePolicy(.deviceOwnerAuthenticationWithCompanion, localizedReason: "see you")
    } catch LAError.userCancel { say("clause", "the wrong one") } catch LAError.companionNotAvailable {
      say("clause", "companionNotAvailable")
    }
  }

  /// A function that makes a context, asks and returns at once.
  static func local() async throws {
    let outcome = AsyncStream<String>.makeStream()
    func authenticate() {
      let context = LAContext()
      context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "see you") { success, error in
        outcome.continuation.yield(success ? "success" : describe(error))
      }
    }
    authenticate()
    for await line in outcome.stream {
      say("outcome", line)
      break
    }
  }

  /// What needs no prompt or may have none.
  static func silent() async throws {
    let context = LAContext()
    context.interactionNotAllowed = true
    say("forbidden", await ask(context))
    context.interactionNotAllowed = false
    say("terminal", await ask(context))
    say("empty", await ask(context, reason: ""))
    say("long", await ask(context, reason: String(repeating: "é", count: 1000)))
  }

  /// Each policy, asked and only asked about.
  static func policies() async throws {
    for policy in LAPolicy.allCases {
      let context = LAContext()
      context.interactionNotAllowed = true
      var error: NSError?
      let can = context.canEvaluatePolicy(policy, error: &error)
      say("can \(policy.rawValue)", can ? "yes" : describe(error))
      say("agrees \(policy.rawValue)", context.canEvaluatePolicy(policy, error: nil) == can)
      say("asked \(policy.rawValue)", await ask(context, policy))
      say("state \(policy.rawValue)", context.evaluatedPolicyDomainState == nil)
    }
    let context = LAContext()
    say("type", context.biometryType.rawValue)
    let state = context.domainState
    say(
      "domain",
      "\(state.biometry.biometryType.rawValue) \(state.stateHash == nil) \(state.companion.availableCompanionTypes)")
    let environment = LAEnvironment.currentUser.state
    say("environment", "\(environment.biometry == nil) \(environment.userPassword?.isSet ?? false)")
  }

  /// Access controls that want nothing, the owner, and a finger.
  static func control() async throws {
    let context = LAContext()
    for (name, flags) in [("plain", []), ("owner", .userPresence), ("finger", .biometryAny)]
      as [(String, SecAccessControlCreateFlags)]
    {
      let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)!
      do {
        say(
          name, try await context.evaluateAccessControl(control, operation: .useItem, localizedReason: "use it"))
      } catch { say(name, describe(error)) }
    }
    let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)!
    let outcome: String = await withCheckedContinuation { continuation in
      context.evaluateAccessControl(control, operation: .createItem, localizedReason: "add it") { success, error in
        continuation.resume(returning: success ? "success" : describe(error))
      }
    }
    say("create", outcome)
  }

  /// What a program can know of the reader without asking anybody for a finger.
  static func fingers() async throws {
    let context = LAContext()
    say("before", context.evaluatedPolicyDomainState == nil)
    var error: NSError?
    let can = context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error)
    say("can", can ? "yes" : describe(error))
    say("type", context.biometryType.rawValue)
    say("state", context.evaluatedPolicyDomainState?.base64EncodedString() ?? "none")
    say("domain", context.domainState.biometry.stateHash?.base64EncodedString() ?? "none")
    let biometry = LAEnvironment.currentUser.state.biometry
    say("environment", biometry.map { "\($0.isUsable) \($0.isEnrolled) \($0.builtInSensorInaccessible)" } ?? "none")
  }

  /// A finger, or with OWNER the passcode as well, where the choice of the passcode is called as TITLE says.
  static func fallback() async throws {
    let variables = ProcessInfo.processInfo.environment
    let context = LAContext()
    context.localizedFallbackTitle = variables["TITLE"]
    let policy =
      variables["OWNER"] == nil ? LAPolicy.deviceOwnerAuthenticationWithBiometrics : .deviceOwnerAuthentication
    say("outcome", await ask(context, policy))
  }

  /// What a context remembers of its settings once the daemon was asked.
  static func settings() async throws {
    let context = LAContext()
    context.touchIDAuthenticationAllowableReuseDuration = 1000
    say("before", context.touchIDAuthenticationAllowableReuseDuration)
    context.interactionNotAllowed = true
    say("outcome", await ask(context))
    context.touchIDAuthenticationAllowableReuseDuration = 0
    say("after", context.touchIDAuthenticationAllowableReuseDuration)
  }
}
