import LinuxSystem

/// The C program of Benchmarks/floor.
struct Floor {
  let program: String

  /// Runs it and reads what it measured: a name and a number on each line.
  func measure(_ words: [String]) throws -> [String: Double] {
    let (status, text) = try run(program, words)
    guard status == .exited(0) else {
      throw BenchFailure("\(program) \(words.joined(separator: " ")): \(status). `make floor` builds it.")
    }
    var numbers: [String: Double] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ")
      if parts.count == 2, let number = Double(parts[1]) { numbers[String(parts[0])] = number }
    }
    return numbers
  }

  /// Nanoseconds for `rows` durable inserts, `batch` in each transaction.
  func insert(into file: String, rows: Int, batch: Int, bytes: Int) throws -> Double {
    try value("whole", ["insert", file, String(rows), String(batch), String(bytes)])
  }

  func value(_ name: String, _ words: [String]) throws -> Double {
    guard let number = try measure(words)[name] else { throw BenchFailure("floor \(words[0]) printed no \(name)") }
    return number
  }
}

/// Runs a program to its end; answers how it ended and what it printed. Its complaints go where ours go.
func run(
  _ program: String, _ words: [String], environment: [String: String] = [:]
) throws -> (status: ProcessExit, output: String) {
  let (process, pipe) = try start(program, words, environment: environment)
  let output = try Files.readAll(pipe, limit: 1 << 20)
  return (try process.wait(), String(decoding: output, as: UTF8.self))
}

/// Starts a program whose standard input and output are the other end of the descriptor.
func start(
  _ program: String, _ words: [String], environment: [String: String] = [:]
) throws -> (SpawnedProcess, OwnedDescriptor) {
  let (here, there) = try UnixSocket.streamPair()
  var plan = SpawnPlan(
    arguments: [program] + words, environment: environment,
    descriptors: [.init(there, as: 0), .init(there, as: 1), .init(StandardStreams.error, as: 2)], newSession: false)
  plan.workingDirectory = "."
  return (try Spawn.start(program, plan), here)
}
