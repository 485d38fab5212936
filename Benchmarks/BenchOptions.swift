/// The command line.
struct BenchOptions {
  /// Items of the large store.
  var items = 1_000_000
  /// Runs of each figure; at least 5.
  var runs = 5
  /// The C program.
  var floor = ".build/floor/floor"
  /// Where scratch files go; a disk, not memory, or durable writes cost nothing.
  var folder = "/var/tmp"
  /// The groups to run; empty for all.
  var only: Set<String> = []

  init(arguments: [String]) throws(BenchFailure) {
    var words = arguments.dropFirst()
    while let word = words.popFirst() {
      guard let value = words.popFirst() else { throw BenchFailure("\(word): a value is missing\n\(Self.usage)") }
      switch word {
      case "--items": items = try Self.number(value, in: 1_000...10_000_000)
      case "--runs": runs = try Self.number(value, in: 5...1_000)
      case "--floor": floor = value
      case "--folder": folder = value
      case "--only": only.formUnion(value.split(separator: ",").map(String.init))
      default: throw BenchFailure("\(word): unknown\n\(Self.usage)")
      }
    }
    let known = Set(Benchmark.all.map(\.name))
    if let odd = only.subtracting(known).first { throw BenchFailure("\(odd): not one of \(known.sorted())") }
  }

  func isWanted(_ name: String) -> Bool { only.isEmpty || only.contains(name) }

  private static func number(_ text: String, in range: ClosedRange<Int>) throws(BenchFailure) -> Int {
    guard let value = Int(text), range.contains(value) else {
      throw BenchFailure("\(text): not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  static let usage = """
    usage: latchkey-bench [--items N] [--runs N] [--only NAME,NAME] [--folder FOLDER] [--floor PROGRAM]
    """
}
