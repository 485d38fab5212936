internal import Foundation
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory
internal import Security
internal import Synchronization

/// What an `LAContext` knows and does.
final class ContextCore: Sendable {
  /// What the program set.
  struct Settings {
    var reason = ""
    var fallbackTitle: String?
    var cancelTitle: String?
    var interaction = InteractionMode.allow
    var reuseDuration: Double = 0
    /// What the application handed in, and in which process: a child has its parent's secrets no more.
    var password: (secret: SecretBytes, pid: Int32)?
    var biometryType: LABiometryType?
    var domainState: Data?
    var maximumFailures: Int?
  }

  let keychain = SharedKeychain.keychain
  let handle: ContextHandle
  private let settings = Mutex(Settings())

  init() { handle = ContextHandle(SharedKeychain.keychain) }

  /// Looks at or changes the settings.
  func with<Result: Sendable>(_ body: (inout Settings) -> Result) -> Result { settings.withLock { body(&$0) } }

  /// The application's own password, where this process has one.
  var password: SecretBytes? {
    with { settings in settings.password.flatMap { $0.pid == Self.pid ? $0.secret : nil } }
  }

  func set(password: SecretBytes?) {
    with { settings in settings.password = password.map { ($0, Self.pid) } }
  }

  private static var pid: Int32 { ProcessInfo.processInfo.processIdentifier }

  /// What the ways out of a prompt are called.
  var titles: PromptTitles {
    let (fallback, cancel) = with { ($0.fallbackTitle, $0.cancelTitle) }
    func title(_ text: String) -> ExactText { PromptReason.clipped(text, to: PromptTitles.titleBytes) }
    return PromptTitles(
      fallback: fallback.map { $0.isEmpty ? .hidden : .named(title($0)) } ?? .usual,
      cancel: cancel.flatMap { $0.isEmpty ? nil : title($0) })
  }

  /// Asks for a proof and keeps it in the context.
  func evaluate(_ policy: LAPolicy, reason: String, _ more: CallOptions) throws(Refusal) {
    try requireUse(reason)
    try ask(.evaluate(try policy.alternatives()), reason, more)
    noteEnrolment()
  }

  /// Asks for what an access control wants, and keeps the proof in the context.
  func evaluate(
    _ control: AccessControl, _ operation: ItemOperation, reason: String, _ more: CallOptions
  ) throws(Refusal) {
    try requireUse(reason)
    try ask(.evaluateAccessControl(control, operation), reason, more)
  }

  /// Whether the methods could be asked for now; never prompts.
  func canEvaluate(_ policy: LAPolicy) throws(Refusal) {
    if handle.isInvalidated { throw Refusal(.contextInvalid) }
    let methods = try policy.alternatives()
    try canEvaluate(methods)
    if methods.contains(.biometry) { noteEnrolment() }
  }

  private func canEvaluate(_ methods: [MethodBits]) throws(Refusal) {
    try keychain.useContext(.canEvaluate(methods), options: CallOptions(interaction: .fail))
  }

  /// The kind of reader; asks the daemon once.
  var biometryType: LABiometryType {
    if let known = with({ $0.biometryType }) { return known }
    var found = LABiometryType.touchID
    do throws(Refusal) { try canEvaluate([.biometry]) } catch { found = Self.readerType(behind: error.reason) }
    with { [found] in $0.biometryType = found }
    return found
  }

  /// The kind of reader that a refusal speaks of: it may be there and of no use just now.
  static func readerType(behind reason: Reason) -> LABiometryType {
    switch reason {
    case .biometryNotEnrolled, .biometryLockout, .readerBusy, .lidClosed, .biometryNotCached, .biometryRemote,
      .enrolmentUnreadable:
      .touchID
    default: .none
    }
  }

  /// What stands for the enrolled fingers, or `nil`.
  func enrolment() -> Data? {
    guard let state = try? keychain.enrolmentState(options: CallOptions(interaction: .fail)) else { return nil }
    return Data(state)
  }

  /// An evaluation that counts fingers leaves their state behind.
  private func noteEnrolment() {
    let state = enrolment()
    with { [state] in $0.domainState = state ?? $0.domainState }
  }

  /// Apple raises an exception where there is no reason to show; a library here does not end its program.
  private func requireUse(_ reason: String) throws(Refusal) {
    if handle.isInvalidated { throw Refusal(.contextInvalid) }
    if reason.isEmpty { throw Refusal(.invalidParameter, detail: "localizedReason is empty") }
  }

  private func ask(_ request: ContextRequest, _ reason: String, _ more: CallOptions) throws(Refusal) {
    var options = more
    options.handle = handle
    options.interaction = with { $0.interaction }
    options.reason = PromptReason.clipped(reason)
    options.titles = titles
    try keychain.useContext(request, options: options)
  }
}
