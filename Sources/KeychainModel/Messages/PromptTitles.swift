/// What a program calls the ways out of a dialogue: untrusted text, shown escaped and in quotes.
///
/// Apple counterparts: `LAContext.localizedFallbackTitle` and `localizedCancelTitle`.
public struct PromptTitles: Hashable, Sendable {
  /// What the choice of the passcode is called where a finger alone is asked for.
  public var fallback: FallbackTitle
  /// What dismissing is called, 1 to ``titleBytes`` bytes; `nil` for the usual word.
  public var cancel: ExactText?

  /// Makes titles; by default the usual words.
  public init(fallback: FallbackTitle = .usual, cancel: ExactText? = nil) {
    self.fallback = fallback
    self.cancel = cancel
  }

  /// The usual words.
  public static let usual = PromptTitles()
  /// Most bytes of a title.
  public static let titleBytes = 128
}

/// What the choice of the passcode over a finger is called.
public enum FallbackTitle: Hashable, Sendable {
  /// The usual words.
  case usual
  /// Nothing: there is no such choice.
  case hidden
  /// The program's words, 1 to ``PromptTitles/titleBytes`` bytes.
  case named(ExactText)
}
