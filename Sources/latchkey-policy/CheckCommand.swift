internal import LinuxSystem
internal import PolicyFiles
internal import TerminalIO

/// `check FILE|DIR... [--pam DIR]`: reads policies, tests and PAM stacks and tells every fault. Needs no daemon.
struct CheckCommand {
  let paths: [String]
  let stacks: [String]
  /// The folder of the stacks that came with this program.
  let shipped: String

  private var faults: [PolicyFault] = []
  private var count = 0

  init(paths: [String], stacks: [String], shipped: String = CheckCommand.shippedStacks) {
    self.paths = paths
    self.stacks = stacks
    self.shipped = shipped
  }

  /// As the daemon beside this program finds them.
  private static var shippedStacks: String {
    let program = (try? ThisProcess.executablePath()) ?? ""
    return program.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
      + "/share/latchkey/pam"
  }

  mutating func run(_ report: inout Report) -> Ending {
    for path in paths { check(path) }
    for folder in stacks { add(StackFindings(folder: folder, shipped: shipped)) }
    for fault in faults { report.complain(fault.description) }
    report.say(
      "\(count) \(count == 1 ? "file" : "files") read, \(faults.count) \(faults.count == 1 ? "fault" : "faults")")
    report.answer(
      .object([
        "files": .number(count), "good": .truth(faults.isEmpty), "faults": .list(faults.map(JSONText.fault)),
      ]))
    return faults.isEmpty ? .good : .findings
  }

  private mutating func check(_ path: String) {
    if let facts = try? Files.facts(path), facts.kind == .directory { return checkFolder(path) }
    checkFile(path)
  }

  /// A folder is read as the daemon reads it, so that names and doubles count too.
  private mutating func checkFolder(_ path: String) {
    let source = DiskFolder(path: path)
    let folder = PolicyFolder(origin: .system, reading: source)
    count += (try? source.entries().count) ?? 0
    faults += folder.faults.map { fault in
      fault.file == path
        ? fault
        : PolicyFault(file: "\(path)/\(fault.file)", line: fault.line, column: fault.column, message: fault.message)
    }
    for name in source.tests() { checkFile("\(path)/\(name)") }
  }

  private mutating func checkFile(_ path: String) {
    count += 1
    let bytes: [UInt8]
    do { bytes = try DiskFolder.bytes(of: path) } catch { return faults.append(error) }
    do throws(PolicyFileError) {
      if path.hasSuffix(".test.yaml") {
        _ = try PolicyTestFile.parse(bytes, file: path)
      } else {
        _ = try PolicyFile.parse(bytes, file: path)
      }
    } catch {
      faults += error.faults
    }
  }

  private mutating func add(_ stacks: StackFindings) {
    count += stacks.count
    faults += stacks.faults
  }
}
