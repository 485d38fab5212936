package import KeychainModel

/// A program's reason as it fits a request.
package enum PromptReason {
  /// The text, cut between two characters where it is longer than a request takes. Looks at no more of it than is kept: a
  /// program may hand in any length.
  package static func clipped(_ text: String) -> ExactText {
    guard text.utf8.count > RequestOptions.reasonBytes else { return ExactText(text) }
    var end = text.startIndex
    var room = RequestOptions.reasonBytes
    while true {
      let next = text.index(after: end)
      room -= text.utf8.distance(from: end, to: next)
      guard room >= 0 else { return ExactText(String(text[..<end])) }
      end = next
    }
  }
}
