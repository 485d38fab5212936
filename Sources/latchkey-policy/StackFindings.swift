internal import LinuxSystem
internal import PAMModel
internal import PolicyFiles

/// What is wrong with the PAM stacks of a folder. Files that are not named like a stack are passed over.
struct StackFindings {
  private(set) var count = 0
  private(set) var faults: [PolicyFault] = []

  init(folder: String) {
    do throws(Errno) {
      for name in try Files.names(in: folder) where StackName(name) != nil && !name.contains(".") {
        check("\(folder)/\(name)")
      }
    } catch {
      let message = "the folder cannot be read: \(error.sentence)"
      faults.append(PolicyFault(file: folder, line: 1, column: 1, message: message))
    }
  }

  private mutating func check(_ path: String) {
    count += 1
    let bytes: [UInt8]
    do { bytes = try DiskFolder.bytes(of: path) } catch { return faults.append(error) }
    do throws(StackFlaw) {
      try StackCheck.check(bytes) { try? DiskFolder.bytes(of: $0) }
    } catch {
      faults.append(PolicyFault(file: path, line: error.line, column: 1, message: error.reason.explanation + "."))
    }
  }
}
