internal import AccessPolicy
internal import PolicyFiles
internal import TerminalIO

/// `test FILE...`: plays the rows of `*.test.yaml` through the evaluator. Needs no daemon and no authenticator.
struct TestCommand {
  let files: [String]

  private var results: [JSONText] = []
  private var passed = 0
  private var failed = 0

  init(files: [String]) { self.files = files }

  mutating func run(_ report: inout Report) -> Ending {
    for file in files { test(file, &report) }
    report.say("\(passed) passed, \(failed) failed")
    report.answer(.object(["passed": .number(passed), "failed": .number(failed), "results": .list(results)]))
    return failed == 0 ? .good : .findings
  }

  private mutating func test(_ file: String, _ report: inout Report) {
    do {
      let test = try PolicyTestFile.parse(try DiskFolder.bytes(of: file), file: file)
      let layers = try Self.layers(of: test, beside: file)
      for row in test.rows { play(row, of: file, layers, &report) }
    } catch let error as PolicyFileError {
      for fault in error.faults { fail(fault, &report) }
    } catch let fault as PolicyFault {
      fail(fault, &report)
    } catch {}
  }

  private mutating func play(_ row: PolicyTestRow, of file: String, _ layers: PolicyLayers, _ report: inout Report) {
    let (decision, trace) = Self.outcome(of: row, layers)
    guard decision == row.expect else {
      let said = trace.map { "\n  \($0)" }.joined()
      let message =
        "\(row.name.isEmpty ? "" : row.name + ": ")expected \(row.expect.text), got \(decision.text).\(said)"
      return fail(PolicyFault(file: file, line: row.mark.line, column: row.mark.column, message: message), &report)
    }
    passed += 1
    results.append(
      .object([
        "good": .truth(true), "file": .string(file), "line": .number(row.mark.line), "name": .string(row.name),
        "decision": .string(decision.text),
      ]))
  }

  private static func outcome(
    of row: PolicyTestRow, _ layers: PolicyLayers
  ) -> (decision: PolicyTestExpectation, trace: [String]) {
    do throws(PolicyUnavailable) {
      let effective = try layers.effective(for: row.given.service)
      let (decision, trace) = Rehearsal(row: row, policy: effective.policy).run()
      return (decision, trace.entries.map { "\($0.rule.rawValue): \($0.text)" })
    } catch {
      return (.deny(error.reason), error.faults.map(\.description))
    }
  }

  private mutating func fail(_ fault: PolicyFault, _ report: inout Report) {
    failed += 1
    report.complain(fault.description)
    results.append(
      .object([
        "good": .truth(false), "file": .string(fault.file), "line": .number(fault.line),
        "message": .string(fault.message),
      ]))
  }

  /// The layers of a test. A policy that is not there fails the test; one that is broken fails its rows closed, as it
  /// would in the daemon.
  private static func layers(of test: PolicyTestFile, beside file: String) throws(PolicyFault) -> PolicyLayers {
    let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    var layers = PolicyLayers()
    layers.system = try layer(.system, of: test, in: folder)
    layers.user = try layer(.user, of: test, in: folder)
    layers.shipped = try layer(.shipped, of: test, in: folder)
    return layers
  }

  private static func layer(
    _ origin: PolicyOrigin, of test: PolicyTestFile, in folder: String
  ) throws(PolicyFault) -> PolicyFolder {
    var entries: [PolicySourceEntry] = []
    for name in test.layers[origin] ?? [] {
      entries.append(PolicySourceEntry(name: name, content: .text(try DiskFolder.bytes(of: "\(folder)/\(name)"))))
    }
    return PolicyFolder(origin: origin, reading: NamedFiles(files: entries))
  }
}

/// Files that are read already.
struct NamedFiles: PolicySource {
  let files: [PolicySourceEntry]
  func entries() throws(PolicySourceError) -> [PolicySourceEntry] { files }
}
