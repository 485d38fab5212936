public import Foundation
internal import KeychainClient
internal import KeychainModel
public import Observation
internal import Security
internal import Synchronization

/// Something that its holder may do once the owner has agreed: an authorisation in this process's memory.
///
/// It stands until ``deauthorize()`` or until the object goes away. ``state`` can be observed (Observation); where Apple's
/// can be followed by key-value observing, this one cannot.
open class LARight: NSObject, Observable, @unchecked Sendable {
  /// How far an authorisation has come.
  public enum State: Int, CaseIterable, Sendable {
    /// Nobody has asked yet.
    case unknown = 0
    /// The owner is being asked.
    case authorizing = 1
    /// The owner has agreed.
    case authorized = 2
    /// The owner has not agreed, or the authorisation was taken back.
    case notAuthorized = 3
  }

  private struct Standing {
    var state = State.unknown
    var tag = 0
    var handle: ContextHandle
  }

  let rule: RightRule
  private let standing: Mutex<Standing>
  private let registrar = ObservationRegistrar()

  /// A right that a finger or the passcode authorises.
  public convenience override init() { self.init(requirement: .default) }

  /// A right with a requirement of its own.
  public convenience init(requirement: LAAuthenticationRequirement) { self.init(requirement.rule) }

  init(_ rule: RightRule) {
    self.rule = rule
    standing = Mutex(Standing(handle: ContextHandle(SharedKeychain.keychain)))
  }

  deinit { handle.invalidate() }

  /// A number of the program's own, 0 at first.
  open var tag: Int {
    get { standing.withLock { $0.tag } }
    set { standing.withLock { $0.tag = newValue } }
  }

  /// How far the authorisation has come.
  open var state: State {
    registrar.access(self, keyPath: \.state)
    return standing.withLock { $0.state }
  }

  /// Asks the owner.
  ///
  /// - Parameter localizedReason: Why, in a few words; not empty.
  /// - Throws: An error of ``LAErrorDomain``.
  open func authorize(localizedReason: String) async throws {
    let handle = begin()
    do throws(Refusal) {
      if localizedReason.isEmpty { throw Refusal(.invalidParameter, detail: "localizedReason is empty") }
      try await SharedKeychain.keychain.asynchronously { [self] (keychain, options) throws(Refusal) in
        try ask(keychain, options, handle, localizedReason)
      }
      end(.authorized, handle)
    } catch {
      end(.notAuthorized, handle)
      throw AuthenticationFailure.error(for: error)
    }
  }

  /// Asks the owner, as ``authorize(localizedReason:)``; `completion` gets the error, or `nil`.
  open func authorize(localizedReason: String, completion: @escaping @Sendable ((any Error)?) -> Void) {
    Completion.run(completion) { [self] in try await authorize(localizedReason: localizedReason) }
  }

  /// Returns where the owner could be asked now. Never prompts.
  ///
  /// - Throws: An error of ``LAErrorDomain``.
  open func checkCanAuthorize() async throws {
    let request = ContextRequest.canEvaluate(rule.methods)
    do throws(Refusal) {
      try await SharedKeychain.keychain.asynchronously { (keychain, options) throws(Refusal) in
        try keychain.useContext(request, options: options)
      }
    } catch { throw AuthenticationFailure.error(for: error) }
  }

  /// As ``checkCanAuthorize()``; `completion` gets the error, or `nil`.
  open func checkCanAuthorize(completion: @escaping @Sendable ((any Error)?) -> Void) {
    Completion.run(completion) { [self] in try await checkCanAuthorize() }
  }

  /// Takes the authorisation back; one that is being asked for ends with ``LAError/appCancel``.
  open func deauthorize() async {
    change(to: .notAuthorized) { standing in
      let old = standing.handle
      standing.handle = ContextHandle(SharedKeychain.keychain)
      return old
    }.invalidate()
  }

  /// As ``deauthorize()``.
  open func deauthorize(completion: @escaping @Sendable () -> Void) {
    Completion.run({ _ in completion() }) { [self] in await deauthorize() }
  }

  // MARK: What stored rights share

  /// What the proof is kept in.
  var handle: ContextHandle { standing.withLock { $0.handle } }

  /// What the daemon is asked for.
  func request() -> ContextRequest { .evaluate(rule.methods) }

  private func ask(
    _ keychain: Keychain, _ options: CallOptions, _ handle: ContextHandle, _ reason: String
  ) throws(Refusal) {
    var asking = options
    asking.handle = handle
    asking.reason = PromptReason.clipped(reason)
    try keychain.useContext(request(), options: asking)
  }

  private func begin() -> ContextHandle {
    change(to: .authorizing) { $0.handle }
  }

  /// What an authorisation that was taken back meanwhile has come to does not count any more.
  private func end(_ state: State, _ handle: ContextHandle) {
    guard self.handle === handle else { return }
    change(to: state) { _ in }
  }

  @discardableResult
  private func change<Result: Sendable>(to state: State, _ body: (inout Standing) -> Result) -> Result {
    registrar.withMutation(of: self, keyPath: \.state) {
      standing.withLock { standing in
        standing.state = state
        return body(&standing)
      }
    }
  }
}

/// Turns asynchronous work into a call with a completion.
enum Completion {
  static func run(
    _ completion: @escaping @Sendable ((any Error)?) -> Void, _ body: @escaping @Sendable () async throws -> Void
  ) {
    Task.detached {
      do {
        try await body()
        completion(nil)
      } catch { completion(error) }
    }
  }

  static func run<Value: Sendable>(
    _ completion: @escaping @Sendable (Value?, (any Error)?) -> Void,
    _ body: @escaping @Sendable () async throws -> Value
  ) {
    Task.detached {
      do { completion(try await body(), nil) } catch { completion(nil, error) }
    }
  }
}
