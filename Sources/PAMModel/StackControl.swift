/// What a stack does with a module's answer (pam.conf(5), the control field).
struct StackControl: Hashable, Sendable {
  /// One action for each defined answer; the place is the answer's number.
  private var actions: [StackAction]

  /// The action on an answer.
  subscript(result: PAMResult) -> StackAction {
    let place = Int(result.code)
    return actions.indices.contains(place) ? actions[place] : .bad
  }

  /// Whether every answer is ignored, or only a success is heeded: the line demands nothing.
  var demandsNothing: Bool {
    PAMResult.defined.allSatisfy { result in
      switch self[result] {
      case .ignore: true
      case .ok: result == .success || result == .newTokenRequired
      default: false
      }
    }
  }

  /// Whether the stack fails wherever the module does, as with `required` and `requisite`.
  var failsWithModule: Bool {
    PAMResult.defined.allSatisfy { result in
      switch result {
      case .success, .newTokenRequired, .ignore: true
      default: self[result] == .bad || self[result] == .die
      }
    }
  }

  /// Parses `required`, `requisite`, `sufficient`, `optional` (any case) or `[value=action ...]`.
  init?(_ token: String) {
    switch token.lowercased() {
    case "required": self.init(success: .ok, otherwise: .bad, ignoring: true)
    case "requisite": self.init(success: .ok, otherwise: .die, ignoring: true)
    case "sufficient": self.init(success: .done, otherwise: .ignore, ignoring: true)
    case "optional": self.init(success: .ok, otherwise: .ignore, ignoring: true)
    case let other:
      guard other.first == "[", other.last == "]", other.count >= 2 else { return nil }
      self.init(pairs: other.dropFirst().dropLast().split(whereSeparator: { $0 == " " || $0 == "\t" }))
    }
  }

  private init(success: StackAction, otherwise: StackAction, ignoring: Bool) {
    actions = Array(repeating: otherwise, count: PAMResult.defined.count)
    for result in [PAMResult.success, .newTokenRequired] { actions[Int(result.code)] = success }
    if ignoring { actions[Int(PAMResult.ignore.code)] = .ignore }
  }

  private init?(pairs: [Substring]) {
    guard !pairs.isEmpty else { return nil }
    var named: [StackAction?] = Array(repeating: nil, count: PAMResult.defined.count)
    var otherwise = StackAction.bad
    for pair in pairs {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let action = StackAction(parts[1]) else { return nil }
      if parts[0] == "default" {
        otherwise = action
      } else if let place = Self.words.firstIndex(of: String(parts[0])) {
        named[place] = action
      } else {
        return nil
      }
    }
    actions = named.map { $0 ?? otherwise }
  }

  /// The words of pam.conf(5), in the order of the numbers.
  private static let words = [
    "success", "open_err", "symbol_err", "service_err", "system_err", "buf_err", "perm_denied", "auth_err",
    "cred_insufficient", "authinfo_unavail", "user_unknown", "maxtries", "new_authtok_reqd", "acct_expired",
    "session_err", "cred_unavail", "cred_expired", "cred_err", "no_module_data", "conv_err", "authtok_err",
    "authtok_recover_err", "authtok_lock_busy", "authtok_disable_aging", "try_again", "ignore", "abort",
    "authtok_expired", "module_unknown", "bad_item", "conv_again", "incomplete",
  ]
}

/// One action of pam.conf(5).
enum StackAction: Hashable, Sendable {
  case ignore, ok, done, bad, die, reset
  /// Skip this many lines, 1 to 255.
  case jump(Int)

  init?(_ word: Substring) {
    switch word {
    case "ignore": self = .ignore
    case "ok": self = .ok
    case "done": self = .done
    case "bad": self = .bad
    case "die": self = .die
    case "reset": self = .reset
    default:
      guard let count = Int(word), (1...255).contains(count) else { return nil }
      self = .jump(count)
    }
  }
}
