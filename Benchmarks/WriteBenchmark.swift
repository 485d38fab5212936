import LinuxSystem

/// Acknowledged writes beside SQLite's own, on the same disk, both with a write-ahead log and full sync.
///
/// SQLite's table is the least that could stand for an item: a 32-byte key and one blob as long as all of our row.
enum WriteBenchmark {
  /// What one of our rows holds besides its primary hash.
  private static let rowBytes = 420
  private static let singles = 200
  private static let batch = 1000

  static func run(_ setting: Setting) throws {
    for existing in [1_000, 100_000] {
      let ours = try SampleStore(setting.scratch.folder("writes-\(existing)"))
      let file = "\(setting.scratch.path)/floor-\(existing).db"
      var next = existing
      _ = try ours.add(0..<existing, batch: batch)
      _ = try setting.floor.insert(into: file, rows: existing, batch: batch, bytes: rowBytes)
      var single: [Double] = []
      var batched: [Double] = []
      var absolute: [Double] = []
      var floorTimes: [Double] = []
      for _ in 0..<setting.options.runs {
        let mine = try ours.addSingly(next..<next + singles)
        next += singles
        single.append(try setting.floor.insert(into: file, rows: singles, batch: 1, bytes: rowBytes) / mine)
        let rows = existing < 10_000 ? 2 * batch : 10 * batch
        let many = try ours.add(next..<next + rows, batch: batch)
        next += rows
        let theirs = try setting.floor.insert(into: file, rows: rows, batch: batch, bytes: rowBytes)
        batched.append(theirs / many)
        absolute.append(many / Double(rows) / 1000)
        floorTimes.append(theirs / Double(rows) / 1000)
      }
      let note = "from \(existing) items on"
      try Report.row("acknowledged single add, \(note)", "x SQLite's speed", .atLeast(0.8), single)
      try Report.row("adds by the \(batch), \(note)", "x SQLite's speed", .atLeast(0.6), batched)
      try Report.row("adds by the \(batch), \(note)", "us an item", .none, absolute)
      try Report.row("SQLite's inserts by the \(batch), \(note)", "us a row", .none, floorTimes)
    }
  }
}
