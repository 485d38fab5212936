package import KeychainModel

/// A program's words for a prompt as they fit a request.
package enum PromptReason {
  /// The text, cut between two characters where it is longer than a request takes. Looks at no more of it than is kept: a
  /// program may hand in any length.
  package static func clipped(_ text: String, to limit: Int = RequestOptions.reasonBytes) -> ExactText {
    guard text.utf8.count > limit else { return ExactText(text) }
    var end = text.startIndex
    var room = limit
    while true {
      let next = text.index(after: end)
      room -= text.utf8.distance(from: end, to: next)
      guard room >= 0 else { return ExactText(String(text[..<end])) }
      end = next
    }
  }
}
