internal import KeychainModel

/// Why the daemon does not serve.
enum StartFailure: Error, Hashable {
  /// Another daemon holds the store's lock.
  case alreadyRunning(lock: String)
  /// For this reason.
  case refused(Refusal)

  /// A place or a right that is not as it must be.
  static func unavailable(_ detail: String) -> StartFailure { .refused(Refusal(.serviceUnavailable, detail: detail)) }

  /// The line for whoever started the daemon: a code, a space, a detail. Protocol section 9.
  var word: String {
    switch self {
    case .alreadyRunning(let lock): "alreadyRunning another daemon holds \(lock)"
    case .refused(let refusal): refusal.reason.rawValue + (refusal.detail.isEmpty ? "" : " " + refusal.detail)
    }
  }

  /// The line for people: what is wrong, what to do, and the code.
  var line: String {
    switch self {
    case .alreadyRunning(let lock):
      "another daemon holds \(lock). End that one first, or name another folder with --state. [alreadyRunning]"
    case .refused(let refusal): "\(Self.sentence(refusal)). \(Self.nextStep(refusal)) [\(refusal.reason.rawValue)]"
    }
  }

  private static func sentence(_ refusal: Refusal) -> String {
    let explanation = refusal.reason.explanation.dropLast()
    if refusal.reason == .serviceUnavailable, !refusal.detail.isEmpty { return refusal.detail }
    return refusal.detail.isEmpty ? String(explanation) : "\(explanation): \(refusal.detail)"
  }

  /// What whoever started it can do; a reason's own next step speaks to clients of a daemon that serves.
  private static func nextStep(_ refusal: Refusal) -> String {
    switch refusal.reason {
    case .cannotVerifyPasscodes: "Start it outside of the sandbox that sets this."
    case .outOfMemory: "Raise the limit: 'ulimit -l', or LimitMEMLOCK= of its service."
    case .serviceUnavailable: "Mend that and start it again; latchkeyd(8) says what it wants."
    default: refusal.reason.nextStep
    }
  }
}
