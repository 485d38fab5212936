import Foundation
import LinuxSystem
import TestSupport

/// An account with a daemon, and the program of rows that runs as that account.
final class RowHouse {
  let household: Household

  init(policy: [String: String] = [:]) throws { household = try Household(.system, policy: policy) }

  private var home: String { household.account.account.home }
  var password: String { household.password }

  /// The program where an account may run it: the build's folder may be shut.
  private static let program: String = {
    var template = Array("/var/lib/latchkey-rows-XXXXXX".utf8CString)
    let folder = String(cString: mkdtemp(&template))
    chmod(folder, 0o755)
    let path = folder + "/authentication-rows"
    try! FileManager.default.copyItem(atPath: BuiltPrograms.path(of: "authentication-rows"), toPath: path)
    chmod(path, 0o755)
    place.withLock { $0 = folder }
    atexit { RowHouse.place.withLock { try? FileManager.default.removeItem(atPath: $0) } }
    return path
  }()
  private static let place = Guarded("/var/lib/latchkey-rows-none")

  private func commandLine(_ environment: [String: String]) -> TestSupport.CommandLine {
    TestSupport.CommandLine(
      latchkey: Self.program, account: household.account.account,
      environment: household.commandLine.environment.merging(environment) { $1 })
  }

  /// Runs a row without a terminal.
  func run(_ row: String, _ environment: [String: String] = [:]) -> RowOutcome {
    let result = commandLine(environment).run(row)
    return RowOutcome(text: result.output + (result.complaint.isEmpty ? "" : "complaint=\(result.complaint)"))
  }

  /// Starts a row at a terminal.
  func start(_ row: String, _ environment: [String: String] = [:]) throws -> RunningRow {
    let person = try Person(owner: household.account.account)
    let output = "\(home)/row-\(UInt32.random(in: 0 ... .max))"
    let process = try commandLine(environment).start(row, at: person, output: output)
    return RunningRow(process: process, person: person, output: output, home: home)
  }

  /// Runs a row at a terminal at which these answers are typed, one a prompt.
  func run(_ row: String, typing answers: [String], _ environment: [String: String] = [:]) throws -> RowOutcome {
    let running = try start(row, environment)
    for answer in answers {
      try running.person.see("Passcode for")
      try running.person.type(answer)
    }
    return running.outcome()
  }
}

/// Something that threads share.
final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value
  init(_ value: Value) { self.value = value }
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&value) } }
}

/// A row that runs.
final class RunningRow {
  let process: SpawnedProcess
  let person: Person
  private let output: String
  private let home: String

  init(process: SpawnedProcess, person: Person, output: String, home: String) {
    self.process = process
    self.person = person
    self.output = output
    self.home = home
  }

  /// Tells the row to go on.
  func go() { _ = FileManager.default.createFile(atPath: home + "/go", contents: nil) }

  /// Waits until the row has said something of this name.
  func hears(_ name: String, within seconds: Double = 30) -> Bool {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
      if said().all[name] != nil { return true }
      usleep(5000)
    }
    return false
  }

  private func said() -> RowOutcome {
    RowOutcome(text: (try? String(contentsOfFile: output, encoding: .utf8)) ?? "")
  }

  /// Waits for the end.
  func outcome() -> RowOutcome {
    let status = process.status(within: 60_000)
    person.readOn()
    var outcome = said()
    outcome.status = status
    outcome.screen = person.screen
    return outcome
  }
}

/// What a row said.
struct RowOutcome: CustomStringConvertible {
  let text: String
  var status: Int32 = 0
  var screen = ""

  init(text: String) { self.text = text }

  /// Every line by its name, in order.
  var all: [String: [String]] {
    var all: [String: [String]] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      all[String(parts[0]), default: []].append(parts.count > 1 ? String(parts[1]) : "")
    }
    return all
  }

  subscript(_ name: String) -> String { all[name]?.joined(separator: "|") ?? "nothing" }

  /// How many prompts were up.
  var prompts: Int { screen.components(separatedBy: "Passcode for").count - 1 }

  var description: String { "status \(status), said \(text), the screen shows \(screen.debugDescription)" }
}
