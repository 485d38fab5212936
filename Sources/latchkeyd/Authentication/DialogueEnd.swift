internal import KeychainModel

/// How a dialogue ends without a proof.
struct DialogueEnd: Error {
  /// What the client is told.
  var refusal: Refusal
  /// How the programs are brought to their end.
  var manner: Manner
  /// How long the refusal is kept back: the delay that the stack asked for.
  var delayMicroseconds: UInt32 = 0

  /// How helper and prompter end.
  enum Manner {
    /// Now: nobody waits for them, or they cannot be relied on.
    case atOnce
    /// The helper has said its last word and tells the prompter itself.
    case byItself
    /// The helper waits for word, and tells the prompter.
    case told
  }

  init(_ refusal: Refusal, _ manner: Manner) {
    self.refusal = refusal
    self.manner = manner
  }
}
