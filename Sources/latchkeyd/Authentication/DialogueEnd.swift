internal import KeychainModel

/// How a dialogue ends before the passcode's helper brought it to its end.
struct DialogueEnd: Error {
  /// What it came to.
  var outcome: Outcome
  /// How the programs are brought to their end.
  var manner: Manner
  /// How long the refusal is kept back: the delay that the stack asked for.
  var delayMicroseconds: UInt32 = 0

  /// What a dialogue came to.
  enum Outcome {
    /// There is no proof, and what the client is told.
    case refused(Refusal)
    /// A finger was faster than the passcode.
    case overtaken
  }

  /// How helper and prompter end.
  enum Manner {
    /// Now: nobody waits for them, or they cannot be relied on.
    case atOnce
    /// The helper has said its last word and tells the prompter itself.
    case byItself
    /// The helper waits for word, and tells the prompter.
    case told
    /// Whatever the helper is doing: we tell the prompter.
    case overruled
  }

  init(_ refusal: Refusal, _ manner: Manner) {
    outcome = .refused(refusal)
    self.manner = manner
  }

  private init(_ outcome: Outcome, _ manner: Manner) {
    self.outcome = outcome
    self.manner = manner
  }

  /// A finger was faster than the passcode.
  static var overtaken: DialogueEnd { DialogueEnd(.overtaken, .overruled) }
}
