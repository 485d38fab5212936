import LinuxSystem

/// The numbers of several runs.
struct Series {
  let values: [Double]
  init(_ values: [Double]) { self.values = values.sorted() }
  var least: Double { values.first ?? 0 }
  var most: Double { values.last ?? 0 }
  var median: Double {
    guard !values.isEmpty else { return 0 }
    let middle = values.count / 2
    return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
  }
}

/// What a figure must be.
enum Target {
  case atMost(Double)
  case atLeast(Double)
  case none

  func judge(_ value: Double) -> String {
    switch self {
    case .atMost(let limit): value <= limit ? "met" : "missed"
    case .atLeast(let limit): value >= limit ? "met" : "missed"
    case .none: ""
    }
  }

  var text: String {
    switch self {
    case .atMost(let limit): "<= \(Report.short(limit))"
    case .atLeast(let limit): ">= \(Report.short(limit))"
    case .none: ""
    }
  }
}

/// The table on standard output: Markdown, so that it can be kept as it is.
enum Report {
  static let head = """
    | figure | unit | target | min | median | max | |
    | --- | --- | --- | --- | --- | --- | --- |
    """

  /// One row; the median is judged.
  static func row(_ figure: String, _ unit: String, _ target: Target, _ values: [Double]) throws {
    let series = Series(values)
    let numbers = [series.least, series.median, series.most].map(short).joined(separator: " | ")
    try write("| \(figure) | \(unit) | \(target.text) | \(numbers) | \(target.judge(series.median)) |")
  }

  static func write(_ line: String) throws { try StandardStreams.write(line + "\n") }

  /// Three digits that matter.
  static func short(_ value: Double) -> String {
    let digits = value >= 100 ? 1.0 : value >= 10 ? 10.0 : value >= 1 ? 100.0 : 1000.0
    let rounded = (value * digits).rounded() / digits
    return rounded == rounded.rounded() && value >= 100 ? "\(Int(rounded))" : "\(rounded)"
  }
}
