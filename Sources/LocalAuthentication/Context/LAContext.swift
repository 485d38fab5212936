public import Foundation
package import KeychainClient
package import KeychainModel
package import SecretMemory
public import Security

/// Most seconds that an earlier proof may serve again: 300.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = TimeInterval(
  ContextRequest.longestReuse)

/// An authentication that serves several reads.
///
/// A proof given to a context serves every keychain call that names it under `kSecUseAuthenticationContext`, in this
/// process, for as long as the policy of the item's service lets a proof serve (`reuse`, five minutes where no policy says
/// otherwise). The daemon keeps the proof; this object only names it. Two contexts share nothing, a child process that
/// fork(2) made shares nothing with its parent, and a context outlives the daemon, without its proofs.
///
/// It may be used from any number of threads.
open class LAContext: NSObject, @unchecked Sendable {
  let core = ContextCore()

  /// A context without a proof. It asks nothing of the daemon yet.
  public override init() { super.init() }

  deinit { core.handle.invalidate() }

  // MARK: Asking

  /// Whether a policy could be evaluated now. Never prompts; what it says may change at any time.
  ///
  /// - Parameters:
  ///   - policy: What would be proved.
  ///   - error: Where the reason is left if it could not; see ``LAError``.
  @discardableResult
  open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
    do throws(Refusal) {
      try core.canEvaluate(policy)
      return true
    } catch let refusal {
      error?.pointee = AuthenticationFailure.error(for: refusal)
      return false
    }
  }

  /// Asks the user for a proof and keeps it in this context. Asks again where one is kept already.
  ///
  /// The context stays alive until it has answered. Apple's documentation says that one that goes away meanwhile ends the
  /// evaluation; much code makes one in a function that returns at once, and works there too.
  ///
  /// - Parameters:
  ///   - policy: What shall be proved.
  ///   - localizedReason: Why, in a few words; shown escaped. An empty one is refused as ``LAError/authenticationFailed``
  ///     (Apple raises an exception), one of more than 1024 bytes is cut.
  ///   - reply: Gets the outcome once, on a thread of its own: `true` and no error, or `false` and an ``LAError``.
  @preconcurrency
  open func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    answer(reply) { (core) throws(Refusal) in
      try core.evaluate(policy, reason: localizedReason, CallOptions())
    }
  }

  /// Asks the user for a proof and keeps it in this context, as
  /// ``evaluatePolicy(_:localizedReason:reply:)``. Cancelling the task ends it with ``LAError/appCancel``.
  ///
  /// - Returns: `true`.
  /// - Throws: An error of ``LAErrorDomain``.
  @discardableResult
  open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
    try await asynchronously { (core, options) throws(Refusal) in
      try core.evaluate(policy, reason: localizedReason, options)
    }
  }

  /// Asks for what an access control wants for an operation and keeps the proof in this context. Asks nothing where it
  /// wants nothing.
  ///
  /// - Parameters:
  ///   - accessControl: That of the item to be used.
  ///   - operation: What will be done.
  ///   - localizedReason: Why, as in ``evaluatePolicy(_:localizedReason:reply:)``.
  ///   - reply: Gets the outcome once, on a thread of its own.
  @preconcurrency
  open func evaluateAccessControl(
    _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
    reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    answer(reply) { (core) throws(Refusal) in
      try core.evaluate(
        accessControl.control, operation.itemOperation, reason: localizedReason, CallOptions())
    }
  }

  /// Asks for what an access control wants, as
  /// ``evaluateAccessControl(_:operation:localizedReason:reply:)``. Cancelling the task ends it with ``LAError/appCancel``.
  ///
  /// - Returns: `true`.
  /// - Throws: An error of ``LAErrorDomain``.
  @discardableResult
  open func evaluateAccessControl(
    _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String
  ) async throws -> Bool {
    try await asynchronously { (core, options) throws(Refusal) in
      try core.evaluate(accessControl.control, operation.itemOperation, reason: localizedReason, options)
    }
  }

  /// Ends the context for good: what waits ends with ``LAError/appCancel``, later uses with ``LAError/invalidContext``.
  /// Doing it twice is fine. A context that goes away is invalidated.
  open func invalidate() { core.handle.invalidate() }

  // MARK: Credentials

  /// Sets or, with `nil`, removes what the application hands in for items with the flag `applicationPassword`.
  ///
  /// - Returns: Whether it was taken: not by an invalidated context, not for a smart card, and not more than 1 MiB.
  @discardableResult
  open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
    guard type == .applicationPassword, !core.handle.isInvalidated else { return false }
    guard let credential else {
      core.set(password: nil)
      return true
    }
    guard let password = try? SecretBytes(copying: credential.span) else { return false }
    core.set(password: password)
    return true
  }

  /// Whether a credential of this type is set.
  open func isCredentialSet(_ type: LACredentialType) -> Bool {
    type == .applicationPassword && core.password != nil
  }

  // MARK: Settings

  /// The reason that keychain calls with this context show; empty for none.
  open var localizedReason: String {
    get { core.with { $0.reason } }
    set { core.with { $0.reason = newValue } }
  }

  /// What the choice of the passcode is called where a finger alone is asked for: `nil` for the usual words, empty for no such
  /// choice. Shown escaped and in quotes, at most 128 bytes of it.
  open var localizedFallbackTitle: String? {
    get { core.with { $0.fallbackTitle } }
    set { core.with { $0.fallbackTitle = newValue } }
  }

  /// What dismissing is called; `nil` or empty for the usual word. A window shows it escaped and in quotes, at most 128 bytes of
  /// it; a terminal has no button to call so.
  open var localizedCancelTitle: String? {
    get { core.with { $0.cancelTitle } }
    set { core.with { $0.cancelTitle = newValue } }
  }

  /// Kept and without effect, as with Apple since iOS 9: the policy of the service counts tries.
  open var maxBiometryFailures: NSNumber? {
    get { core.with { $0.maximumFailures }.map { NSNumber(value: $0) } }
    set {
      let value = newValue?.intValue
      core.with { $0.maximumFailures = value }
    }
  }

  /// Whether prompts are forbidden: evaluations then answer ``LAError/notInteractive``, keychain calls
  /// `errSecInteractionNotAllowed`, where a prompt would be needed.
  open var interactionNotAllowed: Bool {
    get { core.with { $0.interaction == .fail } }
    set { core.with { $0.interaction = newValue ? .fail : .allow } }
  }

  /// How many seconds ago a proof may have been given outside of this context to serve in it, where the policy of the
  /// service lets it serve there at all; 0 at first. Above 300 it counts as 300, fractions and what is no number count as
  /// less. Evaluations always ask.
  open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
    get { core.with { $0.reuseDuration } }
    set {
      core.with { $0.reuseDuration = newValue }
      let longest = LATouchIDAuthenticationMaximumAllowableReuseDuration
      core.handle.allowReuse(seconds: newValue > 0 ? UInt32(min(newValue, longest)) : 0)
    }
  }

  // MARK: The reader

  /// Which kind of reader the machine has; asks the daemon where nothing did before.
  open var biometryType: LABiometryType { core.biometryType }

  /// Opaque bytes that change with the enrolled fingers; `nil` until an evaluation, or the question whether one can be
  /// made, succeeded where fingers count.
  open var evaluatedPolicyDomainState: Data? { core.with { $0.domainState } }

  /// What is enrolled now.
  open var domainState: LADomainState { LADomainState(type: core.biometryType, hash: core.enrolment()) }

  // MARK: Threads

  /// The thread keeps the context until it has answered: a function may make one, ask, and return.
  private func answer(
    _ reply: @escaping @Sendable (Bool, (any Error)?) -> Void,
    _ body: @escaping @Sendable (ContextCore) throws(Refusal) -> Void
  ) {
    let finish = { @Sendable (refusal: Refusal?) in
      reply(refusal == nil, refusal.map(AuthenticationFailure.error))
    }
    do throws(Refusal) {
      try CallThread.start { [self] in
        do throws(Refusal) {
          try body(core)
          finish(nil)
        } catch { finish(error) }
      }
    } catch { finish(error) }
  }

  private func asynchronously(
    _ body: @escaping @Sendable (ContextCore, CallOptions) throws(Refusal) -> Void
  ) async throws -> Bool {
    let core = core
    do throws(Refusal) {
      try await core.keychain.asynchronously { (_, options) throws(Refusal) in try body(core, options) }
      return true
    } catch { throw AuthenticationFailure.error(for: error) }
  }
}

extension LAContext: AuthenticationContext {
  package var handle: ContextHandle { core.handle }
  package var promptReason: String? {
    let reason = localizedReason
    return reason.isEmpty ? nil : reason
  }
  package var promptTitles: PromptTitles { core.titles }
  package var forbidsPrompts: Bool { interactionNotAllowed }
  package var applicationPassword: SecretBytes? { core.password }
}
