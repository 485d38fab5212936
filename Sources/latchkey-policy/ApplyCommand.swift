internal import KeychainModel
internal import LinuxSystem
internal import PolicyFiles
internal import TerminalIO

/// `apply FILE`: puts a policy in force for this user. The file is checked here first, so that its faults carry its name.
struct ApplyCommand {
  let file: String

  func run(_ daemon: some PolicyDaemon, _ report: inout Report) -> Ending {
    let text: PolicyTextFile
    do { text = try PolicyTextFile(reading: file) } catch { return report.refuse(error.faults) }
    do throws(Refusal) {
      _ = try daemon.change(.apply(text: ExactText(bytes: text.bytes)))
      report.say("in force: \(text.file.pattern.text)")
      report.answer(.object(["good": .truth(true), "service": .string(text.file.pattern.text)]))
      return .good
    } catch {
      return report.refuse(error)
    }
  }
}

/// `remove SERVICE`: takes the user's own policy for a pattern away.
struct RemoveCommand {
  let service: String

  func run(_ daemon: some PolicyDaemon, _ report: inout Report) -> Ending {
    do throws(Refusal) {
      let count = try daemon.change(.remove(service: ExactText(service)))
      report.say(count == 0 ? "there was none" : "removed: \(service)")
      report.answer(.object(["good": .truth(true), "removed": .number(Int(count))]))
      return .good
    } catch {
      return report.refuse(error)
    }
  }
}

/// A policy of a file, or of standard input where the file is `-`.
struct PolicyTextFile {
  let bytes: [UInt8]
  let file: PolicyFile

  init(reading name: String) throws(PolicyFileError) {
    do throws(PolicyFault) {
      bytes = name == "-" ? try Self.standardInput() : try DiskFolder.bytes(of: name)
    } catch {
      throw PolicyFileError(faults: [error])
    }
    file = try PolicyFile.parse(bytes, file: name)
  }

  private static func standardInput() throws(PolicyFault) -> [UInt8] {
    do throws(Errno) {
      return try Files.readAll(StandardStreams.input, limit: 16 * PolicyLimits.textBytes)
    } catch {
      throw PolicyFault(file: "-", line: 1, column: 1, message: "standard input cannot be read: \(error.sentence)")
    }
  }
}
