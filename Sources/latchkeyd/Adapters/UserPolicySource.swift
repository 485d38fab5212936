internal import KeychainModel
internal import PolicyFiles

/// A user's own policies, as they are kept in the store: a text for each pattern.
struct UserPolicySource: PolicySource {
  /// By the pattern's text.
  var texts: [ExactText: ExactText]

  func entries() throws(PolicySourceError) -> [PolicySourceEntry] {
    texts.map { pattern, text in PolicySourceEntry(name: Self.name(of: pattern), content: .text(text.bytes)) }
  }

  /// The layer these policies make.
  var folder: PolicyFolder { PolicyFolder(origin: .user, reading: self) }

  private static func name(of pattern: ExactText) -> String {
    guard let text = pattern.validString, let pattern = try? ServicePattern(text) else {
      return pattern.string + ".yaml"
    }
    return PolicyFileName.name(for: pattern)
  }
}
