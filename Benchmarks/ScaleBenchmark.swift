/// Finding and opening an item of a large store beside a small one, in the store itself.
enum ScaleBenchmark {
  private static let small = 1_000
  private static let reads = 4_000

  static func run(_ setting: Setting) throws {
    let few = try SampleStore(setting.scratch.folder("scale-few"))
    _ = try few.add(0..<small, batch: small)
    let many = try SampleStore(setting.scratch.folder("scale-many"))
    let filling = try many.add(0..<setting.options.items, batch: 10_000)
    try Report.row(
      "adds by the 10000, up to \(setting.options.items)", "us an item", .none,
      [filling / Double(setting.options.items) / 1000])
    var ratios: [Double] = []
    var absolute: [Double] = []
    for run in 0..<setting.options.runs {
      let base = try read(few, of: small, run)
      let large = try read(many, of: setting.options.items, run)
      absolute.append(base / 1000)
      ratios.append(large / base)
    }
    try Report.row("find and open, \(small) items", "us", .none, absolute)
    try Report.row("find and open, \(setting.options.items) items", "x \(small) items", .atMost(1.3), ratios)
  }

  /// Nanoseconds of a read: the median of many, each of another item all over the store.
  private static func read(_ sample: SampleStore, of items: Int, _ run: Int) throws -> Double {
    var place = UInt64(run) &* 0x9E37_79B9_7F4A_7C15
    var times: [Double] = []
    for _ in 0..<reads {
      place = place &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let number = Int((place >> 33) % UInt64(items))
      times.append(try time { try sample.read(number) })
    }
    return Series(times).median
  }
}
