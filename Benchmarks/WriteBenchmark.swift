import LinuxSystem

/// Acknowledged writes beside SQLite's own, on the same disk, both with a write-ahead log and full sync.
///
/// SQLite's table is the least that could stand for an item: a 32-byte key and one blob as long as the rest of our row.
enum WriteBenchmark {
  /// What one of our rows holds besides its primary hash.
  private static let rowBytes = 390
  private static let singles = 200

  static func run(_ setting: Setting) throws {
    for existing in [1_000, 100_000] {
      let pair = try Pair(setting, existing: existing)
      let note = "from \(existing) items on"
      let runs = 0..<setting.options.runs
      let single = try runs.map { _ in try pair.singly(singles) }
      try Report.row("acknowledged single add, \(note)", "x SQLite's speed", .atLeast(0.8), single.map(\.ratio))
      for batch in [1_000, 10_000] {
        let batched = try runs.map { _ in try pair.batch(batch) }
        let name = "adds by the \(batch), \(note)"
        try Report.row(name, "x SQLite's speed", .atLeast(0.6), batched.map(\.ratio))
        try Report.row(name, "us an item", .none, batched.map { $0.ours / Double(batch) / 1000 })
      }
    }
  }

  /// Nanoseconds for the same number of rows.
  private struct Times {
    let ours: Double
    let theirs: Double
    var ratio: Double { theirs / ours }
  }

  /// Our store and SQLite's table, which grow side by side.
  private final class Pair {
    private let ours: SampleStore
    private let floor: Floor
    private let file: String
    private var next: Int

    init(_ setting: Setting, existing: Int) throws {
      ours = try SampleStore(setting.scratch.folder("writes-\(existing)"))
      floor = setting.floor
      file = "\(setting.scratch.path)/floor-\(existing).db"
      next = existing
      _ = try ours.add(0..<existing, batch: 10_000)
      _ = try theirs(existing, batch: 10_000)
    }

    func singly(_ rows: Int) throws -> Times {
      defer { next += rows }
      return Times(ours: try ours.addSingly(next..<next + rows), theirs: try theirs(rows, batch: 1))
    }

    func batch(_ rows: Int) throws -> Times {
      defer { next += rows }
      return Times(ours: try ours.add(next..<next + rows, batch: rows), theirs: try theirs(rows, batch: rows))
    }

    private func theirs(_ rows: Int, batch: Int) throws -> Double {
      try floor.insert(into: file, rows: rows, batch: batch, bytes: rowBytes)
    }
  }
}
