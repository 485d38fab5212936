/// The name that somebody who wrote another one may have meant.
public struct NearestName {
  /// The name, or `nil` where none is near: the only one that the word begins, else one within a third of its length of edits.
  public let name: String?

  /// Looks among names; the first of the nearest wins.
  public init(to word: String, among names: [String]) {
    let begun = names.filter { !word.isEmpty && $0.hasPrefix(word) }
    if begun.count == 1 {
      name = begun[0]
      return
    }
    let nearest = names.map { (name: $0, edits: Self.edits(Array(word.utf8.prefix(64)), Array($0.utf8))) }
      .min { $0.edits < $1.edits }
    name = nearest.flatMap { $0.edits <= max(1, $0.name.utf8.count / 3) ? $0.name : nil }
  }

  /// How many bytes must be put in, taken out, replaced or swapped with the next to make one of the other (optimal string
  /// alignment).
  private static func edits(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var rows = [Array(0...right.count)]
    for (place, byte) in left.enumerated() {
      let above = rows[place]
      var row = [place + 1]
      for (column, other) in right.enumerated() {
        var least = min(above[column + 1], row[column]) + 1
        least = min(least, above[column] + (byte == other ? 0 : 1))
        if place > 0, column > 0, byte == right[column - 1], left[place - 1] == other {
          least = min(least, rows[place - 1][column - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
