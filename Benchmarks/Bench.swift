import Glibc
import LinuxSystem

/// `latchkey-bench`: prints each figure of the design as a ratio, with the C floor measured in the same run.
///
/// Exit: 0 when everything ran (a missed target is printed as missed), 1 when something could not run, 2 for usage.
@main enum Bench {
  static func main() {
    do {
      if try Provision.run(Array(CommandLine.arguments.dropFirst())) { return }
    } catch {
      complain("\(error)")
      exit(1)
    }
    let options: BenchOptions
    do throws(BenchFailure) { options = try BenchOptions(arguments: CommandLine.arguments) } catch {
      complain(error.text)
      exit(2)
    }
    do {
      let scratch = try Scratch(under: options.folder)
      defer { scratch.remove() }
      let setting = Setting(options: options, scratch: scratch, floor: Floor(program: options.floor))
      try Report.write("\(machine())\n\n\(Report.head)")
      for benchmark in Benchmark.all where options.isWanted(benchmark.name) { try benchmark.run(setting) }
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  private static func complain(_ text: String) {
    try? StandardStreams.write("latchkey-bench: \(text)\n", to: StandardStreams.error)
  }

  /// Cores and kernel: what a reader needs to compare two runs.
  private static func machine() -> String {
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    let kernel = (try? Files.readAll("/proc/sys/kernel/osrelease", limit: 256)) ?? []
    let version = String(decoding: kernel, as: UTF8.self).split(separator: "\n").first ?? "unknown"
    return "cores: \(cores), kernel: \(version)"
  }
}

/// What every benchmark is handed.
struct Setting {
  let options: BenchOptions
  let scratch: Scratch
  let floor: Floor
}

/// One group of figures.
struct Benchmark: Sendable {
  let name: String
  let run: @Sendable (Setting) throws -> Void

  static let all = [
    Benchmark(name: "evaluator", run: EvaluatorBenchmark.run),
    Benchmark(name: "writes", run: WriteBenchmark.run),
    Benchmark(name: "scale", run: ScaleBenchmark.run),
  ]
}

/// Why a benchmark cannot run.
struct BenchFailure: Error, CustomStringConvertible {
  let text: String
  init(_ text: String) { self.text = text }
  var description: String { text }
}
