/// Rows whose columns stand under one another.
struct Table {
  var rows: [[String]]
  /// The least width of each column; rows of later tables go on with the widths of earlier ones.
  private(set) var widths: [Int]

  init(rows: [[String]], widths: [Int] = []) {
    self.rows = rows
    self.widths = widths
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == self.widths.count { self.widths.append(0) }
        self.widths[column] = max(self.widths[column], cell.count)
      }
    }
  }

  /// The rows, two spaces between columns and none at the end of a line.
  var text: String {
    var text = ""
    for row in rows {
      var line = ""
      for (column, cell) in row.enumerated() {
        line += cell
        if column < row.count - 1 { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text
  }
}
