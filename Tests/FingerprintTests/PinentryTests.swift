import Foundation
import LinuxSystem
import TestSupport
import Testing

/// A window of pinentry beside the reader: whichever is faster wins, and the other one ends.
@Suite struct PinentryTests {
  private let home: FingerHome
  private let pinentry: ScriptedPinentry

  init() throws {
    home = try FingerHome()
    pinentry = try ScriptedPinentry(in: home)
    home.options = ["--pinentry", pinentry.program]
    try home.restart()
    try #require(home.commandLine.run("unlock", passcode: home.password).status == 0)
    try home.add("presence", "userPresence")
    try home.add("any", "biometryAny")
    try home.add("both", "biometryAny,devicePasscode")
  }

  @Test func `a finger wins over the window, which goes away`() throws {
    let reading = try get("presence")
    #expect(eventually { pinentry.told.contains { $0.hasPrefix("GETPIN") } })
    // On a busy machine the window comes before the reader does.
    #expect(
      pinentry.told.contains {
        $0.hasPrefix("SETDESC") && ($0.contains(touch) || $0.contains("once the reader is ready"))
      })
    try home.house.scan("f1")
    #expect(try reading.end() == "secret")
    #expect(pinentry.isGone)
    // What the script itself had started may live a moment longer.
    #expect(eventually { home.account.processes.isEmpty })
  }

  @Test func `a window that speaks of the finger alone goes away with it`() throws {
    let reading = try get("any")
    #expect(eventually { pinentry.told.contains { $0.hasPrefix("CONFIRM") } })
    #expect(!pinentry.told.contains { $0.hasPrefix("GETPIN") })
    try home.house.scan("f1")
    #expect(try reading.end() == "secret")
    #expect(pinentry.isGone)
    // What the script itself had started may live a moment longer.
    #expect(eventually { home.account.processes.isEmpty })
  }

  @Test func `a passcode typed there wins over the reader, which is free at once`() throws {
    let reading = try get("presence")
    try home.house.waitUntilAsked()
    pinentry.answer(home.password)
    #expect(try reading.end() == "secret")
    #expect(eventually { !home.isAsked })
    #expect(pinentry.isGone)
  }

  @Test func `where both are wanted the finger leaves the window up until the passcode has come`() throws {
    let reading = try get("both")
    #expect(eventually { pinentry.told.contains { $0.hasPrefix("GETPIN") } })
    try home.house.scan("f1")
    #expect(eventually { !home.isAsked })
    // Another window takes its place, which speaks of no finger any more.
    #expect(eventually { !pinentry.isGone })
    pinentry.answer(home.password)
    #expect(try reading.end() == "secret")
    #expect(pinentry.isGone)
  }

  /// Begins to read an item with a display and no terminal.
  private func get(_ name: String) throws -> DisplayReading {
    try DisplayReading(home.commandLine, "com.example.\(name)", output: "\(home.account.account.home)/value")
  }
}

/// `latchkey get` of a program on a display.
private struct DisplayReading {
  private let process: SpawnedProcess
  private let output: String

  init(_ commandLine: CommandLine, _ service: String, output: String) throws {
    self.output = output
    let words = "'\(commandLine.latchkey)' get -s \(service) -a me >'\(output)'"
    var environment = commandLine.environment
    environment["DISPLAY"] = ":7"
    environment["HOME"] = commandLine.account.home
    process = try Spawn.start(
      "/bin/sh",
      SpawnPlan(arguments: ["sh", "-c", words], environment: environment, asUser: commandLine.account))
  }

  /// What was printed, once it has ended well; else its status.
  func end() throws -> String {
    let status = process.status(within: 30_000)
    return status == 0 ? try String(contentsOfFile: output, encoding: .utf8) : "status \(status)"
  }
}

/// A pinentry of root's that writes down what it is told, and waits with its answer until a test gives one.
private struct ScriptedPinentry {
  let program: String
  private let record: String
  private let word: String

  init(in home: FingerHome) throws {
    let folder = home.house.folder
    program = "\(folder)/pinentry"
    record = "\(folder)/told"
    word = "\(folder)/word"
    let script = """
      #!/bin/sh
      echo "pid $$" >>\(record)
      echo "OK hello"
      while read -r line; do
        echo "$line" >>\(record)
        case "$line" in
        GETPIN*|CONFIRM*)
          until [ -s \(word) ]; do sleep 0.02; done
          echo "D $(cat \(word))";;
        esac
        echo OK
      done
      """
    try script.write(toFile: program, atomically: true, encoding: .utf8)
    chmod(program, 0o755)
    try "".write(toFile: record, atomically: false, encoding: .utf8)
    chown(record, home.account.uid, 0)
  }

  /// Types a passcode into the window.
  func answer(_ passcode: String) {
    #expect(throws: Never.self) {
      try passcode.write(toFile: word + ".new", atomically: false, encoding: .utf8)
      chmod(word + ".new", 0o644)
      try Files.rename(word + ".new", to: word)
    }
  }

  /// The lines it was sent.
  var told: [String] {
    ((try? String(contentsOfFile: record, encoding: .utf8)) ?? "").components(separatedBy: "\n")
  }

  /// Whether the one that was started last has ended.
  var isGone: Bool {
    guard let pid = told.last(where: { $0.hasPrefix("pid ") })?.dropFirst(4) else { return false }
    return !FileManager.default.fileExists(atPath: "/proc/\(pid)/fd")
  }
}
