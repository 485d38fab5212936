/// How a refusal says that a passcode would not have served: the advice of its reason then leaves the passcode out.
public enum FingerAlone {
  /// What stands in the detail.
  public static let detail = "only a finger opens it"

  /// The next step without a passcode; `nil` where the reason's own has none, or a passcode serves.
  public static func nextStep(_ refusal: Refusal) -> String? {
    guard refusal.detail.hasSuffix(detail) else { return nil }
    return switch refusal.reason {
    case .interactionNotAllowed: "Run it again without --no-prompt."
    case .noWayToPrompt: "Run it on a terminal or a display."
    case .noMatch: "Try again."
    case .lidClosed: "Open the lid."
    case .biometryRemote: "Read it from a session at this machine."
    case .biometryNotAvailable: "Run 'latchkey doctor'; it says what the reader lacks."
    default: nil
    }
  }

  /// The refusal of a request that no passcode could have satisfied.
  public static func marked(_ refusal: Refusal) -> Refusal {
    let marks: Set<Reason> = [
      .interactionNotAllowed, .noWayToPrompt, .noMatch, .lidClosed, .biometryRemote, .biometryNotAvailable,
    ]
    guard marks.contains(refusal.reason), !refusal.detail.hasSuffix(detail) else { return refusal }
    return Refusal(refusal.reason, detail: refusal.detail.isEmpty ? detail : "\(refusal.detail); \(detail)")
  }
}
