public import KeychainModel

/// What the rules said on the way to a decision. Switched off it stores nothing and builds no text.
public struct DecisionTrace: Sendable {
  /// What was said, in the order the rules were asked.
  public private(set) var entries: [TraceEntry] = []
  private let isRecording: Bool

  private init(isRecording: Bool) { self.isRecording = isRecording }

  /// A trace that stores nothing.
  public static var off: DecisionTrace { DecisionTrace(isRecording: false) }
  /// An empty trace that stores what the rules say.
  public static var recording: DecisionTrace { DecisionTrace(isRecording: true) }

  /// Stores that a rule let the request pass, and what it found. The text is built only where it is stored.
  mutating func pass(_ rule: AccessRule, _ text: @autoclosure () -> String) {
    guard isRecording else { return }
    entries.append(TraceEntry(rule: rule, verdict: .passes, text: text()))
  }

  /// Stores that a rule wants a proof.
  mutating func ask(_ rule: AccessRule, _ text: @autoclosure () -> String) {
    guard isRecording else { return }
    entries.append(TraceEntry(rule: rule, verdict: .asks, text: text()))
  }

  /// Stores that a rule refuses, and gives the reason back to be thrown.
  mutating func refusal(_ rule: AccessRule, _ reason: Reason) -> Reason {
    guard isRecording else { return reason }
    entries.append(TraceEntry(rule: rule, verdict: .refuses(reason), text: reason.explanation))
    return reason
  }
}

/// What one rule said.
public struct TraceEntry: Hashable, Sendable {
  /// The rule.
  public let rule: AccessRule
  /// Its answer.
  public let verdict: TraceVerdict
  /// What it found, for people; never a secret.
  public let text: String
}

/// The answer of one rule.
public enum TraceVerdict: Hashable, Sendable {
  /// Nothing against it.
  case passes
  /// A proof is needed first.
  case asks
  /// No.
  case refuses(Reason)
}

/// The rules, by the words that logs and `policy explain` use, in the order they are asked.
public enum AccessRule: String, CaseIterable, Sendable {
  /// Whether the keybag can open the item's class.
  case keybag
  /// Whether the program may use the service.
  case callers
  /// Whether the session's origin may.
  case remote
  /// Whether the item's access control allows the operation.
  case operation
  /// The least that the policy wants.
  case require
  /// Whether the fingers are those the item was bound to.
  case enrolment
  /// Whether a method is left that could satisfy the item.
  case methods
  /// What each proof at hand is good for.
  case evidence
}
