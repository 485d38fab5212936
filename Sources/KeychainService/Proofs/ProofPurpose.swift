internal import KeychainModel

/// What the person is told that a proof about no item does.
struct ProofPurpose {
  /// The daemon's own words ("make a recovery key").
  let words: String
  /// The service behind the words, as a client spelled it; empty where the keychain itself is meant.
  let service: ExactText

  init(_ words: String, _ service: ExactText = ExactText(bytes: [])) {
    self.words = words
    self.service = service
  }
}
