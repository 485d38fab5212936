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
}
