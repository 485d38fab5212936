/// Finds the word that was probably meant.
enum Suggestion {
  /// The nearest of the words within two edits that leave more than half of it, letter case aside; `nil` where none is near or the text is very long.
  static func nearest(to text: String, among words: [String]) -> String? {
    guard text.utf8.count <= 64 else { return nil }
    let typed = Array(text.lowercased().utf8)
    let ranked = words.map { (word: $0, edits: edits(typed, Array($0.lowercased().utf8))) }
    guard let best = ranked.min(by: { $0.edits < $1.edits }), best.edits <= 2, best.edits * 2 < best.word.utf8.count
    else {
      return nil
    }
    return best.word
  }

  /// " Did you mean 'word'?" or nothing.
  static func question(_ text: String, among words: [String]) -> String {
    nearest(to: text, among: words).map { " Did you mean '\($0)'?" } ?? ""
  }

  /// Insertions, deletions and replacements between two texts (Levenshtein).
  private static func edits(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let replaced = diagonal + (a == b ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}
