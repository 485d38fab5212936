import Foundation
import LocalAuthentication
import Security

/// A context of a program's own tests: it answers as told and asks nobody.
nonisolated class MockContext: LAContext, @unchecked Sendable {
  private let outcome: Result<Void, any Error>

  init(_ outcome: Result<Void, any Error>) {
    self.outcome = outcome
    super.init()
  }

  override func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
    if case .failure(let reason) = outcome { error?.pointee = reason as NSError }
    if case .success = outcome { return true }
    return false
  }

  override func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    switch outcome {
    case .success: reply(true, nil)
    case .failure(let reason): reply(false, reason)
    }
  }
}

/// Ways to use a context. Nobody sits at a terminal here, and no reader is there.
var authenticationShapes: [Idiom] {
  [
    Idiom("whether a policy can be evaluated, with a place for the error") {
      let context = LAContext()
      var error: NSError?
      let can = context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error)
      return !can && error?.domain == LAErrorDomain && error?.code == LAError.Code.biometryNotAvailable.rawValue
    },
    Idiom("whether a policy can be evaluated, without one") {
      !LAContext().canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
    },
    Idiom("the error of a policy cast to LAError and switched over") {
      var error: NSError?
      LAContext().canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error)
      guard let error = error as? LAError else { return false }
      switch error.code {
      case .biometryNotAvailable, .touchIDNotAvailable: return true
      case .biometryNotEnrolled, .passcodeNotSet: return false
      default: return false
      }
    },
    Idiom("the code of a policy's error by raw value") {
      var error: NSError?
      LAContext().canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error)
      return error.flatMap { LAError.Code(rawValue: $0.code) } == .biometryNotAvailable
    },
    Idiom("an evaluation awaited and its error caught by name") {
      do {
        try await LAContext().evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "to test")
        return false
      } catch LAError.biometryNotAvailable {
        return true
      }
    },
    Idiom("an evaluation with a callback wrapped in a continuation") {
      func authenticate(_ context: LAContext) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
          context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "to test") {
            success, error in
            if let error { return continuation.resume(throwing: error) }
            continuation.resume(returning: success)
          }
        }
      }
      do {
        return try await !authenticate(LAContext())
      } catch let error as LAError {
        return error.code == .biometryNotAvailable
      }
    },
    Idiom("an evaluation with a callback waited for by a semaphore") {
      let done = DispatchSemaphore(value: 0)
      let found = Found<(Bool, (any Error)?)>()
      LAContext().evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "to test") {
        success, error in
        found.put((success, error))
        done.signal()
      }
      return await Task.detached { done.waitWithin(10) }.value && found.taken?.0 == false
        && (found.taken?.1 as? LAError)?.code == .biometryNotAvailable
    },
    Idiom("prompts forbidden answer that the context is not interactive") {
      let context = LAContext()
      context.interactionNotAllowed = true
      do {
        try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to test")
        return false
      } catch let error as LAError {
        return error.code == .notInteractive
      }
    },
    Idiom("an invalidated context answers that it is invalid, as often as asked") {
      let context = LAContext()
      context.invalidate()
      context.invalidate()
      for _ in 0..<2 {
        do {
          try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to test")
          return false
        } catch LAError.invalidContext {
          continue
        }
      }
      return true
    },
    Idiom("the kind of biometry, with a case for kinds to come") {
      let context = LAContext()
      context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)
      switch context.biometryType {
      case .none: return true
      case .touchID, .faceID, .opticID: return false
      @unknown default: return false
      }
    },
    Idiom("titles, reason and reuse are kept as set") {
      let context = LAContext()
      guard context.localizedFallbackTitle == nil, context.touchIDAuthenticationAllowableReuseDuration == 0 else {
        return false
      }
      context.localizedFallbackTitle = ""
      context.localizedCancelTitle = "Not now"
      context.localizedReason = "to test"
      context.touchIDAuthenticationAllowableReuseDuration = LATouchIDAuthenticationMaximumAllowableReuseDuration
      return context.localizedFallbackTitle == "" && context.localizedCancelTitle == "Not now"
        && context.localizedReason == "to test" && context.touchIDAuthenticationAllowableReuseDuration == 300
    },
    Idiom("an application's password is set, asked for and taken away") {
      let context = LAContext()
      guard context.setCredential(Data("secret".utf8), type: .applicationPassword),
        context.isCredentialSet(.applicationPassword)
      else { return false }
      context.setCredential(nil, type: .applicationPassword)
      return !context.isCredentialSet(.applicationPassword)
    },
    Idiom("a context of the program's own that says yes") {
      let context: LAContext = MockContext(.success(()))
      return context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)
    },
    Idiom("a context of the program's own that says why not") {
      let context: LAContext = MockContext(.failure(LAError(.biometryLockout)))
      var error: NSError?
      guard !context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error) else { return false }
      return (error as? LAError)?.code == .biometryLockout && error?.code == -8
    },
    Idiom("the domain state is nothing until biometry was asked with success") {
      LAContext().evaluatedPolicyDomainState == nil
    },
  ]
}

/// A place for what a callback found.
nonisolated final class Found<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value?
  func put(_ value: Value) { lock.withLock { self.value = value } }
  var taken: Value? { lock.withLock { value } }
}

extension DispatchSemaphore {
  /// Whether it was signalled within some seconds.
  nonisolated func waitWithin(_ seconds: Double) -> Bool { wait(timeout: .now() + seconds) == .success }
}
